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

  /// What came of asking for a token.
  package enum Outcome: Sendable {
    case token(Token)
    /// Told to all who waited for it; `isOwn` for the one who had it fetched.
    case refused(CirculationError, isOwn: Bool)
    /// Cancelled, or waited long enough; the fetch goes on for the others.
    case gaveUp
  }

  private typealias Ticket = CheckedContinuation<Result<Token, CirculationError>?, Never>

  private var tokens: [Key: Token] = [:]
  /// Who waits for a token that is being fetched.
  private var lines: [Key: [Int: Ticket]] = [:]
  private var lastTicket = 0

  package init() {}

  /// The token in store, or a new one.
  package func outcome(
    for key: Key, at now: ContinuousClock.Instant, patience: Duration,
    fetch: @escaping @Sendable () async throws(CirculationError) -> Token
  ) async -> Outcome {
    if let token = tokens[key], token.expires > now { return .token(token) }
    let isOwn = lines[key] == nil
    if isOwn { start(key, fetch) }
    switch await answer(for: key, patience) {
    case .success(let token)?: return .token(token)
    case .failure(let error)?: return .refused(error, isOwn: isOwn)
    case nil: return .gaveUp
    }
  }

  private func answer(for key: Key, _ patience: Duration) async
    -> Result<Token, CirculationError>?
  {
    lastTicket += 1
    let number = lastTicket
    // By the system's clock: a deadline passes also where somebody plays with time.
    let alarm = Task {
      do { try await Task.sleep(for: patience) } catch { return }
      giveUp(number, key)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { ticket in
        guard !Task.isCancelled, lines[key] != nil else { return ticket.resume(returning: nil) }
        lines[key]?[number] = ticket
      }
    } onCancel: {
      Task { await giveUp(number, key) }
    }
  }

  private func giveUp(_ number: Int, _ key: Key) {
    lines[key]?.removeValue(forKey: number)?.resume(returning: nil)
  }

  /// In a task of its own, so that whoever gives up leaves it to the others.
  private func start(
    _ key: Key, _ fetch: @escaping @Sendable () async throws(CirculationError) -> Token
  ) {
    lines[key] = [:]
    Task {
      do throws(CirculationError) { finish(key, .success(try await fetch())) } catch {
        finish(key, .failure(error))
      }
    }
  }

  private func finish(_ key: Key, _ result: Result<Token, CirculationError>) {
    // Before anybody hears of it, so that one who finds the token refused can discard it.
    if case .success(let token) = result { tokens[key] = token }
    for ticket in (lines.removeValue(forKey: key) ?? [:]).values {
      ticket.resume(returning: result)
    }
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
