import CPostgres
import Glibc

/// The socket to the server: sends a request, waits for the answer, and gives the waiting up when the
/// call is cancelled or late. It never blocks inside libpq, always in `poll`, where the bell of the
/// call is heard too.
@safe final class PostgresWire {
  /// A commit or a rollback that is on its way is waited for: half an answer is worse than a late one.
  enum Patience {
    case stoppable, unstoppable
  }

  let connection: OpaquePointer
  private let bell: Int32
  private(set) var interruption: Interruption?
  private var stopping: DatabaseError.Reason?
  private(set) var isUsable = true
  /// What was sent last, where nobody waited for the answer.
  private var owed: String?
  /// How often a question went out and its answer was waited for.
  private(set) var exchanges = 0

  /// For a commit in progress, and for the server to confirm that it has stopped.
  static let grace = Duration.seconds(5)

  init(owning connection: OpaquePointer) {
    unsafe self.connection = connection
    bell = carrel_bell_make()
    unsafe PQsetnonblocking(connection, 1)
    // Notices would go to standard error, and may quote values.
    unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit {
    unsafe PQfinish(connection)
    if bell >= 0 { close(bell) }
  }

  func enter(_ interruption: Interruption) {
    self.interruption = interruption
    stopping = nil
    carrel_bell_silence(bell)
    // The file stays open while a bell hangs: the session takes it down before it goes.
    interruption.hang { [bell] in carrel_bell_ring(bell) }
  }

  func leave() {
    interruption?.takeDown()
    interruption = nil
  }

  func giveUp() { isUsable = false }

  /// What the server told about itself when the connection was made.
  func setting(_ name: String) -> String? {
    unsafe PQparameterStatus(connection, name).map { unsafe String(cString: $0) }
  }

  /// Sends one request and returns its last answer, or the error in it. `quoting` says that the server
  /// cannot yet know any value, so that its words may be kept.
  func exchange(
    _ patience: Patience, _ text: String, quoting: Bool = false,
    _ send: (OpaquePointer) -> Int32
  ) throws(DatabaseError) -> PostgresResult {
    try settle()
    exchanges += 1
    if patience == .stoppable, let reason = interruption?.reason { throw DatabaseError(reason) }
    guard isUsable, unsafe send(connection) == 1 else { throw lost(text) }
    let giveUp = (interruption?.deadline ?? .now) + Self.grace
    return try answer(patience, giveUp, text, quoting)
  }

  func answer(
    _ patience: Patience, _ giveUp: ContinuousClock.Instant, _ text: String, _ quoting: Bool
  ) throws(DatabaseError) -> PostgresResult {
    var last: PostgresResult?
    var failure: DatabaseError?
    while let result = try nextResult(patience, giveUp, text) {
      failure = failure ?? result.failure(during: text, quoting: quoting)
      last = result
      if [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(result.status) { break }
    }
    return try concluded(last, failure, text)
  }

  /// One of several requests that go out together. What it is lent, it keeps for no longer than it sends.
  @safe struct Part {
    /// The server cannot yet know any value, so that its words may be kept.
    var isValueless = false
    let send: (OpaquePointer) -> Int32
  }

  /// Sends all of them and returns the last answer: one way there and back for all. None is done behind
  /// one that failed; `done` counts those that were.
  func exchange(
    _ parts: [Part], _ text: String, done: inout Int
  ) throws(DatabaseError) -> PostgresResult {
    try settle()
    exchanges += 1
    if let reason = interruption?.reason { throw DatabaseError(reason) }
    guard isUsable, unsafe PQenterPipelineMode(connection) == 1,
      parts.allSatisfy({ unsafe $0.send(connection) == 1 }),
      unsafe PQpipelineSync(connection) == 1
    else { throw lost(text) }
    let giveUp = (interruption?.deadline ?? .now) + Self.grace
    var (last, failure): (PostgresResult?, DatabaseError?) = (nil, nil)
    while unsafe PQstatus(connection) != CONNECTION_BAD {
      // Nothing, once, behind the answer to each.
      guard let result = try nextResult(.stoppable, giveUp, text) else { continue }
      if result.status == PGRES_PIPELINE_SYNC { break }
      if failure == nil {
        let isValueless = parts.indices.contains(done) && parts[done].isValueless
        failure = result.failure(during: text, quoting: isValueless)
        if failure == nil { done += 1 }
      }
      last = result
    }
    if unsafe PQexitPipelineMode(connection) != 1 { isUsable = false }
    return try concluded(last, failure, text)
  }

  /// Sends what nobody has to wait for: it is answered by the time of the next question.
  func leaveBehind(_ text: String) {
    guard isUsable, unsafe PQsendQuery(connection, text) == 1, unsafe PQflush(connection) >= 0
    else { return giveUp() }
    owed = text
  }

  private func settle() throws(DatabaseError) {
    guard let text = owed else { return }
    owed = nil
    _ = try answer(.unstoppable, .now + Self.grace, text, false)
  }

  private func concluded(
    _ last: PostgresResult?, _ failure: DatabaseError?, _ text: String
  ) throws(DatabaseError) -> PostgresResult {
    if unsafe PQstatus(connection) == CONNECTION_BAD { isUsable = false }
    if let stopping { throw DatabaseError(stopping, code: failure?.code, statement: text) }
    if let failure {
      if failure.reason == .connectionLost { isUsable = false }
      throw failure
    }
    guard let last else { throw lost(text) }
    return last
  }

  private func nextResult(
    _ patience: Patience, _ giveUp: ContinuousClock.Instant, _ text: String
  ) throws(DatabaseError) -> PostgresResult? {
    var giveUp = giveUp
    while true {
      let unsent = unsafe PQflush(connection)
      guard unsent >= 0 else { break }
      if unsent == 0, unsafe PQisBusy(connection) == 0 { break }
      if patience == .stoppable, stopping == nil, let reason = interruption?.reason {
        giveUp = .now + Self.grace
        stop(reason)
      }
      guard ContinuousClock.now < giveUp else {
        isUsable = false
        throw DatabaseError(stopping ?? .connectionLost, statement: text)
      }
      let isWatching = patience == .stoppable && stopping == nil
      wait(
        until: isWatching ? min(giveUp, interruption?.deadline ?? giveUp) : giveUp, unsent: unsent)
      guard unsafe PQconsumeInput(connection) == 1 else { break }
    }
    return unsafe PQgetResult(connection).map { unsafe PostgresResult(owning: $0) }
  }

  func wait(until instant: ContinuousClock.Instant, unsent: Int32) {
    let events = Int16(POLLIN) | (unsent == 0 ? 0 : Int16(POLLOUT))
    var files = [
      pollfd(fd: unsafe PQsocket(connection), events: events, revents: 0),
      // Once it has rung, it would go on ringing.
      pollfd(fd: stopping == nil ? bell : -1, events: Int16(POLLIN), revents: 0),
    ]
    unsafe poll(&files, nfds_t(files.count), milliseconds(until: instant))
    if files[1].revents != 0 { carrel_bell_silence(bell) }
  }

  /// Asks the server to stop, from a thread of its own since the asking may hang as the network does.
  /// The request may arrive late and hit the next statement: this connection gets none.
  private func stop(_ reason: DatabaseError.Reason) {
    stopping = reason
    isUsable = false
    guard let request = unsafe PQgetCancel(connection) else { return }
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { request in
        var message = [CChar](repeating: 0, count: 256)
        unsafe PQcancel(request.map { OpaquePointer($0) }, &message, Int32(message.count))
        unsafe PQfreeCancel(request.map { OpaquePointer($0) })
        return nil
      }, UnsafeMutableRawPointer(request))
    if code == 0 { pthread_detach(thread) } else { unsafe PQfreeCancel(request) }
  }

  func lost(_ text: String) -> DatabaseError {
    isUsable = false
    return DatabaseError(.connectionLost, statement: text)
  }
}
