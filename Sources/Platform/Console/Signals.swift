import Glibc
import Synchronization

/// Signals as events on a thread of their own. Inside a handler hardly anything is allowed, so ours
/// only puts the number into a pipe; the thread at its other end may do anything. Blocking the
/// signals and waiting for them was tried: the runtime lets the main thread sleep with every signal
/// unblocked, which then takes them all.
package enum Signals {
  package enum Event: Sendable, Hashable {
    case interrupt
    case terminate
    /// The service manager, or an operator, asks for settings to be read anew.
    case hangup
    /// The time that an earlier answer set has passed.
    case overdue
  }

  /// The end of the pipe that the handler writes to; one for the process, as handlers are.
  private static let door = Atomic<Int32>(-1)

  /// Calls `answer` for each signal from now on; to be called once. What it returns is how long to
  /// wait before the next event is `overdue`; nil waits for ever.
  ///
  /// An interrupt is taken even where the shell had us ignore it, as for a job in the background of
  /// a script: whoever sends one means it.
  package static func watch(
    _ events: [Event], _ answer: @escaping @Sendable (Event) -> Duration?
  ) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return }
    // An editor or pager that we start has no business with it.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    door.store(ends[1], ordering: .sequentiallyConsistent)
    let watch = unsafe Unmanaged.passRetained(Watch(pipe: ends[0], answer: answer))
    var thread = pthread_t()
    let code = unsafe pthread_create(&thread, nil, serve, watch.toOpaque())
    guard code == 0 else {
      unsafe watch.release()
      return
    }
    pthread_detach(thread)
    for number in events.compactMap(number(of:)) { take(number) }
  }

  private static func take(_ number: Int32) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = unsafe write(Signals.door.load(ordering: .sequentiallyConsistent), &byte, 1)
      errno = saved
    }
    action.sa_flags = SA_RESTART
    unsafe sigaction(number, &action, nil)
  }

  private final class Watch: Sendable {
    let pipe: Int32
    let answer: @Sendable (Event) -> Duration?

    init(pipe: Int32, answer: @escaping @Sendable (Event) -> Duration?) {
      (self.pipe, self.answer) = (pipe, answer)
    }
  }

  private static let serve: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
    { context in
      guard let context = unsafe context else { return nil }
      let watch = unsafe Unmanaged<Watch>.fromOpaque(context).takeRetainedValue()
      var patience: Duration?
      while true {
        switch next(from: watch.pipe, patience) {
        case .some(let event): patience = watch.answer(event)
        case nil: continue
        }
      }
    }

  /// Nil when the wait was disturbed for nothing.
  private static func next(from pipe: Int32, _ patience: Duration?) -> Event? {
    let limit = patience.map { milliseconds($0) } ?? -1
    var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&request, 1, limit)
    if count == 0 { return .overdue }
    var byte: UInt8 = 0
    guard count == 1, unsafe read(pipe, &byte, 1) == 1 else { return nil }
    return switch Int32(byte) {
    case SIGTERM: .terminate
    case SIGHUP: .hangup
    default: .interrupt
    }
  }

  private static func milliseconds(_ span: Duration) -> Int32 {
    let parts = span.components
    return Int32(clamping: parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
  }

  private static func number(of event: Event) -> Int32? {
    switch event {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangup: SIGHUP
    case .overdue: nil
    }
  }
}
