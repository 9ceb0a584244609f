import Circulation
import Desk
import HTTP
import HTTPClient
import Machine
import ProviderKit
import TestSupport
import Testing

@testable import Downloads

@Suite(.timeLimit(.minutes(2))) struct `A loan that is not a plain file` {
  struct Document: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let fulfilment: @Sendable (String) -> Fulfilment
    let kind: FileKind
    let fileName: String
    let reader: String?
    var testDescription: String { name }
  }

  static let documents = [
    Document(
      name: "Adobe's token", text: Samples.token,
      fulfilment: { .licence(.init(address: $0, format: .of(.epub, .adobe)), .adobe) },
      kind: .adobeToken, fileName: "An Author - A Book.acsm", reader: "Adobe Digital Editions"),
    Document(
      name: "an LCP licence", text: Samples.licence,
      fulfilment: { .licence(.init(address: $0, format: .of(.epub, .lcp)), .lcp) },
      kind: .lcpLicence, fileName: "An Author - A Book.lcpl", reader: "Thorium Reader"),
    Document(
      name: "a token where a book was said", text: Samples.token,
      fulfilment: { .file(.init(address: $0, format: .plainBook)) }, kind: .adobeToken,
      fileName: "An Author - A Book.acsm", reader: "Adobe Digital Editions"),
    Document(
      name: "the parts of an audiobook", text: #"{"readingOrder":[]}"#,
      fulfilment: { .manifest(.init(address: $0, format: .of(.audiobook))) }, kind: .manifest,
      fileName: "An Author - A Book.json", reader: nil),
  ]

  @Test(arguments: documents, [true, false])
  func `a loan document is stored byte for byte with the name of the program that opens it`(
    _ document: Document, _ isInline: Bool
  ) async throws {
    // Only documents come within the answer itself.
    if isInline, document.name.contains("where") { return }
    try await withDepot(.sqlite) { depot in
      let server = try RawServer { connection in
        guard connection.request() != nil else { return }
        connection.answer("200 OK", [], document.text)
      }
      defer { server.stop() }
      let inline = InlineDocument.address(of: Array(document.text.utf8), "text/plain")
      depot.lend { _ throws(DeskError) in document.fulfilment(isInline ? inline : server.url()) }
      let asked = try await depot.ask()
      await depot.porter().workOff()
      let kept = try #require(try await depot.book())
      #expect(kept.kind == document.kind && kept.kind.reader == document.reader)
      #expect(kept.fileName.text == document.fileName)
      #expect(try await depot.bytes() == Array(document.text.utf8))
      #expect(try await depot.ticket(asked)?.state == .done)
      #expect(depot.names("incoming").isEmpty)
    }
  }

  @Test(arguments: [
    ("<html>no</html>", Format.Protection.adobe, "not_a_book"),
    ("<error xmlns='http://ns.adobe.com/adept' data='E_X'/>", .adobe, "wrong_kind"),
    (Samples.licence, .adobe, "wrong_kind"),
    (Samples.token, .lcp, "wrong_kind"),
    (#"{"links":[]}"#, .lcp, "wrong_kind"),
    (#"{"links":"#, .lcp, "wrong_kind"),
  ])
  func `A loan that is not a plain file is refused where it is no such document`(
    _ text: String, _ protection: Format.Protection, _ reason: String
  ) async throws {
    try await withDepot(.sqlite) { depot in
      let address = InlineDocument.address(of: Array(text.utf8), "text/plain")
      depot.lend { _ throws(DeskError) in
        .licence(.init(address: address, format: .of(.epub, protection)), protection)
      }
      let asked = try await depot.ask()
      await depot.porter().workOff()
      #expect(try await depot.ticket(asked)?.reason == reason)
      #expect(depot.names("incoming").isEmpty && depot.names("files").isEmpty)
    }
  }

  @Test func `a loan read at the lender's page reports the address and stores it nowhere`()
    async throws
  {
    try await withDepot(.sqlite) { depot in
      let page = "https://read.example/loan?pass=1"
      depot.lend { _ throws(DeskError) in
        .handOff(.init(address: page, format: .of(.epub, .streaming)))
      }
      let asked = try await depot.ask()
      await depot.porter().workOff()
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.state == .failed && ticket.reason == "read_at_provider")
      #expect(!ticket.willBeTriedAgain)
      let told = depot.news.all.compactMap { news -> String? in
        if case .page(_, let address) = news { address } else { nil }
      }
      #expect(told == [page])
    }
  }

  @Test(arguments: [
    (Format.Content.pdf, "%PDF-1.7\n…\n%%EOF", FileKind.pdf, ".pdf"),
    (.audiobook, "ID3\u{3}…", .mp3, ".mp3"), (.text, "Call me Ishmael.", .text, ".txt"),
    (.html, "<!doctype html><p>x", .html, ".html"), (.comic, "Rar!\u{1A}\u{7}", .comicRar, ".cbr"),
  ])
  func `A loan that is not a plain file may be of another kind, known by its first bytes`(
    _ content: Format.Content, _ text: String, _ kind: FileKind, _ suffix: String
  ) async throws {
    try await withDepot(.sqlite) { depot in
      let server = try RawServer { connection in
        guard connection.request() != nil else { return }
        connection.answer("200 OK", ["Content-Type: application/octet-stream"], text)
      }
      defer { server.stop() }
      depot.lend(server, .of(content))
      try await depot.ask()
      await depot.porter().workOff()
      let book = try #require(try await depot.book())
      #expect(book.kind == kind && book.fileName.text.hasSuffix(suffix))
    }
  }
}
