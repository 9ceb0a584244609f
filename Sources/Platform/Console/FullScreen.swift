import Glibc
import Synchronization
import TextSafety

/// The whole terminal for a program that draws it: keys come one by one, and at the end, whichever
/// way it comes, the terminal is as it was.
package final class FullScreen: Sendable {
  package enum Event: Sendable, Hashable {
    /// What was typed, as the terminal sends it.
    case typed([UInt8])
    case resized
    /// Nobody sits there any more.
    case gone
  }

  package let events: AsyncStream<Event>

  /// For handlers of signals, in which nothing may be looked up.
  private nonisolated(unsafe) static let saved = unsafe UnsafeMutablePointer<termios>.allocate(
    capacity: 1)
  private static let isOpen = Atomic<Bool>(false)
  private static let door = Atomic<Int32>(-1)
  private static let entering: TerminalText = "\u{1b}[?1049h\u{1b}[?7l\u{1b}[?25l"
  private static let leaving: StaticString = "\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// How long after an escape the rest of a key may come.
  private static let keyPatience: Int32 = 30

  /// Takes the terminal; nil where there is none, or somebody has it already.
  package init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      unsafe tcgetattr(STDIN_FILENO, Self.saved) == 0
    else { return nil }
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard !Self.isOpen.exchange(true, ordering: .sequentiallyConsistent) else { return nil }
    Self.door.store(ends[1], ordering: .sequentiallyConsistent)
    let (stream, source) = AsyncStream<Event>.makeStream()
    events = stream
    Self.take()
    for number in [SIGWINCH, SIGCONT, SIGHUP] { Self.watch(number) }
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE] { Self.guardAgainst(number) }
    let watch = unsafe Unmanaged.passRetained(Watch(pipe: ends[0], source))
    var thread = pthread_t()
    guard unsafe pthread_create(&thread, nil, Self.serve, watch.toOpaque()) == 0 else {
      unsafe watch.release()
      Self.restore()
      return nil
    }
    pthread_detach(thread)
  }

  deinit { close() }

  package func close() {
    Self.restore()
    Self.ring(0)
  }

  /// Puts the terminal back, if it is taken. It may be called from anywhere, and more than once.
  package static func restore() {
    guard isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
    _ = unsafe Glibc.write(STDOUT_FILENO, leaving.utf8Start, leaving.utf8CodeUnitCount)
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, saved)
  }

  /// Columns and rows.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  private static func take() {
    var raw = unsafe saved.pointee
    unsafe cfmakeraw(&raw)
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    try? OutputStream.output.write(entering)
  }

  // MARK: - Signals

  private static func ring(_ byte: UInt8) {
    var byte = byte
    _ = unsafe Glibc.write(door.load(ordering: .sequentiallyConsistent), &byte, 1)
  }

  private static func watch(_ number: Int32) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { number in
      let before = errno
      FullScreen.ring(UInt8(truncatingIfNeeded: number))
      errno = before
    }
    action.sa_flags = SA_RESTART
    unsafe sigaction(number, &action, nil)
  }

  /// A fault of ours must not leave a terminal behind that shows nothing of what is typed.
  private static func guardAgainst(_ number: Int32) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { number in
      FullScreen.restore()
      raise(number)
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
    unsafe sigaction(number, &action, nil)
  }

  // MARK: - The thread that waits for keys

  private final class Watch: Sendable {
    let pipe: Int32
    let source: AsyncStream<Event>.Continuation

    init(pipe: Int32, _ source: AsyncStream<Event>.Continuation) {
      (self.pipe, self.source) = (pipe, source)
    }
  }

  private static let serve: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
    { context in
      guard let context = unsafe context else { return nil }
      let watch = unsafe Unmanaged<Watch>.fromOpaque(context).takeRetainedValue()
      while FullScreen.wait(watch) {}
      watch.source.finish()
      return nil
    }

  /// False when there is nothing more to wait for.
  private static func wait(_ watch: Watch) -> Bool {
    var requests = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watch.pipe, events: Int16(POLLIN), revents: 0),
    ]
    guard unsafe poll(&requests, 2, -1) > 0 else { return errno == EINTR }
    if requests[1].revents != 0 { return heard(watch) }
    guard var typed = input() else {
      watch.source.yield(.gone)
      return false
    }
    // Alone it is a key; with what follows at once it is another.
    if typed == [0x1B], unsafe poll(&requests, 1, keyPatience) > 0 { typed += input() ?? [] }
    watch.source.yield(.typed(typed))
    return true
  }

  private static func heard(_ watch: Watch) -> Bool {
    var byte: UInt8 = 0
    guard unsafe read(watch.pipe, &byte, 1) == 1, byte != 0 else { return false }
    switch Int32(byte) {
    case SIGHUP:
      watch.source.yield(.gone)
      return false
    case SIGCONT:
      // A shell that had the terminal meanwhile has put it back to lines.
      take()
      watch.source.yield(.resized)
    default: watch.source.yield(.resized)
    }
    return true
  }

  private static func input() -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(STDIN_FILENO, &room, room.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(room[..<count]) : nil
    }
  }
}
