package import Circulation
import HTTP
package import HTTPClient

/// How a request gets its token: where the token is kept, how a new one is fetched, how it is put on.
package struct Authorization: Sendable {
  package let key: TokenDesk.Key
  let fetch: @Sendable (Call) async throws(CirculationError) -> TokenDesk.Token
  let apply: @Sendable (TokenDesk.Token, inout WireRequest) -> Void

  package init(
    key: TokenDesk.Key,
    fetch: @escaping @Sendable (Call) async throws(CirculationError) -> TokenDesk.Token,
    apply: @escaping @Sendable (TokenDesk.Token, inout WireRequest) -> Void = { token, request in
      request.headers.set("Authorization", "Bearer \(token.value)")
    }
  ) {
    (self.key, self.fetch, self.apply) = (key, fetch, apply)
  }
}

extension Session {
  /// Sends with a token. When the service refuses it, exactly one new one is fetched and the request
  /// sent once more, whatever it is: what was refused at the door had no effect.
  package func send(
    _ request: WireRequest, as authorization: Authorization, _ operation: Circulation.Operation,
    in call: Call
  ) async throws(CirculationError) -> Reply {
    let token = try await token(for: authorization, in: call)
    var dressed = request
    authorization.apply(token, &dressed)
    let reply = try await send(dressed, operation, in: call)
    guard reply.status == .unauthorized else { return reply }
    await tokens.discard(token, for: authorization.key)
    let next = try await self.token(for: authorization, in: call)
    dressed = request
    authorization.apply(next, &dressed)
    return try await send(dressed, operation, in: call)
  }

  package func token(for authorization: Authorization, in call: Call)
    async throws(CirculationError) -> TokenDesk.Token
  {
    try await tokens.token(for: authorization.key, at: clock.now()) {
      () throws(CirculationError) in try await authorization.fetch(call)
    }
  }
}
