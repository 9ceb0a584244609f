import Glibc

/// Signals as events on a thread of their own. Inside a signal handler hardly anything is allowed;
/// on a thread that waits for signals everything is.
package enum Signals {
  package enum Event: Sendable, Hashable {
    case interrupt
    case terminate
    case hangup
    /// The time that an earlier answer set has passed.
    case overdue
  }

  /// Calls `answer` for each signal from now on. What it returns is how long to wait before the
  /// next event is `overdue`; nil waits for ever. Call it early: threads that are already running
  /// would still be hit by the default action.
  package static func watch(
    _ events: [Event], _ answer: @escaping @Sendable (Event) -> Duration?
  ) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for event in events {
      if let number = number(of: event) { unsafe sigaddset(&set, number) }
    }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    let watch = unsafe Unmanaged.passRetained(Watch(set: set, answer: answer))
    var thread = pthread_t()
    let code = unsafe pthread_create(&thread, nil, serve, watch.toOpaque())
    if code == 0 {
      pthread_detach(thread)
    } else {
      unsafe watch.release()
      unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
  }

  private final class Watch: Sendable {
    let set: sigset_t
    let answer: @Sendable (Event) -> Duration?

    init(set: sigset_t, answer: @escaping @Sendable (Event) -> Duration?) {
      (self.set, self.answer) = (set, answer)
    }
  }

  private static let serve: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
    { context in
      guard let context = unsafe context else { return nil }
      let watch = unsafe Unmanaged<Watch>.fromOpaque(context).takeRetainedValue()
      var set = watch.set
      var patience: Duration?
      while true {
        let number = wait(for: &set, patience)
        if number == -1, errno == EINTR { continue }
        patience = watch.answer(number == -1 ? .overdue : event(of: number))
      }
    }

  private static func wait(for set: inout sigset_t, _ patience: Duration?) -> Int32 {
    guard let patience else { return unsafe sigwaitinfo(&set, nil) }
    let parts = patience.components
    var time = timespec(
      tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    return unsafe sigtimedwait(&set, nil, &time)
  }

  private static func number(of event: Event) -> Int32? {
    switch event {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangup: SIGHUP
    case .overdue: nil
    }
  }

  private static func event(of number: Int32) -> Event {
    switch number {
    case SIGTERM: .terminate
    case SIGHUP: .hangup
    default: .interrupt
    }
  }
}
