import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// Both token hosts and the sign-in page.
extension Visit {
  static let lifetime: Int64 = 3_600_000

  func clientToken(_ state: inout WorldState) -> Response {
    guard let library = client(state) else { return Self.badClient }
    let form = request.form
    switch form["grant_type"] {
    case "client_credentials":
      let token = state.tokens.issue(
        "client", library: library.id, length: 120, expires: state.now + Self.lifetime)
      return Self.granted(token.text, "LIB META AVAIL SRCH")
    case "authorization_code": return byCode(form, &state)
    case "refresh_token": return byRefresh(form, &state)
    default: return Self.oauth("unsupported_grant_type", "The grant type is not supported.")
    }
  }

  /// Any library that the key pair opens; all of them share the demonstration pair.
  private func client(_ state: WorldState) -> MockLibrary? {
    guard let basic = request.basic, let bytes = try? Base64.decodeTolerantly(basic) else {
      return nil
    }
    let pair = String(decoding: bytes, as: UTF8.self)
    return state.libraries.first { library in
      library.provider == OverDriveDialect.name
        && pair
          == "\(library.settings["client_key"]?.string ?? ""):\(library.settings["client_secret"]?.string ?? "")"
    }
  }

  // MARK: Card and PIN

  func patronToken(_ state: inout WorldState) -> Response {
    guard client(state) != nil else { return Self.badClient }
    let form = request.form
    guard form["grant_type"] == "password" else {
      return Self.oauth("unsupported_grant_type", "The grant type is not supported.")
    }
    let scope = Self.scope(form["scope"] ?? "")
    let ils = scope["authorizationname"] ?? scope["ilsname"]
    guard let website = scope["websiteid"], let ils else {
      return Self.oauth("invalid_scope", "The scope needs websiteid and authorizationname.")
    }
    let found = state.libraries.first { library in
      library.provider == OverDriveDialect.name
        && library.settings["website_id"]?.integer.map(String.init) == website
        && library.settings["ils_name"]?.string?.lowercased() == ils.lowercased()
    }
    guard let library = found else {
      return Self.oauth("unauthorized_client", "Invalid website id or authorization name.")
    }
    let card = form["username"] ?? ""
    let isPINLess = form["password_required"]?.lowercased() == "false"
    // An empty password is refused even where none is needed: a dummy has to be sent.
    guard !card.isEmpty, let pin = form["password"], !pin.isEmpty else {
      return Self.oauth("invalid_request", "username and password must be sent.")
    }
    if isPINLess, library.lending.rules.needsPIN {
      return Self.oauth("unauthorized_client", "A password is required for this library.")
    }
    do throws(LendingRefusal) {
      _ = try library.lending.signIn(card: card, pin: pin, at: state.now)
    } catch {
      return Self.oauth("unauthorized_client", Self.words(error, card))
    }
    return signedIn(card, at: library, refresh: false, &state)
  }

  /// What the library's own system writes; only this text tells the reasons apart.
  private static func words(_ refusal: LendingRefusal, _ card: String) -> String {
    switch refusal {
    case .wrongPIN: "Invalid PIN for library card: \(card)."
    case .expiredCard: "Invalid Library Card: \(card).  The card has expired."
    case .blocked(.fines): "Invalid Library Card: \(card).  The card is blocked because of fines."
    case .blocked(.lost): "Invalid Library Card: \(card).  The card is reported lost and blocked."
    case .blocked(.barred): "Invalid Library Card: \(card).  Borrowing is suspended."
    default: "Requested record not found"
    }
  }

  private func signedIn(
    _ card: String, at library: MockLibrary, refresh: Bool, _ state: inout WorldState
  ) -> Response {
    let token = state.tokens.issue(
      "patron", library: library.id, card: card, length: 200, expires: state.now + Self.lifetime)
    let words =
      "LIB META AVAIL SRCH PATRON PATRONINT patronid:\(Self.number(of: card))"
      + " websiteid:\(library.settings["website_id"]?.integer ?? 0)"
      + " client:\(library.settings["client_key"]?.string ?? "")"
    var again: String?
    if refresh {
      let year = 365 * LendingRules.day
      again =
        state.tokens.issue(
          "refresh", library: library.id, card: card, length: 120, expires: state.now + year
        ).text
    }
    return Self.granted(token.text, words, again)
  }

  /// OverDrive's own number of an account, and of a title: always the same for the same name.
  static func number(of name: String) -> Int {
    var random = SeededRandom(seed: 0, for: name)
    return 100_000 + random.below(9_000_000)
  }

  // MARK: The sign-in page

  func authorize(_ state: inout WorldState) -> Response {
    let form = request.method == .post ? request.form : request.query
    let scope = Self.scope(form["scope"] ?? "")
    guard let redirect = form["redirect_uri"], redirect.contains(":"),
      form["response_type"] == "code", let id = scope["accountid"],
      let library = state.library(id, of: OverDriveDialect.name),
      library.settings["client_key"]?.string == form["client_id"]
    else { return .text(SignInPage.refusal, .html, status: .badRequest) }
    guard request.method == .post else {
      return .text(SignInPage(library.name, form, problem: nil).html, .html)
    }
    if form["deny"] != nil { return Self.back(redirect, ["error": "access_denied"], form) }
    let card = form["username"] ?? ""
    do throws(LendingRefusal) {
      _ = try library.lending.signIn(card: card, pin: form["password"], at: state.now)
    } catch {
      return .text(
        SignInPage(library.name, form, problem: Self.words(error, card)).html, .html)
    }
    let code = state.tokens.issue(
      "code", library: id, card: card,
      note: ["redirect": .string(redirect), "once": .bool(form["allow"] == "once")], length: 48,
      expires: state.now + 300_000)
    return Self.back(redirect, ["code": code.text], form)
  }

  private static func back(
    _ redirect: String, _ fields: FormFields, _ form: FormFields
  ) -> Response {
    var fields = fields
    if let opaque = form["state"] { fields.add("state", opaque) }
    return .redirect(
      to: redirect + (redirect.contains("?") ? "&" : "?") + fields.encoded, .found)
  }

  private func byCode(_ form: FormFields, _ state: inout WorldState) -> Response {
    guard let code = state.tokens.valid(form["code"] ?? "", as: "code", at: state.now),
      code.note["redirect"]?.string == form["redirect_uri"], let card = code.card,
      let library = state.library(code.library, of: OverDriveDialect.name)
    else { return Self.oauth("invalid_grant", "The authorization code is not valid.") }
    state.tokens.revoke(code.text)
    return signedIn(card, at: library, refresh: code.note["once"]?.bool != true, &state)
  }

  private func byRefresh(_ form: FormFields, _ state: inout WorldState) -> Response {
    let text = form["refresh_token"] ?? ""
    guard let token = state.tokens.valid(text, as: "refresh", at: state.now),
      let card = token.card, let library = state.library(token.library, of: OverDriveDialect.name)
    else { return Self.oauth("invalid_grant", "The refresh token is not valid.") }
    state.tokens.revoke(text)
    return signedIn(card, at: library, refresh: true, &state)
  }

  // MARK: Shapes

  /// `websiteid:100300 authorizationname:x`, with names in any case.
  static func scope(_ text: String) -> [String: String] {
    var scope: [String: String] = [:]
    for word in text.split(whereSeparator: \.isWhitespace) {
      let parts = word.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { scope[parts[0].lowercased()] = String(parts[1]) }
    }
    return scope
  }

  private static func granted(_ token: String, _ scope: String, _ refresh: String? = nil)
    -> Response
  {
    var object: JSONObject = [
      "access_token": .string(token), "token_type": "bearer",
      "expires_in": .integer(Int(lifetime / 1000)), "scope": .string(scope),
    ]
    if let refresh { object["refresh_token"] = .string(refresh) }
    return .overdrive(.object(object))
  }

  private static func oauth(_ error: String, _ text: String) -> Response {
    .overdrive(["error": .string(error), "error_description": .string(text)], .badRequest)
  }

  private static var badClient: Response {
    var response = Response.overdrive(
      ["error": "invalid_client", "error_description": "The client credentials are not valid."],
      .unauthorized)
    response.headers.set("WWW-Authenticate", "Basic realm=\"OverDrive\"")
    return response
  }
}
