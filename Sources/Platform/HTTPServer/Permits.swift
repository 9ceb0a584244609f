import Synchronization

/// By what the answer to one request is given. Handlers note it from their tasks, the connection reads
/// it on its loop.
final class Permits: Sendable {
  private let permits = Mutex<Set<AnswerPermit>>([])

  var noted: Set<AnswerPermit> { permits.withLock { $0 } }
  var isEmpty: Bool { permits.withLock { $0.isEmpty } }

  func note(_ permit: AnswerPermit) { permits.withLock { _ = $0.insert(permit) } }
  func forget() { permits.withLock { $0 = [] } }
}

extension Request {
  /// The answer is given by this permit, too. It is broken off, with a reset, soon after any of its permits
  /// is withdrawn.
  package func permit(by permit: AnswerPermit) { line.permits.note(permit) }
}
