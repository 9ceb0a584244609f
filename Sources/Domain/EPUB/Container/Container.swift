import Markup
import XML
package import Zip

/// The archive around a book: where its packages are and how it is protected (OCF).
package struct Container: Sendable {
  /// One package of several, as the container tells of it.
  package struct Rendition: Sendable, Hashable {
    package let path: String
    package let label: String?
    package let language: String?
    package let layout: String?
    package let media: String?
  }

  package let archive: ZipArchive
  /// The first is the book; more are other renditions of it.
  package let renditions: [Rendition]
  package let protection: Protection

  static let packageType = "application/oebps-package+xml"

  init(_ archive: ZipArchive, _ faults: inout Faults) throws(Refusal) {
    self.archive = archive
    Self.note(archive.warnings, &faults)
    Self.checkType(archive, &faults)
    renditions = try Self.renditions(archive, &faults)
    protection = Protection(archive, &faults)
  }

  private static func note(_ warnings: [ZipWarning], _ faults: inout Faults) {
    for warning in warnings {
      switch warning {
      case .duplicate(let name): faults.note(.zipDuplicateEntry, name.cleaned())
      case .unsafeName(let name): faults.note(.zipUnsafePath, name.cleaned())
      case .colliding(let one, let two):
        faults.note(.zipCollidingNames, "\(one.cleaned()), \(two.cleaned())")
      case .overlapping: faults.note(.zipOverlapping)
      case .padded: faults.note(.zipPadded)
      }
    }
  }

  /// The entry that lets a file be known by its first bytes. Every reader opens without it.
  private static func checkType(_ archive: ZipArchive, _ faults: inout Faults) {
    guard let (entry, fit) = archive.entry(named: "mimetype"), fit == .exact else {
      faults.note(.mimetypeMissing)
      return
    }
    if entry.index != 0 || !entry.isStored { faults.note(.mimetypePlacement) }
    let text = try? archive.read(entry, upTo: 256)
    if text.map({ $0.elementsEqual("application/epub+zip".utf8) }) != true {
      faults.note(.mimetypeValue, String(decoding: text?.prefix(64) ?? [], as: UTF8.self).cleaned())
    }
  }

  private static func renditions(_ archive: ZipArchive, _ faults: inout Faults) throws(Refusal)
    -> [Rendition]
  {
    let name = "META-INF/container.xml"
    guard let (entry, fit) = archive.entry(named: name) else { throw Refusal(.containerMissing) }
    if fit == .folded { faults.note(.nameCase, entry.name) }
    let document: BookXML
    do {
      document = try BookXML(try archive.read(entry, upTo: Limits.small))
    } catch {
      if let error = error as? ZipError, case .tooLarge = error {
        throw Refusal(.tooLarge, name)
      }
      throw Refusal(.containerMalformed, "\(name): \(Self.words(error))")
    }
    let all = document.root.below("rootfile")
    guard document.root.kind == "container" || !all.isEmpty else {
      throw Refusal(.containerMalformed, "\(name): no container element")
    }
    if let fault = document.fault {
      guard !all.isEmpty else { throw Refusal(.containerMalformed, "\(name): \(fault)") }
      faults.note(.containerMended, "\(fault)")
    }
    // Some leave the type out; where none is right, any that has a path will do.
    let right = all.filter { $0.trimmed("media-type")?.lowercased() == packageType }
    let untyped = all.filter { $0.trimmed("media-type") == nil }
    let renditions = (right.isEmpty ? untyped : right).compactMap {
      Rendition($0, archive, &faults)
    }
    guard !renditions.isEmpty else { throw Refusal(.containerNoRootfile) }
    return renditions
  }

  private static func words(_ error: any Error) -> String {
    if let error = error as? XMLError { return "\(error)" }
    return "damaged"
  }

  /// All of an entry that is needed to open the book.
  func document(_ path: String, upTo limit: Int, _ faults: inout Faults) throws(ZipError)
    -> [UInt8]?
  {
    guard let entry = find(path, &faults) else { return nil }
    return try archive.read(entry, upTo: limit)
  }

  /// An entry by its path, telling where case or composition had to be overlooked.
  func find(_ path: String, _ faults: inout Faults) -> ZipEntry? {
    guard let (entry, fit) = archive.entry(named: path), !entry.isFolder else { return nil }
    switch fit {
    case .exact: break
    case .normalized: faults.note(.nameNormalisation, path)
    case .folded: faults.note(.nameCase, path)
    }
    return entry
  }
}

extension Container.Rendition {
  fileprivate init?(_ element: Element, _ archive: ZipArchive, _ faults: inout Faults) {
    guard let written = element.trimmed("full-path") else { return nil }
    let reference = Reference(written, from: "")
    guard var path = reference.path else { return nil }
    if reference.escapes { faults.note(.urlEscapesRoot, written) }
    // It is a path and no address, so a percent sign may mean itself.
    if archive.entry(named: path) == nil, archive.entry(named: written) != nil { path = written }
    self.path = path
    label = element.trimmed("label")
    language = element.trimmed("language")
    layout = element.trimmed("layout")
    media = element.trimmed("media")
  }
}
