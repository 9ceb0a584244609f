import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// Who reads: by card and PIN with each request, or by a token that was got for them.
extension Visit {
  var flows: [String] { library.settings["flows"]?.array?.compactMap(\.string) ?? [] }

  private var lifetime: Int { library.settings["token_seconds"]?.integer ?? 3600 }

  /// Who must be known. A card that has run out or is blocked is turned away here, unless the library
  /// only refuses to lend to it.
  func reader(_ state: WorldState) throws(Failure) -> Patron {
    guard let patron = try visitor(state) else { throw .signInNeeded }
    guard library.settings["blocks"]?.string != "borrowing" else { return patron }
    try inGoodStanding(patron)
    return patron
  }

  /// Who may be known: nobody where nothing was said.
  func visitor(_ state: WorldState) throws(Failure) -> Patron? {
    guard request.headers["Authorization"] != nil else { return nil }
    if let basic = request.basic {
      guard flows.contains("basic") else { throw .signInNeeded }
      return try patron(basic)
    }
    guard let word = request.bearer, let token = state.tokens[word],
      token.kind == "patron", token.library == library.id, let card = token.card,
      let patron = library.lending.patrons[card]
    else { throw .wrongCredentials }
    guard token.expires > now else { throw .tokenExpired }
    return patron
  }

  func inGoodStanding(_ patron: Patron) throws(Failure) {
    if let expires = patron.expires, expires <= now { throw Failure(.expiredCard) }
    if let block = patron.block { throw Failure(.blocked(block)) }
  }

  private func patron(_ basic: String) throws(Failure) -> Patron {
    guard let bytes = try? Base64.decodeTolerantly(basic) else { throw .wrongCredentials }
    let parts = String(decoding: bytes, as: UTF8.self)
      .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { throw .wrongCredentials }
    return try patron(parts[0], parts[1])
  }

  /// PIN and card only; what else may be wrong is found out later.
  private func patron(_ card: String, _ pin: String) throws(Failure) -> Patron {
    guard !pin.isEmpty, let patron = library.lending.patrons[card], patron.pin == pin else {
      throw .wrongCredentials
    }
    return patron
  }

  // MARK: Tokens

  /// RFC 6749 §4.3, and its refresh, which some programs send as JSON.
  func passwordToken(_ state: inout WorldState) -> Response {
    guard flows.contains("oauth") else { return Failure.notFound.response }
    let json = request.json?.object
    func field(_ name: String) -> String? { request.form[name] ?? json?[name]?.string }
    switch field("grant_type") {
    case "password":
      do throws(Failure) {
        let patron = try patron(field("username") ?? "", field("password") ?? "")
        return granted(patron.card, &state)
      } catch {
        return refused("invalid_grant", "The card number or the PIN is wrong.")
      }
    case "refresh_token":
      guard
        let token = state.tokens.valid(field("refresh_token") ?? "", as: "refresh", at: now),
        token.library == library.id, let card = token.card
      else { return refused("invalid_grant", "The refresh token is not valid.") }
      state.tokens.revoke(token.text)
      return granted(card, &state)
    default: return refused("unsupported_grant_type", "The grant type is not supported.")
    }
  }

  /// Palace's own flow: card and PIN once, and then a token.
  func basicToken(_ state: inout WorldState) throws(Failure) -> Response {
    guard flows.contains("basic-token") else { throw .notFound }
    guard let basic = request.basic else { throw .signInNeeded }
    let patron = try patron(basic)
    let token = issue("patron", patron.card, seconds: lifetime, &state)
    return secret(
      Self.json([
        "access_token": .string(token), "token_type": "Bearer", "expires_in": .integer(lifetime),
      ]))
  }

  private func granted(_ card: String, _ state: inout WorldState) -> Response {
    let token = issue("patron", card, seconds: lifetime, &state)
    let again = issue("refresh", card, seconds: lifetime * 24, &state)
    return secret(
      Self.json([
        "access_token": .string(token), "token_type": "Bearer", "expires_in": .integer(lifetime),
        "refresh_token": .string(again),
      ]))
  }

  private func issue(_ kind: String, _ card: String, seconds: Int, _ state: inout WorldState)
    -> String
  {
    state.tokens.issue(
      kind, library: library.id, card: card, length: 80, expires: now + Int64(seconds) * 1000
    ).text
  }

  private func refused(_ error: String, _ text: String) -> Response {
    Self.json(["error": .string(error), "error_description": .string(text)], .badRequest)
  }

  static func json(_ value: JSONValue, _ status: Status = .ok) -> Response {
    .bytes(value.bytes(), .json, status: status)
  }

  // MARK: The door

  /// 401 with the document that says how to sign in.
  var challenge: Response {
    if quirks.contains(.loginPage) {
      return .text("<!DOCTYPE html><html><body><form>Sign in</form></body></html>", .html)
    }
    var response =
      quirks.contains(.bareChallenge)
      ? Response.text("<html><body>401 Unauthorized</body></html>", .html, status: .unauthorized)
      : authenticationDocument(.unauthorized)
    // Browsers would show a dialogue of their own for what a script asks.
    if flows.contains("basic"), request.headers["X-Requested-With"] != "XMLHttpRequest" {
      response.headers.set("WWW-Authenticate", "Basic realm=\"\(library.name)\", charset=\"UTF-8\"")
    }
    response.headers.set(
      "Link", "<\(at("authentication_document"))>; rel=\"\(Relation.authentication)\"")
    return response
  }

  func authenticationDocument(_ status: Status) -> Response {
    var links: [JSONValue] = [
      link("start", at(""), language.navigation), link(Relation.shelf, at("loans"), nil),
      link("help", "mailto:help@library.example", nil),
      link("register", "https://library.example/card", "text/html"),
      link("logo", media("covers/logo.png"), "image/png"),
      link("profile", at("patrons/me"), Self.profileType),
    ]
    if quirks.contains(.linksAsObject) { links = [] }
    var object: JSONObject = [
      "id": .string(at("authentication_document")), "title": .string(library.name),
      "description": "Sign in with your library card.",
      "authentication": .array(flows.compactMap(flow)), "links": .array(links),
      "service_description": "A library that lends.",
      "color_scheme": "blue", "features": ["enabled": [], "disabled": []],
      "announcements": [],
    ]
    if quirks.contains(.linksAsObject) {
      object["links"] = ["start": ["href": .string(at(""))]]
    }
    let accept = Accept(request.headers["Accept"])
    let type = MediaType("application", "opds-authentication+json")
    let old = MediaType("application", "vnd.opds.authentication.v1.0+json")
    let isNew = accept.quality(of: type) > accept.quality(of: old)
    return .bytes(JSONValue.object(object).bytes(), isNew ? type : old, status: status)
  }

  private func flow(_ name: String) -> JSONValue? {
    let token = link("authenticate", at("token"), "application/json")
    var object: JSONObject = [
      "labels": ["login": "Barcode", "password": "PIN"],
      "inputs": [
        "login": ["keyboard": "Default", "barcode_format": "Codabar"],
        "password": ["keyboard": "Number pad"],
      ],
    ]
    switch name {
    case "basic":
      object["type"] = "http://opds-spec.org/auth/basic"
      object["description"] = "Library Barcode"
    case "oauth":
      object["type"] = "http://opds-spec.org/auth/oauth/password"
      object["links"] = [token, link("refresh", at("token"), "application/json")]
    case "basic-token":
      object["type"] = "http://thepalaceproject.org/authtype/basic-token"
      object["links"] = [link("authenticate", at("patrons/me/token"), "application/json")]
    default: return nil
    }
    return .object(object)
  }

  private func link(_ rel: String, _ href: String, _ type: String?) -> JSONValue {
    var object: JSONObject = ["rel": .string(rel), "href": .string(href)]
    if let type { object["type"] = .string(type) }
    return .object(object)
  }
}
