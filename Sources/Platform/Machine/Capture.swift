import Glibc

/// What a program printed and how it ended. A non-zero exit is a result, not an error.
package struct Capture: Sendable, Hashable {
  package let ending: ChildProcess.Ending
  package let output: [UInt8]
  package let error: [UInt8]

  package enum Failure: Error, Sendable, Hashable {
    case tooMuchOutput(limit: Int)
    case tookTooLong(Duration)
    case failed(MachineError)
  }
}

extension ChildProgram {
  /// Runs the program to its end, with these bytes as its input. A program that prints more than the
  /// limit (on either stream) or takes longer than allowed is killed.
  package func capture(
    feeding bytes: [UInt8] = [], limit: Int = 1 << 20, within span: Duration = .seconds(60)
  ) async throws(Capture.Failure) -> Capture {
    var program = self
    (program.input, program.output, program.error) = (.pipe, .pipe, .pipe)
    let child: ChildProcess
    do { child = try program.start() } catch { throw .failed(error) }
    return try await OwnThread.run {
      Conversation(with: child, saying: bytes, limit: limit, within: span).result()
    }.get()
  }
}

/// Feeds and drains a child at the same time, on one thread: doing one after the other stops both
/// sides as soon as a pipe is full.
private struct Conversation {
  let child: ChildProcess
  let deadline: ContinuousClock.Instant
  let span: Duration
  let limit: Int
  var unsaid: ArraySlice<UInt8>
  var heard: [[UInt8]] = [[], []]
  var isOpen = [true, true]

  init(with child: ChildProcess, saying bytes: [UInt8], limit: Int, within span: Duration) {
    (self.child, self.limit, self.span) = (child, limit, span)
    deadline = ContinuousClock.now + span
    unsaid = bytes[...]
  }

  consuming func result() -> Result<Capture, Capture.Failure> {
    guard let exit = Doors.pipe() else { return fail(.failed(MachineError("watch", "a program"))) }
    defer { close(exit.read) }
    let child = child
    OwnThread.start {
      _ = child.waitBlocking()
      close(exit.write)
    }
    // A child that closes its input early ends our writing with an error; the signal that comes with
    // it is blocked for this thread, and ends with it.
    var broken = sigset_t()
    unsafe sigemptyset(&broken)
    unsafe sigaddset(&broken, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &broken, nil)
    for case let end? in [child.input, child.output, child.error] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
    if unsaid.isEmpty { child.closeInput() }
    var hasExited = false
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return fail(.tookTooLong(span)) }
      let events = wait(exit.read, hasExited ? 0 : milliseconds(left))
      if events[0] { say() }
      for place in 0...1 where events[place + 1] {
        guard listen(place) else { return fail(.tooMuchOutput(limit: limit)) }
      }
      // What a grandchild may still print after the end is not waited for.
      if hasExited, !events[1], !events[2] { break }
      if events[3] { hasExited = true }
    }
    return .success(Capture(ending: child.waitBlocking(), output: heard[0], error: heard[1]))
  }

  /// Rounded up, so that the last round does not spin; an hour at most, since a longer wait goes
  /// around again.
  private func milliseconds(_ span: Duration) -> Int32 {
    Int32(min(span / .milliseconds(1), 3_600_000).rounded(.up))
  }

  private func fail(_ failure: Capture.Failure) -> Result<Capture, Capture.Failure> {
    child.killAtOnce()
    _ = child.waitBlocking()
    return .failure(failure)
  }

  /// Which of input, output, error and exit have something to do.
  private func wait(_ exit: Int32, _ milliseconds: Int32) -> [Bool] {
    func watched(_ end: Int32?, _ wanted: Int32) -> pollfd {
      // The kernel passes over negative numbers.
      pollfd(fd: end ?? -1, events: Int16(wanted), revents: 0)
    }
    var ends = [
      watched(unsaid.isEmpty ? nil : child.input, POLLOUT),
      watched(isOpen[0] ? child.output : nil, POLLIN),
      watched(isOpen[1] ? child.error : nil, POLLIN),
      watched(exit, POLLIN),
    ]
    guard unsafe poll(&ends, 4, milliseconds) > 0 else { return [false, false, false, false] }
    return ends.map { $0.revents != 0 }
  }

  private mutating func say() {
    guard let input = child.input else { return }
    let count = unsafe unsaid.withUnsafeBytes {
      unsafe write(input, $0.baseAddress, min($0.count, 65_536))
    }
    if count > 0 { unsaid = unsaid.dropFirst(count) }
    if count < 0, errno != EAGAIN, errno != EINTR { unsaid = [] }
    if unsaid.isEmpty { child.closeInput() }
  }

  /// False once there is more than the limit.
  private mutating func listen(_ place: Int) -> Bool {
    guard let end = place == 0 ? child.output : child.error else { return true }
    var room = [UInt8](repeating: 0, count: 16 << 10)
    let count = unsafe read(end, &room, room.count)
    if count > 0 { heard[place].append(contentsOf: room[..<count]) }
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { isOpen[place] = false }
    return heard[place].count <= limit
  }
}
