package import Circulation

/// One token for many callers: while one of them fetches it the others wait for the same answer, so
/// that a hundred requests after an expiry cost one sign-in.
package actor TokenDesk {
  /// What a token was given for. It holds a digest of card and PIN together, never the card alone:
  /// otherwise a wrong PIN would be accepted for as long as a right one's token lives.
  package struct Key: Sendable, Hashable {
    package let scope: String
    package let credentials: [UInt8]

    package init(scope: String, credentials: [UInt8]) {
      (self.scope, self.credentials) = (scope, credentials)
    }
  }

  package struct Token: Sendable, Hashable, CustomStringConvertible {
    package let value: String
    package let expires: ContinuousClock.Instant
    /// Words that came with it, such as a scope.
    package let notes: [String: String]

    package init(_ value: String, expires: ContinuousClock.Instant, notes: [String: String] = [:]) {
      (self.value, self.expires, self.notes) = (value, expires, notes)
    }

    package var description: String { "•••" }
  }

  private var tokens: [Key: Token] = [:]
  private var fetching: [Key: Task<Result<Token, CirculationError>, Never>] = [:]

  package init() {}

  /// The token in store, or a new one. A caller that gives up leaves the fetch to the others.
  package func token(
    for key: Key, at now: ContinuousClock.Instant,
    fetch: @escaping @Sendable () async throws(CirculationError) -> Token
  ) async throws(CirculationError) -> Token {
    if let token = tokens[key], token.expires > now { return token }
    let task = fetching[key] ?? start(key, fetch)
    return try await task.value.get()
  }

  private func start(
    _ key: Key, _ fetch: @escaping @Sendable () async throws(CirculationError) -> Token
  ) -> Task<Result<Token, CirculationError>, Never> {
    let task = Task { () -> Result<Token, CirculationError> in
      let result: Result<Token, CirculationError>
      do throws(CirculationError) { result = .success(try await fetch()) } catch {
        result = .failure(error)
      }
      // Before anybody hears of it, so that one who finds the token refused can discard it.
      finish(key, result)
      return result
    }
    fetching[key] = task
    return task
  }

  private func finish(_ key: Key, _ result: Result<Token, CirculationError>) {
    fetching[key] = nil
    if case .success(let token) = result { tokens[key] = token }
  }

  /// Throws away a token that the service refused; one that has been replaced since is kept.
  package func discard(_ token: Token, for key: Key) {
    if tokens[key] == token { tokens[key] = nil }
  }

  /// Forgets everything about an account that is unlinked or whose PIN changed.
  package func forget(where matches: @Sendable (Key) -> Bool) {
    tokens = tokens.filter { !matches($0.key) }
  }
}
