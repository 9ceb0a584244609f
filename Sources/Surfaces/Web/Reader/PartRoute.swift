import Chapters
import Circulation
import Crypto
import Database
import Downloads
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import Phrasebook
import Reading
import Registry

/// The parts of an open book: its pages, rebuilt, and what they show. Whatever is asked for is served so
/// that it can do nothing, opened in a frame or by itself.
struct PartRoute: Sendable {
  let lobby: Lobby
  let stock: ReadingStock
  let request: Request

  func answer(_ text: String, _ part: [String]) async -> Response {
    do throws(Problem) {
      let signer = try await stock.signer()
      guard let ticket = PartTicket(text, signer, now: lobby.stock.now()),
        try await isOpen(ticket)
      else { return refused(.forbidden) }
      request.rests(on: .session(ticket.session, ticket.patron))
      request.rests(on: .account(ticket.account, ticket.patron))
      let file: BookStore.Book?
      do throws(DatabaseError) {
        file = try await stock.files.book(of: ticket.patron, ticket.item, on: ticket.account)
      } catch { return refused(.serviceUnavailable) }
      // With the loan goes the file; a file that came anew has another ticket.
      guard let file, file.isLent, file.digest == ticket.digest,
        file.until.map({ $0 > lobby.stock.now() }) ?? true
      else { return refused(.forbidden) }
      if part == ["taste.css"] { return await taste(ticket) }
      let open = try await lobby.open(file, stock)
      let prefix = request.link("/book/\(text)/")
      let library = try await library(of: ticket)
      let addresses = BookAddresses(
        book: (library, ticket.item.rawValue), parts: prefix, signer
      ) { [request] in request.link($0) }
      var response = try await self.part(part, open, addresses, ticket.patron, prefix)
      // What a licence locks is kept by nobody.
      if open.book.isLicensed { response.headers.set("Cache-Control", "no-store") }
      return response
    } catch {
      return refused(error.status)
    }
  }

  /// An address opens nothing in another browser, and nothing once its session has ended, in any
  /// way and at whichever gateway.
  private func isOpen(_ ticket: PartTicket) async throws(Problem) -> Bool {
    guard let reader = try await lobby.reader(of: request) else { return false }
    return reader.patron == ticket.patron && reader.pass.reference == ticket.session
  }

  /// The name by which the reader's own pages know the library.
  private func library(of ticket: PartTicket) async throws(Problem) -> String {
    do {
      return try await lobby.registry.accounts(of: ticket.patron)
        .first { $0.id == ticket.account }?.library.rawValue ?? ""
    } catch { throw Refusals.unread(said("Your cards cannot be read.")) }
  }

  private func part(
    _ part: [String], _ open: OpenBook, _ addresses: BookAddresses, _ patron: PatronID,
    _ prefix: String
  ) async throws(Problem) -> Response {
    let making = stock.shelf.making
    do throws(ResourceError) {
      if part.count == 2, part[0] == "s", let spine = Int(part[1]) {
        let chapter = try await making.make { () throws(ResourceError) in
          try open.chapter(at: spine, addresses)
        }
        return dressed(.bytes(chapter.bytes, Self.xhtml), prefix, tag: Self.tag(of: chapter.bytes))
      }
      guard part.first == "r", part.count > 1 else { return refused(.notFound) }
      let path = part.dropFirst().joined(separator: "/")
      if open.isLargeMedia(path) { return try await media(at: path, open, patron, prefix) }
      let found = try await making.make { () throws(ResourceError) in
        try open.part(at: path, addresses)
      }
      return dressed(.bytes(found.bytes, found.type), prefix, tag: Self.tag(of: found.bytes))
    } catch {
      switch error {
      case .missing: return refused(.notFound)
      case .tooLarge: return refused(.contentTooLarge)
      case .unreadable, .locked: return refused(.conflict)
      }
    }
  }

  /// Sent from a file, so that an answer that is not taken holds no memory.
  private func media(
    at path: String, _ open: OpenBook, _ patron: PatronID, _ prefix: String
  ) async throws(ResourceError) -> Response {
    let unpacked = stock.media
    let response = try await stock.shelf.unpacking.make { () throws(ResourceError) -> Response? in
      let media = try open.media(at: path)
      let key = UnpackedMedia.Key(digest: open.digest, path: path)
      return try unpacked.file(of: media, key, for: patron).map { .file($0, media.type) }
    }
    guard let response else { return refused(.serviceUnavailable) }
    return dressed(response, prefix, tag: Self.tag(of: Array("\(open.digest) \(path)".utf8)))
  }

  private func taste(_ ticket: PartTicket) async -> Response {
    let taste: Taste
    do throws(DatabaseError) { taste = try await stock.tastes.taste(of: ticket.patron) } catch {
      return refused(.serviceUnavailable)
    }
    var response = dressed(.text(PageTaste(taste).style, .css), "")
    response.headers.set("Cache-Control", "no-store")
    return response
  }

  private static let xhtml = MediaType("application", "xhtml+xml")

  private static func tag(of bytes: [UInt8]) -> EntityTag {
    EntityTag(Hex.encode(Array(Digest.sha256.hash(bytes).prefix(12))))
  }

  private func dressed(
    _ response: Response, _ prefix: String, tag: EntityTag? = nil
  ) -> Response {
    var response = response
    response.validators.etag = tag
    // Its own parts and our sheets; no script, no form, no frame, no word to anybody.
    let own = request.scheme + "://" + request.host + prefix
    let assets = request.absoluteLink("/assets/")
    response.headers.set(
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'none'; connect-src 'none'; img-src \(own) data:; \
      media-src \(own); font-src \(own) data:; style-src \(own) \(assets) 'unsafe-inline'; \
      form-action 'none'; base-uri 'none'; frame-ancestors 'self'; \
      sandbox allow-same-origin allow-top-navigation-by-user-activation
      """)
    // A browser asks each time, so that it shows nothing more once the session has ended.
    response.headers.set("Cache-Control", "private, no-cache")
    response.headers.set("Referrer-Policy", "no-referrer")
    response.headers.set("X-DNS-Prefetch-Control", "off")
    return response
  }

  /// For a frame or a picture, which show no page of ours.
  private func refused(_ status: Status) -> Response {
    var response = dressed(
      .text(said("This part of the book cannot be shown.") + "\n", status: status), "")
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}
