import Circulation
import Crypto
import FoundationEssentials
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
        do throws(CirculationError) {
          return try await tokens(for: settings.clientToken, in: call).token
        } catch {
          // Refused without a reader in it, it is our own key that is not known.
          guard error.reason == .credentialsRejected else { throw error }
          throw failure(.notConfigured(what: "client key and secret"), error.providerSays)
        }
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
      key: .init(scope: "reader \(settings.signIn.scope)", credentials: reader.digest),
      fetch: { [self] call throws(CirculationError) in
        switch reader.proof {
        case .card(let card, let pin, let check):
          return try await tokens(for: settings.patronToken(card, pin, check), in: call).token
        case .granted(let token): return try await refreshed(token, in: call)
        case .once(let token, let until):
          // There is nothing to renew it with: the reader allowed it once (§2.3).
          let left = until.timeIntervalSince(session.clock.date())
          guard left > 0 else {
            throw failure(.credentialsRejected, "allowed once; a new sign-in is needed")
          }
          return TokenDesk.Token(
            token.revealText { $0 }, expires: session.clock.now() + .seconds(left))
        }
      })
  }

  /// The service may answer with the next refresh token, and the one just used is then void.
  private func refreshed(_ token: RenewableSecret, in call: Call)
    async throws(CirculationError) -> TokenDesk.Token
  {
    let answer = try await tokens(for: settings.refresh(token.current), in: call)
    if let next = answer.tokens.refresh { await token.replace(by: next) }
    return answer.token
  }

  struct Granted {
    let tokens: OAuth2.Tokens
    let asked: ContinuousClock.Instant
    var token: TokenDesk.Token { tokens.token(asked: asked) }
  }

  func tokens(for request: WireRequest, in call: Call) async throws(CirculationError) -> Granted {
    let asked = session.clock.now()
    let reply = try await session.send(request, .checkAccount, in: call)
    let json = try body(of: reply, during: .checkAccount)
    return Granted(tokens: try Documents.tokens(json, .checkAccount), asked: asked)
  }

  func failure(_ reason: CirculationError.Reason, _ says: String?) -> CirculationError {
    CirculationError(
      reason, from: describe().provider, during: .checkAccount, providerSays: says)
  }
}
