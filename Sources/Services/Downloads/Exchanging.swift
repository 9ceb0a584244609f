import Circulation
import Crypto
import EPUB
import HTTP
import HTTPClient
import LCP
import Machine
import Zip

/// A licence that opens here is exchanged for its book: the file it names is fetched, compared with what
/// the licence says of it, and kept with the licence inside. Any other licence stays what it is, to be
/// handed on to a program that knows it.
extension Errand {
  func exchanged(_ arrival: Arrival, _ asked: Format) async throws(Trouble) -> Arrival {
    guard arrival.kind == .lcpLicence, let license = try await license(in: arrival),
      let link = license.link("publication"), link.isBook
    else { return arrival }
    var wanted = Fulfilment.Link(
      address: link.href,
      format: Format(id: "\(asked.id) \(license.id)", content: .epub, protection: .lcp))
    wanted.length = link.length
    guard let book = try await download(wanted, .file(.epub)), book.kind == .epub else {
      throw .again("wrong_kind")
    }
    if let hash = link.hash, Hex.encode(hash) != book.digest {
      await removeWhole()
      throw .again("publication_changed")
    }
    return try await onThread { () throws(Trouble) in
      do throws(ZipError) {
        try ZipArchive.put(license.document, as: License.entry, into: book.path)
      } catch { throw .unwritable }
      do throws(FileError) {
        let (digest, size) = try BookStore.measure(book.path)
        return Arrival(
          path: book.path, digest: Hex.encode(digest), size: size, kind: .epub,
          mark: book.mark)
      } catch { throw Trouble(error) }
    }
  }

  /// Nil for one that is not opened here, whatever the reason.
  private func license(in arrival: Arrival) async throws(Trouble) -> License? {
    let bytes = try await onThread { () throws(Trouble) in
      do throws(FileError) {
        return try WholeFile.read(arrival.path, upTo: License.mostBytes)
      } catch { throw Trouble(error) }
    }
    let now = Timestamp(millisecondsSinceEpoch: porter.queue.now())
    do throws(LicenseRefusal) {
      let license = try License(bytes)
      try license.check(by: porter.trusted(), at: now)
      return license
    } catch { return nil }
  }

  private func onThread<T: Sendable>(
    _ work: @escaping @Sendable () throws(Trouble) -> T
  ) async throws(Trouble) -> T {
    let result = await OwnThread.run { Result { () throws(Trouble) in try work() } }
    return try result.get()
  }
}

extension LicenseLink {
  /// Whether it leads to a book that is read here; sounds and pages of other kinds are not.
  fileprivate var isBook: Bool {
    !isTemplated && (types.isEmpty || types.contains { $0.hasPrefix("application/epub+zip") })
  }
}
