import Glibc
import Synchronization

/// A terminal for the length of one question: echo off if the answer is secret, and put back however
/// the question ends, also when a signal ends the program. A shell left without echo is a fault that
/// people meet once and remember.
struct TerminalHold {
  /// Becomes readable when a signal arrives.
  let wake: Int32

  init(on descriptor: Int32, isHidden: Bool) throws(PromptError) {
    let isOurs = isTaken.withLock { taken in
      defer { taken = true }
      return !taken
    }
    guard isOurs else { throw .busy }
    guard let wake = unsafe held.pointee.prepare() else {
      isTaken.withLock { $0 = false }
      throw .failed(MachineError("hold", "the terminal"))
    }
    self.wake = wake
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else {
      let error = MachineError("examine", "the terminal")
      isTaken.withLock { $0 = false }
      throw .failed(error)
    }
    unsafe held.pointee.descriptor = descriptor
    unsafe held.pointee.settings = settings
    unsafe held.pointee.isHidden = isHidden
    unsafe current = held
    // Handlers first: there is no moment at which echo is off and nothing would turn it on.
    for (place, number) in interruptions.enumerated() {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { endHold(by: $0) }
      unsafe sigaction(number, &action, &held.pointee.previous[place])
      // What was ignored (nohup) stays ignored.
      if unsafe isIgnored(held.pointee.previous[place]) {
        unsafe sigaction(number, &held.pointee.previous[place], nil)
      }
    }
    guard isHidden else { return }
    settings.c_lflag &= ~tcflag_t(ECHO)
    settings.c_lflag |= tcflag_t(ICANON | ECHONL | ISIG)
    // A program stopped here would leave the terminal mute; nothing is lost by not stopping.
    Self.disableSuspend(&settings)
    guard unsafe tcsetattr(descriptor, TCSAFLUSH, &settings) == 0 else {
      let error = MachineError("change", "the terminal")
      release()
      throw .failed(error)
    }
  }

  func release() {
    unsafe held.pointee.restoreEcho(TCSADRAIN)
    for (place, number) in interruptions.enumerated() {
      unsafe sigaction(number, &held.pointee.previous[place], nil)
    }
    unsafe current = nil
    isTaken.withLock { $0 = false }
  }

  private static func disableSuspend(_ settings: inout termios) {
    unsafe withUnsafeMutableBytes(of: &settings.c_cc) { unsafe $0[Int(VSUSP)] = 0 }
  }
}

private let interruptions: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
private let isTaken = Mutex(false)

/// What the handler needs, in memory that is never freed: it may run at any moment on any thread.
@safe private struct Held {
  var descriptor: Int32 = -1
  var settings = termios()
  var isHidden = false
  var wakeEnds: (read: Int32, write: Int32)?
  let previous: UnsafeMutablePointer<sigaction>

  /// The end to watch, emptied of what an earlier question left behind.
  mutating func prepare() -> Int32? {
    if wakeEnds == nil { wakeEnds = Doors.pipe(extra: O_NONBLOCK) }
    guard let wakeEnds else { return nil }
    var rest = [UInt8](repeating: 0, count: 64)
    while unsafe read(wakeEnds.read, &rest, rest.count) > 0 {}
    return wakeEnds.read
  }

  mutating func restoreEcho(_ when: Int32) {
    if isHidden { unsafe tcsetattr(descriptor, when, &settings) }
  }
}

// Set only by the holder of `isTaken`; the handler reads it through `current`.
nonisolated(unsafe) private let held: UnsafeMutablePointer<Held> = {
  let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: interruptions.count)
  unsafe actions.initialize(repeating: sigaction(), count: interruptions.count)
  let place = UnsafeMutablePointer<Held>.allocate(capacity: 1)
  unsafe place.initialize(to: Held(previous: actions))
  return unsafe place
}()

// A plain pointer, so that reading it in a handler runs no lazy initializer.
nonisolated(unsafe) private var current: UnsafeMutablePointer<Held>?

/// Runs inside a signal handler: nothing here may allocate or lock. tcsetattr, write, sigaction and
/// raise are on the list of signal-safety(7).
private func endHold(by number: Int32) {
  let before = errno
  if let held = unsafe current {
    unsafe held.pointee.restoreEcho(TCSANOW)
    var place = 0
    switch number {
    case SIGINT: place = 0
    case SIGTERM: place = 1
    case SIGHUP: place = 2
    default: place = 3
    }
    if let ends = unsafe held.pointee.wakeEnds {
      var byte: UInt8 = 1
      unsafe write(ends.write, &byte, 1)
    }
    // Whoever handled the signal before, or the default, has the last word.
    unsafe sigaction(number, &held.pointee.previous[place], nil)
    raise(number)
  }
  errno = before
}

private func isIgnored(_ action: sigaction) -> Bool {
  let handler = unsafe action.__sigaction_handler.sa_handler
  return unsafe unsafeBitCast(handler, to: Int.self) == 1
}
