import Circulation
import Crypto
import HTTP
import JSON
import ProviderKit
import Secrets

// How tokens are got (§2). Keeping them, and fetching one for many callers, is the session's.

extension OverDriveProvider {
  /// §2.1: for everything that no reader is needed for.
  var asClient: ProviderKit.Authorization {
    ProviderKit.Authorization(
      key: .init(
        scope: "client \(settings.oauth.text)",
        credentials: settings.clientKey.reveal { bytes in
          var stream = DigestStream(.sha256)
          stream.update(bytes)
          return stream.finish()
        }),
      fetch: { [self] call throws(CirculationError) in
        try await fetchToken(
          at: settings.oauth.at(["token"]), [("grant_type", "client_credentials")], in: call)
      })
  }

  /// §2.2 and §2.3: for everything about the reader.
  func asReader(during operation: Circulation.Operation) throws(CirculationError)
    -> ProviderKit.Authorization
  {
    guard let reader = settings.reader else {
      throw CirculationError(
        .credentialsRejected, from: describe().provider, during: operation,
        providerSays: "no card is linked")
    }
    return ProviderKit.Authorization(
      key: .init(
        scope: "reader \(settings.websiteID) \(settings.authorizationName)",
        credentials: settings.readerDigest),
      fetch: { [self] call throws(CirculationError) in
        switch reader {
        case .card(let card, let pin):
          try await fetchToken(
            at: settings.patronOAuth.at(["patrontoken"]), passwordGrant(card, pin), in: call)
        case .granted(let token):
          try await fetchToken(
            at: settings.oauth.at(["token"]),
            [("grant_type", "refresh_token"), ("refresh_token", token.revealText { $0 })], in: call)
        }
      })
  }

  /// A library without PINs still wants a password that is not empty.
  private func passwordGrant(_ card: Secret, _ pin: Secret?) -> [(name: String, value: String)] {
    var fields = [
      (name: "grant_type", value: "password"), ("username", card.revealText { $0 }),
      ("password", settings.needsPIN ? pin?.revealText { $0 } ?? "" : "[ignore]"),
    ]
    if !settings.needsPIN { fields.append(("password_required", "false")) }
    fields.append(
      (
        "scope",
        "websiteid:\(settings.websiteID) authorizationname:\(settings.authorizationName)"
      ))
    return fields
  }

  private func fetchToken(
    at address: Address, _ fields: [(name: String, value: String)], in call: Call
  ) async throws(CirculationError) -> TokenDesk.Token {
    let pair = settings.clientKey.revealText { key in
      settings.clientSecret.revealText { Array("\(key):\($0)".utf8) }
    }
    var request = WireRequest.form(
      address, fields, headers: ["Authorization": "Basic \(Base64.standard.encode(pair))"])
    // Asking twice for a token costs nothing but a token.
    request.isRepeatable = true
    let asked = session.clock.now()
    let reply = try await session.send(request, .checkAccount, in: call)
    let json = try body(of: reply, during: .checkAccount)
    guard let token = json["access_token"]?.words else {
      throw malformed("a token", .checkAccount)
    }
    // A tenth of its life is left for the way and for clocks that differ.
    let life = min(max(json["expires_in"]?.whole ?? 3600, 0), 86_400)
    return TokenDesk.Token(token, expires: asked + .seconds(Double(life) * 0.9))
  }
}
