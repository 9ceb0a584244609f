import Synchronization

/// The server: loops that share the listening addresses, and the order in which they stop.
package final class Server: Sendable {
  private struct State {
    var loops: [Loop] = []
    var addresses: [ListenAddress] = []
    var running = 0
    var hasStarted = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let settings: ServerSettings
  private let site: Site
  private let state = Mutex(State())

  package init(_ settings: ServerSettings, _ handler: Handler) {
    self.settings = settings
    site = Site(settings, handler)
  }

  /// Listens on every address before it answers on any, so that a start fails as a whole.
  package func start() throws(ServerError) {
    let isFirst = state.withLock { state in
      defer { state.hasStarted = true }
      return !state.hasStarted
    }
    guard isFirst else { throw .alreadyStarted }
    do throws(ServerError) {
      try open()
    } catch {
      state.withLock { $0.hasStarted = false }
      throw error
    }
    settings.readiness.become(.ready)
  }

  private func open() throws(ServerError) {
    let count = max(settings.loops, 1)
    var shares: [[ListeningSocket]] = []
    for address in settings.addresses {
      shares.append(try ListeningSocket.open(address, for: count))
    }
    var loops: [Loop] = []
    for index in 0..<count {
      loops.append(try Loop(site, shares.map { $0[index % $0.count] }))
    }
    let (made, addresses) = (loops, shares.map { $0[0].address })
    state.withLock { state in
      (state.loops, state.running) = (made, made.count)
      state.addresses = addresses
    }
    for loop in loops { loop.crew = loops }
    for loop in loops { loop.start { [weak self] in self?.loopEnded() } }
  }

  /// With the ports the system has chosen, in the order of the settings.
  package var addresses: [ListenAddress] { state.withLock { $0.addresses } }

  /// What answers under way are given by.
  package var openAnswers: OpenAnswers { site.openAnswers }

  package var connections: Int { site.admission.connections }

  package var readiness: Readiness { settings.readiness }

  /// Stops in order: says it is no longer ready, for `notice` still serves whoever comes, then
  /// takes no more clients, closes idle ones at once, lets running requests finish for at most
  /// `patience`, and breaks off the rest.
  package func stop(within patience: Duration = .seconds(20), notice: Duration = .zero) async {
    settings.readiness.become(.draining)
    if notice > .zero { try? await Task.sleep(for: notice) }
    let deadline = Monotonic.now + patience
    for loop in state.withLock({ $0.loops }) { loop.inbox.post { loop.drain(until: deadline) } }
    await withCheckedContinuation { waiting in
      let isOver = state.withLock { state in
        if state.running > 0 { state.waiting.append(waiting) }
        return state.running == 0
      }
      if isOver { waiting.resume() }
    }
  }

  private func loopEnded() {
    let waiting = state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { (state.waiting, state.loops) = ([], []) }
      return state.waiting
    }
    for one in waiting { one.resume() }
  }
}
