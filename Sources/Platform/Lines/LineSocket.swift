import CEvent
import Glibc
import Synchronization

/// One socket on its loop's thread: connects, shakes hands, sends what it is given and parts what
/// comes into lines.
@safe final class LineSocket {
  private enum Phase { case connecting, securing, open, closed }

  /// The most of one line, its end not counted.
  static let longest = 64 << 10

  let id: UInt64
  let state: LineState
  private let descriptor: Int32
  private let tls: TLSSession?
  private var phase: Phase
  private var order: LineOrder?
  /// Why it never opened: the thread may find out before anybody has asked.
  private var refusal: LineError?
  private var unsent: [UInt8] = []
  private var sent = 0
  /// Whether anything of the last question has left.
  private var hasLeft = false
  private var unread: [UInt8] = []
  /// How far no end of a line was found.
  private var scanned = 0
  private var inputEnded = false
  /// A write that TLS cannot do before it has read, or a read before it has written.
  private var wantsOut = false

  init(_ id: UInt64, _ descriptor: Int32, _ tls: TLSSession?, isConnected: Bool, _ state: LineState)
  {
    (self.id, self.descriptor, self.tls, self.state) = (id, descriptor, tls, state)
    phase = isConnected ? (tls == nil ? .open : .securing) : .connecting
  }

  // MARK: Orders

  func begin(_ next: LineOrder, sending bytes: [UInt8], isQuiet: Bool) {
    guard phase != .closed, order == nil else {
      return next.answer(.failure(refusal ?? .closed(.unsent)))
    }
    if phase == .open {
      if isQuiet {
        read()
        guard phase != .closed else { return next.answer(.failure(.closed(.unsent))) }
        guard !hasInk else { return next.answer(.failure(.unasked)) }
        (unread, scanned) = ([], 0)
        guard !inputEnded else { return next.answer(.failure(.closed(.unsent))) }
      }
      unsent += bytes
      if !bytes.isEmpty { hasLeft = false }
    }
    order = next
    pump()
  }

  func cancel(_ id: UInt64) {
    if order?.id == id { fail { .cancelled($0) } }
  }

  func fail(_ error: (LineError.Stage) -> LineError) {
    guard let order else { return }
    self.order = nil
    order.answer(.failure(error(stage)))
  }

  private func succeed(_ line: [UInt8] = []) {
    guard let order else { return }
    self.order = nil
    order.answer(.success(line))
  }

  private var stage: LineError.Stage {
    switch phase {
    case .connecting: .connecting
    case .securing: .securing
    case .open, .closed: hasLeft ? (hasInk ? .answering : .asked) : .unsent
    }
  }

  var due: ContinuousClock.Instant? { order?.deadline }

  func lapse(at now: ContinuousClock.Instant) {
    if let order, order.deadline <= now { fail { .timedOut($0) } }
  }

  // MARK: The socket

  var watch: pollfd {
    var events: Int16 = 0
    switch phase {
    case .connecting: events = Int16(POLLOUT)
    case .securing: events = Int16(wantsOut ? POLLOUT : POLLIN)
    case .open:
      if !inputEnded, unread.count <= Self.longest { events |= Int16(POLLIN) }
      if sent < unsent.count || wantsOut { events |= Int16(POLLOUT) }
    case .closed: break
    }
    // Whoever watches for nothing must not be woken by a hang-up again and again.
    return pollfd(fd: events == 0 ? -1 : descriptor, events: events, revents: 0)
  }

  func pump() {
    if phase == .connecting { finishConnecting() }
    if phase == .securing { shakeHands() }
    guard phase == .open else { return }
    if order?.goal == .open { succeed() }
    write()
    guard phase == .open else { return }
    if order?.goal == .sent, unsent.isEmpty { succeed() }
    read()
    guard phase == .open else { return }
    settle()
    state.isQuiet.store(!hasInk, ordering: .releasing)
  }

  private func finishConnecting() {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    var probe = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&probe, 1, 0) > 0 else { return }
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0 else {
      return end { _ in .cannotConnect(errno: code) }
    }
    phase = tls == nil ? .open : .securing
  }

  private func shakeHands() {
    guard let tls else { return }
    switch tls.shakeHands() {
    case .done: (phase, wantsOut) = (.open, false)
    case .wantsRead: wantsOut = false
    case .wantsWrite: wantsOut = true
    case .ended, .failed: end { _ in .tls(tls.fault) }
    }
  }

  private func write() {
    while sent < unsent.count {
      switch push(unsent[sent...]) {
      case .moved(let count):
        sent += count
        hasLeft = true
      case .later(let wantsOut):
        self.wantsOut = wantsOut
        return
      case .over: return end { .closed($0) }
      case .broken(let code): return end { .lost($0, errno: code) }
      }
    }
    (unsent, sent) = ([], 0)
  }

  private func read() {
    while !inputEnded, unread.count <= Self.longest {
      switch pull() {
      case .moved: continue
      case .later(let wantsOut):
        self.wantsOut = wantsOut
        return
      case .over:
        inputEnded = true
        state.isOpen.store(false, ordering: .releasing)
      case .broken(let code): return end { .lost($0, errno: code) }
      }
    }
  }

  /// Gives out a line if one is waited for and is there.
  private func settle() {
    while let mark = unread[scanned...].firstIndex(where: { $0 == 0x0D || $0 == 0x0A }) {
      guard mark <= Self.longest else { return end { _ in .tooLong(most: Self.longest) } }
      guard unread[..<mark].contains(where: { $0 > 0x20 }) else {
        unread.removeFirst(mark + 1)
        scanned = 0
        continue
      }
      guard order?.goal == .line else { return }
      let line = Array(unread[..<mark])
      unread.removeFirst(mark + 1)
      scanned = 0
      return succeed(line)
    }
    scanned = unread.count
    if scanned > Self.longest { return end { _ in .tooLong(most: Self.longest) } }
    if inputEnded, order?.goal == .line { end { .closed($0) } }
  }

  /// Whether something came that means anything; ends of lines, blanks and controls do not.
  private var hasInk: Bool { unread.contains { $0 > 0x20 } }

  private func end(_ error: (LineError.Stage) -> LineError) {
    if phase != .open { refusal = error(stage) }
    fail(error)
    close()
  }

  func close() {
    guard phase != .closed else { return }
    fail { .closed($0) }
    phase = .closed
    state.isOpen.store(false, ordering: .releasing)
    tls?.close()
    Glibc.close(descriptor)
  }

  /// With a reset, so that the other side cannot take it for an orderly end.
  func sever() {
    guard phase != .closed else { return }
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout.size(ofValue: option)))
    phase = .closed
    state.isOpen.store(false, ordering: .releasing)
    Glibc.close(descriptor)
  }

  // MARK: Bytes

  private enum Move {
    case moved(Int)
    case later(wantsOut: Bool)
    case over
    case broken(Int32)
  }

  private func push(_ bytes: ArraySlice<UInt8>) -> Move {
    if let tls { return Self.move(tls.write(bytes)) }
    let count = unsafe bytes.withUnsafeBytes {
      unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return .moved(count) }
    let code = errno
    return code == EAGAIN || code == EINTR ? .later(wantsOut: false) : .broken(code)
  }

  private func pull() -> Move {
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    if let tls {
      let outcome = tls.read(into: &piece)
      if case .moved(let count) = outcome { unread += piece[..<count] }
      return Self.move(outcome)
    }
    let count = unsafe piece.withUnsafeMutableBytes {
      unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
    }
    if count > 0 {
      unread += piece[..<count]
      return .moved(count)
    }
    if count == 0 { return .over }
    let code = errno
    return code == EAGAIN || code == EINTR ? .later(wantsOut: false) : .broken(code)
  }

  private static func move(_ outcome: TLSSession.Outcome) -> Move {
    switch outcome {
    case .moved(let count): .moved(count)
    case .wantsRead: .later(wantsOut: false)
    case .wantsWrite: .later(wantsOut: true)
    case .ended: .over
    case .failed: .broken(EPROTO)
    }
  }
}

/// What other threads may see of a socket.
final class LineState: Sendable {
  let isOpen = Atomic(true)
  let isQuiet = Atomic(true)
}
