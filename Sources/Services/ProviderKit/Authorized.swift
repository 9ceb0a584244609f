package import Circulation
import HTTP
package import HTTPClient

/// How a request gets its token: where the token is kept, how a new one is fetched, how it is put on.
package struct Authorization: Sendable {
  package let key: TokenDesk.Key
  let fetch: @Sendable (Call) async throws(CirculationError) -> TokenDesk.Token
  let apply: @Sendable (TokenDesk.Token, inout WireRequest) -> Void
  /// Whether an answer says that the token is not, or no longer, taken.
  let isRefused: @Sendable (Reply) -> Bool

  package init(
    key: TokenDesk.Key,
    fetch: @escaping @Sendable (Call) async throws(CirculationError) -> TokenDesk.Token,
    apply: @escaping @Sendable (TokenDesk.Token, inout WireRequest) -> Void = { token, request in
      request.headers.set("Authorization", "Bearer \(token.value)")
    },
    isRefused: @escaping @Sendable (Reply) -> Bool = { $0.status == .unauthorized }
  ) {
    (self.key, self.fetch, self.apply, self.isRefused) = (key, fetch, apply, isRefused)
  }
}

extension Session {
  /// Sends with a token. When the service refuses it, exactly one new one is fetched and the request
  /// sent once more, whatever it is: what was refused at the door had no effect.
  package func send(
    _ request: WireRequest, as authorization: Authorization, _ operation: Circulation.Operation,
    in call: Call
  ) async throws(CirculationError) -> Reply {
    let token = try await token(for: authorization, during: operation, in: call)
    var dressed = request
    authorization.apply(token, &dressed)
    let reply = try await send(dressed, operation, in: call)
    guard authorization.isRefused(reply) else { return reply }
    await tokens.discard(token, for: authorization.key)
    let next = try await self.token(for: authorization, during: operation, in: call)
    dressed = request
    authorization.apply(next, &dressed)
    return try await send(dressed, operation, in: call)
  }

  /// The token in store or a new one, waited for no longer than this call may. An error names the
  /// operation that needed the token, if that is told.
  package func token(
    for authorization: Authorization, during operation: Circulation.Operation? = nil, in call: Call
  ) async throws(CirculationError) -> TokenDesk.Token {
    while true {
      let now = clock.now()
      let outcome = await tokens.outcome(
        for: authorization.key, at: now, patience: now.duration(to: call.deadline)
      ) { () throws(CirculationError) in
        try await authorization.fetch(call)
      }
      switch outcome {
      case .token(let token): return token
      case .refused(let error, let isOwn):
        // Whoever fetched it was in a greater hurry than we are.
        let isTheirHaste = !isOwn && error.reason == .deadlineExceeded
        guard isTheirHaste, clock.now() < call.deadline else {
          throw error.during(operation ?? error.operation)
        }
      case .gaveUp:
        throw CirculationError(
          Task.isCancelled ? .cancelled : .deadlineExceeded, from: provider,
          during: operation ?? .checkAccount)
      }
    }
  }
}
