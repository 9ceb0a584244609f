import CEvent
import Glibc
import HTTP
import Synchronization

/// Room for the large answers that stand in memory until their readers have taken them: for all and
/// for each reader. Files and streams need none, of them the memory holds little at a time.
final class AnswerRoom: Sendable {
  enum Reader: Sendable, Hashable {
    /// As the log names the patron.
    case patron(String)
    case client(IPAddress)
  }

  /// What one answer takes.
  struct Share: Sendable {
    let bytes: Int
    let reader: Reader?
  }

  private struct State {
    var total = 0
    var byReader: [Reader: Int] = [:]
  }

  /// Answers up to here are not counted: pages and pictures, of which a connection holds one.
  static let small = 64 << 10

  private let limits: Limits
  private let state = Mutex(State())

  init(_ limits: Limits) { self.limits = limits }

  /// False where there is none. A first one always has some, or an answer that is larger than all the
  /// room could never be given.
  func reserve(_ share: Share) -> Bool {
    state.withLock { state in
      let own = share.reader.flatMap { state.byReader[$0] } ?? 0
      guard state.total == 0 || state.total + share.bytes <= limits.answersInFlight,
        own == 0 || own + share.bytes <= limits.answersPerReader
      else { return false }
      state.total += share.bytes
      if let reader = share.reader { state.byReader[reader] = own + share.bytes }
      return true
    }
  }

  func release(_ share: Share) {
    state.withLock { state in
      state.total -= share.bytes
      guard let reader = share.reader, let held = state.byReader[reader] else { return }
      state.byReader[reader] = held > share.bytes ? held - share.bytes : nil
    }
  }
}

/// Large answers of one connection.
extension Connection {
  /// The response itself where there is room for it, else one that says so.
  func admitted(_ response: Response) -> Response {
    guard case .bytes(let bytes) = response.body, bytes.count > AnswerRoom.small,
      exchange?.head.method != .head
    else { return response }
    settleShares()
    let reader = response.patronHash.map { AnswerRoom.Reader.patron($0) }
    let share = AnswerRoom.Share(
      bytes: bytes.count, reader: reader ?? exchange?.client.map { .client($0.household) })
    guard site.admission.answers.reserve(share) else {
      var refused = Refusal.overloaded.response
      refused.errorCode = "overloaded"
      (refused.route, refused.patronHash) = (response.route, response.patronHash)
      return refused
    }
    shares.append(share)
    let allowed = Duration.milliseconds(bytes.count * 1000 / max(1, site.limits.answerRate))
    answerDeadline = Monotonic.now + site.timeouts.write + allowed
    return response
  }

  /// Gives the room back of what has gone to the kernel: what is unsent came last.
  func settleShares() {
    guard !shares.isEmpty else { return }
    let unsent = unsafe unsent + evbuffer_get_length(loop.staging)
    var waiting = shares.reduce(0) { $0 + $1.bytes }
    while let oldest = shares.first, waiting - oldest.bytes >= unsent {
      site.admission.answers.release(oldest)
      shares.removeFirst()
      waiting -= oldest.bytes
    }
    if shares.isEmpty { answerDeadline = .never }
  }

  func releaseShares() {
    for share in shares { site.admission.answers.release(share) }
    shares = []
    answerDeadline = .never
  }
}
