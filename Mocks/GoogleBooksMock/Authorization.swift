import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// The consent page and the tokens.
extension Visit {
  private static let scope = "https://www.googleapis.com/auth/books"

  func consent(_ state: inout WorldState) -> Response {
    let form = request.method == .post ? request.form : request.query
    guard let redirect = form["redirect_uri"], form["response_type"] == "code",
      form["client_id"] == library.settings["client_id"]?.string,
      form["scope"] == Self.scope, form["access_type"] == "offline"
    else { return Refusal(.badRequest, "invalid_request", "Access blocked").response }
    guard request.method == .post else {
      return .text(
        "<!DOCTYPE html><html><head><title>Sign in</title></head><body><form method=\"post\">"
          + "<input name=\"username\"><input name=\"password\"></form></body></html>", .html)
    }
    var answer = FormFields([.init("state", form["state"] ?? "")])
    if form["deny"] != nil {
      answer.add("error", "access_denied")
    } else if library.lending.patrons[form["username"] ?? ""]?.pin == form["password"] {
      let code = state.tokens.issue(
        "code", library: library.id, card: form["username"],
        note: [
          "redirect": .string(redirect), "challenge": .string(form["code_challenge"] ?? ""),
        ], expires: now + 300_000)
      answer.add("code", code.text)
    } else {
      return .text("<!DOCTYPE html><html><body>Wrong password</body></html>", .html)
    }
    return .redirect(to: redirect + "?" + answer.encoded, .found)
  }

  func token(_ state: inout WorldState) -> Response {
    let form = request.form
    guard form["client_id"] == library.settings["client_id"]?.string,
      form["client_secret"] == library.settings["client_secret"]?.string
    else { return Self.refused("invalid_client", .unauthorized) }
    switch form["grant_type"] {
    case "authorization_code":
      guard let code = state.tokens.valid(form["code"] ?? "", as: "code", at: now),
        let card = code.card, code.note["redirect"]?.string == form["redirect_uri"],
        code.note["challenge"]?.string == Self.challenge(form["code_verifier"] ?? "")
      else { return Self.refused("invalid_grant") }
      state.tokens.revoke(code.text)
      let refresh = state.tokens.issue(
        "refresh", library: library.id, card: card, expires: now + 180 * LendingRules.day)
      return granted(card, refresh: refresh.text, &state)
    case "refresh_token":
      guard let card = reader(form["refresh_token"] ?? "", state) else {
        return Self.refused("invalid_grant")
      }
      return granted(card, refresh: nil, &state)
    default: return Self.refused("unsupported_grant_type")
    }
  }

  private func reader(_ refresh: String, _ state: WorldState) -> String? {
    if let token = state.tokens.valid(refresh, as: "refresh", at: now) { return token.card }
    return library.lending.patrons.values.first { patron in
      Furnishing.refreshToken(card: patron.card, pin: patron.pin) == refresh
    }?.card
  }

  private func granted(_ card: String, refresh: String?, _ state: inout WorldState) -> Response {
    let access = state.tokens.issue(
      "google", library: library.id, card: card, length: 120, expires: now + 3_599_000)
    let isLess = library.settings["grants_less"]?.bool == true
    var object: JSONObject = [
      "access_token": .string(access.text), "expires_in": 3599,
      "scope": .string(isLess ? "openid" : Self.scope), "token_type": "Bearer",
    ]
    if let refresh { object["refresh_token"] = .string(refresh) }
    return .google(.object(object))
  }

  private static func challenge(_ verifier: String) -> String {
    Base64.urlSafe.encode(Digest.sha256.hash(verifier))
  }

  private static func refused(_ error: String, _ status: Status = .badRequest) -> Response {
    .google(["error": .string(error), "error_description": "Token refused."], status)
  }
}
