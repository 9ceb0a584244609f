import CCurl
import Glibc
import Synchronization

/// Something the engine drives to its end. After `submit` it is touched on the engine's thread
/// only, except for what it guards itself.
protocol Work: AnyObject, Sendable {
  var id: UInt64 { get }
  /// Makes the handle, ready to be driven.
  func prepare() throws(TransportError) -> EasyHandle
  /// When `lapse` wants to be asked again, at the latest; nil for never. What happens meanwhile
  /// may make it later, never earlier.
  var due: ContinuousClock.Instant? { get }
  /// The time-out that has struck, if one has.
  func lapse(at now: ContinuousClock.Instant) -> TransportError?
  /// Asked before the engine takes an unfinished transfer away. True when it must not be: the work
  /// will make libcurl fail it within the next round.
  func breaksOffItself(with error: TransportError) -> Bool
  /// Called once. The handle has left the engine already; a broken off transfer's socket is shut.
  func end(_ ending: Ending)
}

enum Ending {
  case done(CURLcode)
  case broken(TransportError)
}

/// The one thread that does all network I/O of a client, on libcurl's multi interface: the pool of
/// connections lives in the multi handle, so nothing but this thread may touch it. Other threads
/// leave orders in the inbox and wake it.
@safe final class Engine: Sendable {
  struct Limits {
    var perHost: Int
    var inAll: Int
    var idle: Int
  }

  private struct Inbox {
    var starting: [any Work] = []
    var cancelled: [UInt64] = []
    var isStopping = false
    /// False once the thread has left its loop: then the multi handle is gone.
    var isRunning = true
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
  }

  private let name: String
  private let inbox = Mutex(Inbox())
  /// Made before and freed by the thread; others only wake it, under the inbox's lock while
  /// `isRunning` says that it is there.
  private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  /// Nil when the system gives neither memory nor a thread.
  init?(name: String, limits: Limits) {
    guard Engine.isLibraryReady, let multi = unsafe curl_multi_init() else { return nil }
    self.name = name
    unsafe self.multi = multi
    unsafe door_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.perHost)
    unsafe door_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.inAll)
    unsafe door_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limits.idle)
    guard startThread() else {
      unsafe curl_multi_cleanup(multi)
      return nil
    }
  }

  /// libcurl asks for this once per process.
  private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private static let lastID = Atomic<UInt64>(0)

  static func nextID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

  func submit(_ work: any Work) {
    let isTaken = inbox.withLock { inbox in
      guard inbox.isRunning, !inbox.isStopping else { return false }
      inbox.starting.append(work)
      wake()
      return true
    }
    if !isTaken { work.end(.broken(.stopped)) }
  }

  /// Of no effect when the work has ended meanwhile.
  func cancel(_ id: UInt64) {
    inbox.withLock { inbox in
      guard inbox.isRunning else { return }
      inbox.cancelled.append(id)
      wake()
    }
  }

  /// Ends everything under way; new work is refused from here on.
  func stop() {
    inbox.withLock { inbox in
      guard inbox.isRunning else { return }
      inbox.isStopping = true
      wake()
    }
  }

  /// Stops, and returns when all sockets are closed.
  func stopped() async {
    stop()
    await withCheckedContinuation { continuation in
      let isOver = inbox.withLock { inbox in
        if inbox.isRunning { inbox.waitingForEnd.append(continuation) }
        return !inbox.isRunning
      }
      if isOver { continuation.resume() }
    }
  }

  private func wake() { unsafe curl_multi_wakeup(multi) }

  // MARK: - The thread

  private func startThread() -> Bool {
    var thread = pthread_t()
    let engine = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Engine>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, engine.toOpaque())
    guard code == 0 else {
      unsafe engine.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private func run() {
    unsafe door_name_thread(name)
    var live = Live()
    while let orders = takeOrders() {
      for work in orders.starting { begin(work, &live) }
      for id in orders.cancelled { breakOff(id, .cancelled, &live) }
      var running: Int32 = 0
      let code = withoutBrokenPipes { unsafe curl_multi_perform(multi, &running) }
      if code != CURLM_OK {
        // Out of memory, as good as always: no transfer can be trusted to go on.
        let cause = unsafe Cause(
          code: Int(code.rawValue), phrase: String(cString: curl_multi_strerror(code)))
        for id in live.work.keys { finish(id, .broken(.other(cause)), &live) }
      }
      collectDone(&live)
      breakOffOverdue(&live)
      unsafe curl_multi_poll(multi, nil, 0, live.wait, nil)
    }
    leave(&live)
    // Nobody wakes the handle any more once `isRunning` is false.
    let (late, waiting) = inbox.withLock { inbox in
      inbox.isRunning = false
      _ = withoutBrokenPipes { unsafe curl_multi_cleanup(multi) }
      return (inbox.starting, inbox.waitingForEnd)
    }
    for work in late { work.end(.broken(.stopped)) }
    for continuation in waiting { continuation.resume() }
  }

  private struct Orders {
    let starting: [any Work]
    let cancelled: [UInt64]
  }

  /// Nil when it is time to stop.
  private func takeOrders() -> Orders? {
    inbox.withLock { inbox in
      guard !inbox.isStopping else { return nil }
      let orders = Orders(starting: inbox.starting, cancelled: inbox.cancelled)
      inbox.starting = []
      inbox.cancelled = []
      return orders
    }
  }

  private func begin(_ work: any Work, _ live: inout Live) {
    do throws(TransportError) {
      let handle = try work.prepare()
      // The identifier and not the object: a message never leads to freed memory.
      handle.note(
        unsafe door_set_pointer(
          handle.pointer, CURLOPT_PRIVATE, UnsafeMutableRawPointer(bitPattern: UInt(work.id))))
      guard handle.fault == CURLE_OK else { throw TransportError.other(Cause(handle.fault)) }
      guard unsafe curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
        throw TransportError.other(Cause(CURLE_OUT_OF_MEMORY))
      }
      live.work[work.id] = (work, handle)
      live.note(due: work.due)
    } catch {
      work.end(.broken(error))
    }
  }

  private func breakOff(_ id: UInt64, _ error: TransportError, _ live: inout Live) {
    guard let (work, _) = live.work[id] else { return }
    if work.breaksOffItself(with: error) {
      live.note(due: .now)
    } else {
      finish(id, .broken(error), &live)
    }
  }

  /// Breaks off everything, with one more round for what does that itself.
  private func leave(_ live: inout Live) {
    for id in live.work.keys { breakOff(id, .stopped, &live) }
    var running: Int32 = 0
    _ = withoutBrokenPipes { unsafe curl_multi_perform(multi, &running) }
    collectDone(&live)
    for id in live.work.keys { finish(id, .broken(.stopped), &live) }
  }

  private func finish(_ id: UInt64, _ ending: Ending, _ live: inout Live) {
    guard let (work, handle) = live.work.removeValue(forKey: id) else { return }
    _ = withoutBrokenPipes { unsafe curl_multi_remove_handle(multi, handle.pointer) }
    work.end(ending)
  }

  private func collectDone(_ live: inout Live) {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
      let result = unsafe door_message_result(message)
      let id = UInt64(UInt(bitPattern: unsafe door_private(message.pointee.easy_handle)))
      finish(id, .done(result), &live)
    }
  }

  private func breakOffOverdue(_ live: inout Live) {
    let now = ContinuousClock.now
    guard let next = live.nextDue, next <= now else { return }
    live.nextDue = nil
    for (id, (work, _)) in live.work {
      if let error = work.lapse(at: now) {
        breakOff(id, error, &live)
      } else {
        live.note(due: work.due)
      }
    }
  }

  /// What the thread has in hand.
  private struct Live {
    var work: [UInt64: (any Work, EasyHandle)] = [:]
    /// Not later than the earliest due time of all work; looking too early is harmless.
    var nextDue: ContinuousClock.Instant?

    mutating func note(due: ContinuousClock.Instant?) {
      guard let due else { return }
      nextDue = min(nextDue ?? due, due)
    }

    /// Milliseconds to sleep; libcurl shortens it to its own timers.
    var wait: Int32 {
      guard let nextDue else { return 60_000 }
      let left = nextDue - ContinuousClock.now
      return left <= .zero ? 0 : Int32(min(left.wholeMilliseconds, 60_000))
    }
  }
}
