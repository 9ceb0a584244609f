import Synchronization

/// A statement that took long, as it may stand in a log: its text from the source, and nothing of what
/// was bound to it.
package struct SlowStatement: Sendable, Hashable {
  package let text: String
  package let took: Duration
}

/// Notes the slow statements of one call. They are told when the call is over, in the task of whoever
/// made it, so that a log line knows for which request it was.
final class StatementWatch: Sendable {
  private let limit: Duration
  private let tell: @Sendable (SlowStatement) -> Void
  private let found = Mutex<[SlowStatement]>([])

  /// Nil where nobody wants to know.
  init?(_ settings: StoreSettings) {
    guard let limit = settings.slowAfter else { return nil }
    (self.limit, tell) = (limit, settings.tellSlow)
  }

  func timed<R>(
    _ text: @autoclosure () -> String, _ body: () throws(DatabaseError) -> R
  ) throws(DatabaseError) -> R {
    let began = ContinuousClock.now
    defer {
      let took = began.duration(to: .now)
      if took >= limit {
        let slow = SlowStatement(text: text(), took: took)
        found.withLock { $0.append(slow) }
      }
    }
    return try body()
  }

  func tellAll() {
    let slow = found.withLock { found in
      defer { found = [] }
      return found
    }
    for statement in slow { tell(statement) }
  }
}

extension SQL {
  /// Without values, on one line; a list is as long as another.
  func shown(for dialect: Dialect) -> String {
    let text = parts.map { part in
      switch part {
      case .text(let text): text
      case .value: "?"
      case .list: "?, …"
      case .name(let name): name.text
      case .either(let sqlite, let postgres): dialect == .sqlite ? sqlite : postgres
      }
    }.joined()
    return text.split { $0 == " " || $0 == "\n" || $0 == "\t" }.joined(separator: " ")
  }
}
