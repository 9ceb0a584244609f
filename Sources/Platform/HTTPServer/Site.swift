/// What all connections of a server share and never change.
final class Site: Sendable {
  let handler: Handler
  let limits: Limits
  let timeouts: Timeouts
  let policy: ProxyPolicy
  let admission: Admission
  let openAnswers = OpenAnswers()
  let observe: (@Sendable (AccessRecord) -> Void)?

  init(_ settings: ServerSettings, _ handler: Handler) {
    self.handler = handler
    (limits, timeouts, policy) = (settings.limits, settings.timeouts, settings.proxies)
    admission = Admission(settings.limits, settings.proxies)
    observe = settings.observe
  }
}

/// How a server is set up. Read once, when it starts.
package struct ServerSettings: Sendable {
  package var addresses: [ListenAddress]
  /// Threads that read and write; each has a share of the connections.
  package var loops: Int
  package var limits = Limits()
  package var timeouts = Timeouts()
  package var proxies = ProxyPolicy()
  /// Becomes draining when the server stops. Give it to whoever answers `/readyz`.
  package var readiness = Readiness()
  /// Called on a loop's thread for every answer; it must not block.
  package var observe: (@Sendable (AccessRecord) -> Void)?

  package init(_ addresses: [ListenAddress], loops: Int = 2) {
    (self.addresses, self.loops) = (addresses, loops)
  }
}
