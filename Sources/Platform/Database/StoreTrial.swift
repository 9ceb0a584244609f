/// What befalls a store on purpose: a statement that fails, a commit that is lost, a process that ends
/// in between. Handed in with the settings, so that a whole gateway can be tried over the real engine.
package struct StoreTrial: Sendable {
  /// Where a transaction stands that is about to go on.
  package enum Step: Sendable, Hashable {
    case begin, statement, commit
    /// It is kept; who asked does not know yet.
    case committed
  }

  package enum Mode: Sendable, Hashable { case reading, writing }

  /// A failure of an engine that can be played.
  package enum Harm: Sendable, Hashable, CaseIterable {
    case busy, full, inputOutput
    /// The process ends here: nothing that comes later is done.
    case closed
    case outcomeUnknown

    fileprivate var reason: DatabaseError.Reason {
      switch self {
      case .busy: .busy
      case .full: .full
      case .inputOutput: .inputOutput
      case .closed: .closed
      case .outcomeUnknown: .outcomeUnknown
      }
    }
  }

  let harm: @Sendable (Step, Mode) -> Harm?

  /// `harm` is asked at every step, on the connection's own thread.
  package init(_ harm: @escaping @Sendable (Step, Mode) -> Harm?) { self.harm = harm }
}

/// A session on which something befalls what is asked of it.
final class TriedSession: Session {
  private let session: any Session
  private let trial: StoreTrial
  private var mode = StoreTrial.Mode.reading

  init(_ session: any Session, _ trial: StoreTrial) {
    (self.session, self.trial) = (session, trial)
  }

  var dialect: Dialect { session.dialect }
  var isUsable: Bool { session.isUsable }

  func enter(_ interruption: Interruption) { session.enter(interruption) }
  func leave() { session.leave() }

  private func pass(_ step: StoreTrial.Step) throws(DatabaseError) {
    if let harm = trial.harm(step, mode) { throw DatabaseError(harm.reason) }
  }

  func begin(_ mode: TransactionMode) throws(DatabaseError) {
    self.mode = mode == .reading ? .reading : .writing
    try pass(.begin)
    try session.begin(mode)
  }

  func commit() throws(DatabaseError) {
    try pass(.commit)
    try session.commit()
    try pass(.committed)
  }

  func rollback() { session.rollback() }

  func run(
    _ sql: SQL, _ each: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) -> Int {
    try pass(.statement)
    return try session.run(sql, each)
  }

  func stream(
    _ query: SQL, _ each: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) {
    try pass(.statement)
    try session.stream(query, each)
  }

  func insert(
    into table: SQLName, columns: [SQLName],
    _ fill: (inout RowWriter) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> Int {
    try pass(.statement)
    return try session.insert(into: table, columns: columns, fill)
  }

  func lockForMigration() throws(DatabaseError) { try session.lockForMigration() }
  func hasTables() throws(DatabaseError) -> Bool { try session.hasTables() }
  func backUp(to path: String) throws(DatabaseError) { try session.backUp(to: path) }
  func integrityFaults() throws(DatabaseError) -> [String] { try session.integrityFaults() }
}
