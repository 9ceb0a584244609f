import HTTP
import HTTPServer
import JSON
import MockKit

/// From a loan to its file: links that work once, redirects, and the files themselves.
extension Visit {
  private static let linkLifetime: Int64 = 60_000

  func downloadLink(_ id: String, _ format: String, _ card: String, _ state: inout WorldState)
    throws(Failure) -> Response
  {
    let document = try loan(id, card, state)
    let offered = (document["formats"]?.array ?? []).contains { $0["formatType"]?.string == format }
    guard offered, format != "ebook-kindle" else { throw .notLockable }
    guard let errorPage = query("errorpageurl") ?? query("errorurl") else {
      throw .missing("errorpageurl")
    }
    let token = issue(
      ["title": .string(id), "format": .string(format), "error": .string(errorPage)], card, &state)
    let file = Self.file(format, id)
    let query =
      "RetailerID=mock&Expires=\((state.now + Self.linkLifetime).milliseconds / 1000)&Token=\(token)"
    return .overdrive([
      "reserveId": .string(id.uppercased()), "crossRefId": .integer(Self.number(of: id)),
      "formatType": .string(format),
      "links": [
        "self": .object([
          "href": .string(request.base + request.target),
          "type": "application/vnd.overdrive.circulation.api+json",
        ]),
        "contentlink": link("/content/\(file.name)?\(query)", file.type),
      ],
    ])
  }

  /// For partners that may not have the link: the reader's browser is sent there instead.
  func downloadRedirect(_ id: String, _ card: String, _ state: inout WorldState) throws(Failure)
    -> Response
  {
    let document = try loan(id, card, state)
    guard let format = document["formats"]?[0]?["formatType"]?.string else { throw .notLockable }
    let token = issue(["title": .string(id), "format": .string(format)], card, &state)
    return .redirect(
      to: "\(request.base)/content/\(Self.file(format, id).name)?Token=\(token)", .found)
  }

  private func issue(_ note: JSONObject, _ card: String, _ state: inout WorldState) -> String {
    state.tokens.issue(
      "link", library: library, card: card, note: note, length: 40,
      expires: state.now + Self.linkLifetime
    ).text
  }

  private static func file(_ format: String, _ id: String) -> (name: String, type: String) {
    let name = "title_\(number(of: id))"
    if format.hasSuffix("-adobe") { return (name + ".acsm", "application/vnd.adobe.adept+xml") }
    if format == "ebook-epub-open" { return (name + ".epub", "application/epub+zip") }
    if format == "ebook-pdf-open" { return (name + ".pdf", "application/pdf") }
    return (name + ".html", "text/html")
  }

  // MARK: The content hosts

  func content(_ stage: String, _ state: inout WorldState) -> Response {
    guard let token = state.tokens[query("Token") ?? ""], token.kind == "link",
      let id = token.note["title"]?.string, let format = token.note["format"]?.string
    else { return Self.refused("D101", "The signature is not valid.", nil) }
    let errorPage = token.note["error"]?.string
    if token.uses > 0 { return Self.refused("D004", "The link has been used.", errorPage) }
    if token.expires <= state.now {
      return Self.refused("D002", "The link is older than 60 seconds.", errorPage)
    }
    guard let library = state.library(token.library, of: OverDriveDialect.name),
      let loan = library.lending.loan(of: id, by: token.card ?? "")
    else { return Self.refused("D003", "The loan has expired.", errorPage) }
    // Even a look at the headers alone burns it.
    state.tokens.use(token.text)
    let title =
      library.lending.titles[id]
      ?? Title(id: id, name: "Withdrawn", authors: [], copies: .counted(0), added: loan.since)
    let file = Self.file(format, id)
    if file.type == "application/epub+zip" || file.type == "application/pdf" {
      if let next = ["content": "fulfill", "fulfill": "cdn"][stage] {
        return redirect(to: next, file.name, token, loan, &state)
      }
    }
    let bytes = Publication(title, loan: loan, base: request.base).bytes(file.type)
    return Response(headers: ["Content-Type": file.type], body: .bytes(bytes))
  }

  /// Open files lie behind two redirects; the second tells where the loan can be given back.
  private func redirect(
    to stage: String, _ name: String, _ token: Tokens.Token, _ loan: Loan,
    _ state: inout WorldState
  ) -> Response {
    let next = state.tokens.issue(
      "link", library: token.library, card: token.card, note: token.note, length: 40,
      expires: state.now + Self.linkLifetime)
    var query: FormFields = ["Token": next.text]
    if stage == "cdn" {
      let back = state.tokens.issue(
        "return", library: token.library, card: token.card, note: token.note, length: 40,
        expires: loan.until)
      query.add("loanEarlyReturnUrl", "\(request.base)/earlyreturn?Token=\(back.text)")
    }
    return .redirect(to: "\(request.base)/\(stage)/\(name)?\(query.encoded)", .found)
  }

  func returnByLink(_ state: inout WorldState) -> Response {
    let text = query("Token") ?? ""
    guard let token = state.tokens.valid(text, as: "return", at: state.now),
      let id = token.note["title"]?.string, let card = token.card
    else { return .text("This link is not valid.", status: .gone) }
    state.tokens.revoke(text)
    let done = state.change(token.library, of: OverDriveDialect.name) { library, now in
      (try? library.lending.giveBack(id, by: card, at: now)) != nil
    }
    return done == true ? .text("Returned.") : .text("Nothing to return.", status: .gone)
  }

  private static func refused(_ code: String, _ text: String, _ page: String?) -> Response {
    guard let page, page.hasPrefix("http") else {
      return .text(
        "<!DOCTYPE html><html><body><p>\(code): \(text)</p></body></html>", .html,
        status: .forbidden)
    }
    let query: FormFields = ["ErrorCode": code, "ErrorDescription": text]
    return .redirect(to: page + (page.contains("?") ? "&" : "?") + query.encoded, .found)
  }
}
