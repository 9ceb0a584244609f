import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// From a loan to its file.
extension Visit {
  mutating func fulfil(_ id: String, _ word: String, _ state: inout WorldState) throws(Failure)
    -> Response
  {
    let reader = try reader(state)
    guard let loan = library.lending.loan(of: id, by: reader.card) else {
      throw .noActiveLoan(.badRequest)
    }
    let title = title(id)
    let mechanism = try known(word, of: title)
    if let format = loan.format, format != word { throw Failure(.otherFormatLocked(format)) }
    if mechanism.locks, loan.format == nil {
      try lend(&state) { lending, now throws(LendingRefusal) in
        try lending.lock(id, by: reader.card, to: word, at: now)
      }
    }
    switch mechanism.steps[0] {
    case Mechanism.adobe: return secret(.bytes(MockBook(title).acsm(loan, request.base), .adobe))
    case Mechanism.licence: return secret(try licence(loan, mechanism))
    case Mechanism.bearer: return secret(bearerDocument(loan, mechanism, &state))
    case Mechanism.audiobook: return secret(manifest(title))
    default:
      // The file lies in a store that takes signed addresses and nothing else.
      guard quirks.contains(.otherHost) else {
        return secret(Self.file(MockBook(title), mechanism.steps[0], id))
      }
      let file = ticket("link", loan, mechanism.steps[0], seconds: 900, &state)
      return secret(.redirect(to: media("content/\(file)/\(id)"), .found))
    }
  }

  // MARK: Files

  func openFile(_ id: String, _ mechanism: Mechanism) -> String {
    media("content/\(id).\(mechanism.word)/\(id)")
  }

  /// By a ticket, or `ID.epub` where anybody may have it.
  func content(_ name: String, _ state: WorldState) throws(Failure) -> Response {
    if let ticket = state.tokens[name], ticket.library == library.id {
      return try content(by: ticket)
    }
    guard let dot = name.lastIndex(of: ".") else { throw .notFound }
    let id = String(name[..<dot])
    if name.hasSuffix(".locked") {
      return .bytes(try lockedBook(id), MediaType("application", "epub+zip"))
    }
    let isFree = library.settings["flows"] == nil || isOpen(id)
    guard isFree, let title = library.lending.titles[id],
      let mechanism = Mechanism.of(title).first(where: {
        name.hasSuffix("." + $0.word) && $0.steps.count == 1
      })
    else { throw .notFound }
    return Self.file(MockBook(title), mechanism.steps[0], id)
  }

  private func content(by ticket: Tokens.Token) throws(Failure) -> Response {
    let isBearer = ticket.kind == "content"
    if isBearer {
      guard request.bearer == ticket.note["token"]?.string else { throw .wrongCredentials }
    } else if request.headers["Authorization"] != nil {
      // A store that signs its addresses refuses to be told twice who it is.
      throw Failure(
        .badRequest, "about:blank", "Bad request", "Only one auth mechanism is allowed.")
    }
    guard ticket.expires > now, let id = ticket.note["title"]?.string,
      let type = ticket.note["type"]?.string
    else {
      throw Failure(.forbidden, "about:blank", "Request has expired", "Ask for a new address.")
    }
    return Self.file(MockBook(title(id)), type, id)
  }

  private func ticket(
    _ kind: String, _ loan: Loan, _ type: String, token: String = "", seconds: Int64,
    _ state: inout WorldState
  ) -> String {
    state.tokens.issue(
      kind, library: library.id, card: loan.card,
      note: ["title": .string(loan.title), "type": .string(type), "token": .string(token)],
      length: 40, expires: now + seconds * 1000
    ).text
  }

  private static func file(_ book: MockBook, _ type: String, _ id: String) -> Response {
    let isBook = type == Mechanism.epub
    var response = Response(
      headers: ["Content-Type": type], body: .bytes(isBook ? book.epub : book.pdf))
    response.headers.set(
      "Content-Disposition",
      ContentDisposition(.attachment, fileName: "\(id).\(isBook ? "epub" : "pdf")")
        .description)
    response.validators = Validators(etag: EntityTag(id))
    return response
  }

  func cover(_ name: String) throws(Failure) -> Response {
    let isSmall = name.contains("-small") || request.path.contains("thumb")
    let picture = MockPicture(seed: name.prefix { $0 != "." && $0 != "_" }.description)
    var response = Response.bytes(
      isSmall ? picture.png(width: 30, height: 45) : picture.png(width: 120, height: 180), .png)
    response.headers.set("Cache-Control", "public, max-age=31536000, immutable")
    return response
  }

  // MARK: Documents in place of the file

  private func bearerDocument(
    _ loan: Loan, _ mechanism: Mechanism, _ state: inout WorldState
  ) -> Response {
    let token = state.tokens.issue(
      "file", library: library.id, card: loan.card, length: 60, expires: now + 60_000)
    let file = ticket(
      "content", loan, mechanism.steps[1], token: token.text, seconds: 60, &state)
    let body: JSONValue = [
      "token_type": "Bearer", "access_token": .string(token.text), "expires_in": 60,
      "location": .string(media("content/\(file)/\(loan.title)")),
    ]
    return .bytes(
      body.bytes(), MediaType("application", "vnd.librarysimplified.bearer-token+json"))
  }

  private func manifest(_ title: Title) -> Response {
    let parts = (1...3).map { number -> JSONValue in
      [
        "href": .string(media("content/\(title.id)-\(number).mp3/\(number)")),
        "type": "audio/mpeg", "title": .string("Part \(number)"), "duration": 1800,
      ]
    }
    let body: JSONValue = [
      "@context": "http://readium.org/webpub-manifest/context.jsonld",
      "metadata": [
        "@type": "http://schema.org/Audiobook", "title": .string(title.name),
        "identifier": .string(Self.urn(title.id)), "language": .string(title.language),
        "author": .array(title.authors.map(JSONValue.string)), "duration": 5400,
      ],
      "readingOrder": .array(parts),
    ]
    return .bytes(body.bytes(), MediaType("application", "audiobook+json"))
  }
}

extension MediaType {
  fileprivate static let adobe = MediaType("application", "vnd.adobe.adept+xml")
}
