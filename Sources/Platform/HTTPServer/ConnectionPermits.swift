import CEvent
import Glibc
import HTTP

/// Breaking off answers whose permit was withdrawn.
extension Connection {
  /// Looked at with every tick: only answers that take longer are held. False where one of them has to
  /// be broken off. An answer is under way until the client's machine has taken it: what waits in the
  /// kernel would be sent also after the connection is closed in order.
  func holdPermits() -> Bool {
    // What a form does may end its own permit, and its answer says so.
    let isForm = exchange.map { $0.status == 0 && !$0.head.method.isRead } ?? false
    let noted = isForm ? [] : line.permits.noted
    guard !noted.isEmpty || !held.isEmpty else { return true }
    guard exchange != nil || isDelivering else {
      releasePermits()
      return true
    }
    hold(noted)
    return !site.openAnswers.isWithdrawn(held)
  }

  /// Before the next answer of this connection, which has permits of its own. Those of one that is still
  /// being sent stay.
  func settlePermits() {
    let noted = line.permits.noted
    guard !noted.isEmpty || !held.isEmpty else { return }
    if isDelivering {
      hold(noted)
      line.permits.forget()
    } else {
      releasePermits()
    }
  }

  private func hold(_ permits: Set<AnswerPermit>) {
    let more = permits.subtracting(held)
    guard !more.isEmpty else { return }
    site.openAnswers.hold(more)
    held.formUnion(more)
  }

  func releasePermits() {
    line.permits.forget()
    guard !held.isEmpty else { return }
    site.openAnswers.release(held)
    held = []
  }

  /// Whether the client's machine has not taken everything yet, as far as answers with permits go.
  var isDelivering: Bool { unsent + queued > 0 }

  /// Bytes in the kernel that the client's machine has not taken. Only asked for answers with permits.
  var queued: Int {
    guard !held.isEmpty || !line.permits.isEmpty else { return 0 }
    var count: Int32 = 0
    return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }
}

extension Response {
  /// The answer to a form is always sent, unless it is as long as a download.
  func isHeldByPermits(to method: Method) -> Bool {
    switch body {
    case .file, .stream: true
    case .bytes(let bytes): method.isRead || bytes.count > 1 << 16
    case .empty, .cached, .severed: method.isRead
    }
  }
}

extension Method {
  fileprivate var isRead: Bool { self == .get || self == .head }
}
