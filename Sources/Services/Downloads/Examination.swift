import Circulation
import EPUB
import JSON
import Machine
import Markup
import XML

/// Whether a file that came is what it was to be, by its bytes and not by what was said of it: sign-in
/// pages and error pages come with status 200 in place of books.
struct Examination {
  /// What was asked for.
  enum Wanted: Sendable, Hashable {
    case file(Format.Content)
    case licence(Format.Protection)
    case manifest
  }

  let path: String
  let size: Int
  /// What the lender said. Catalogues are behind their files, so a file that shows by itself that it
  /// is whole is believed over them.
  let declared: Int?
  /// Whether the server said how long its answer is, so that none of it can be missing.
  let isCounted: Bool

  private static let reach = 16 << 10
  private static let mostOfDocument = 16 << 20

  /// Reads from the disk: not for the cooperative pool.
  func kind(_ wanted: Wanted) throws(Trouble) -> FileKind {
    guard size > 0 else { throw .again("empty_file") }
    let head = try head()
    switch wanted {
    case .manifest:
      guard try document().object != nil else { throw .again("wrong_kind") }
      return .manifest
    case .licence(let protection): return try licence(protection, head)
    case .file(let content): return try file(content, head)
    }
  }

  // MARK: - Documents

  private func licence(
    _ protection: Format.Protection, _ head: [UInt8]
  ) throws(Trouble) -> FileKind {
    // Some hand out the locked book itself, with its licence inside.
    if head.starts(with: Array("PK\u{3}\u{4}".utf8)) { return try file(.epub, head) }
    switch protection {
    case .adobe:
      guard try isAdobeToken(head) else { throw .again(refusal(of: head)) }
      return .adobeToken
    case .lcp:
      guard Look.isJSON(head) else { throw .again(refusal(of: head)) }
      let links = try document()["links"]
      // As an object, in licences from before the first release.
      guard links?.array?.isEmpty == false || links?.object?.isEmpty == false else {
        throw .again("wrong_kind")
      }
      return .lcpLicence
    case .none, .streaming, .vendorApp, .unknown:
      guard !Look.isHTML(head) else { throw .again("not_a_book") }
      if try isAdobeToken(head) { return .adobeToken }
      return .licence
    }
  }

  private func isAdobeToken(_ head: [UInt8]) throws(Trouble) -> Bool {
    guard Look.isXML(head), !Look.isHTML(head), size <= Self.mostOfDocument else { return false }
    let bytes = try whole()
    guard let document = try? XMLDocument(bytes) else { return false }
    return document.root.name.local == "fulfillmentToken"
  }

  private func document() throws(Trouble) -> JSONValue {
    guard let value = try? JSONValue(parsing: try whole()) else {
      throw .again(refusal(of: try head()))
    }
    return value
  }

  private func refusal(of head: [UInt8]) -> String {
    Look.isHTML(head) ? "not_a_book" : "wrong_kind"
  }

  // MARK: - Books

  private func file(_ content: Format.Content, _ head: [UInt8]) throws(Trouble) -> FileKind {
    if Look.isHTML(head) {
      guard content == .html else { throw .again("not_a_book") }
      try checkLength(isWhole: false)
      return .html
    }
    // Some lenders send the licence where they said the book.
    if Look.isXML(head), try isAdobeToken(head) { return .adobeToken }
    if Look.isJSON(head), size <= Self.mostOfDocument, let json = try? document(),
      json["links"]?.array != nil, json["encryption"] != nil
    {
      return .lcpLicence
    }
    let found = Look.kind(of: head, as: content)
    guard let found, found.fits(content) else { throw .again("wrong_kind") }
    switch found {
    case .epub:
      try checkBook()
      try checkLength(isWhole: true)
    case .pdf: try checkLength(isWhole: try isEnded(with: "%%EOF"))
    default: try checkLength(isWhole: false)
    }
    return found
  }

  /// A book that is locked is a whole book all the same, for another program to open.
  private func checkBook() throws(Trouble) {
    do throws(OpeningError) { _ = try Book(file: path) } catch {
      guard case .refused(let refusal) = error else { throw .unwritable }
      switch refusal.code {
      case .drmLCP, .drmAdept, .drmFairPlay, .drmUnknown: return
      default: throw .again("damaged")
      }
    }
  }

  private func checkLength(isWhole: Bool) throws(Trouble) {
    guard let declared, declared != size, !isWhole, !isCounted else { return }
    throw .again("wrong_size")
  }

  // MARK: - Reading

  private func head() throws(Trouble) -> [UInt8] {
    do throws(FileError) { return try OpenFile(path).piece(Self.reach) } catch {
      throw Trouble(error)
    }
  }

  private func whole() throws(Trouble) -> [UInt8] {
    do throws(FileError) { return try WholeFile.read(path, upTo: Self.mostOfDocument) } catch {
      if case .tooLarge = error { throw .again("wrong_kind") }
      throw Trouble(error)
    }
  }

  private func isEnded(with mark: String) throws(Trouble) -> Bool {
    do throws(FileError) {
      let tail = try OpenFile(path).tail(2048)
      return String(decoding: tail, as: UTF8.self).contains(mark)
    } catch {
      throw Trouble(error)
    }
  }
}

extension OpenFile {
  fileprivate func piece(_ count: Int) throws(FileError) -> [UInt8] {
    do throws(MachineError) { return try read(upTo: count) } catch { throw .failed(error) }
  }
}
