import Circulation
import HTTP
import HTTPClient
import JSON
import ProviderKit

// How a token is got (§2). Keeping it, and fetching one for many callers, is the session's.

extension Axis360Provider {
  /// One token stands for the vendor and the library; no reader is in it.
  var authorization: ProviderKit.Authorization {
    ProviderKit.Authorization(
      key: .init(scope: "library \(settings.api.text)", credentials: settings.digest),
      fetch: { [self] call throws(CirculationError) in
        let asked = session.clock.now()
        let reply = try await session.send(settings.token, .checkAccount, in: call)
        let tokens = try Documents.tokens(
          status: reply.status.code, body: reply.body, retryAfter: reply.retryAfter,
          .checkAccount)
        return tokens.token(asked: asked, assuming: .seconds(600))
      },
      isRefused: Documents.isTokenRefused)
  }
}
