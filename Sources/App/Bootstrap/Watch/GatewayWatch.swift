import HTTP
import HTTPServer
import Log
import Secrets
import Setup

/// All that is there before the house is open, and outlives its troubles: counters, pulses, and the
/// door that says that it is starting.
final class GatewayWatch: Sendable {
  let configuration: Configuration
  let log: Log
  let meter = Meter()
  let runner = Pulse()
  let readiness = Readiness()
  let reception = Reception()
  let libraries: LibraryMonitor
  let token: Secret?

  init(_ configuration: Configuration, log: Log) throws(ServeError) {
    (self.configuration, self.log) = (configuration, log)
    libraries = LibraryMonitor(configuration, Logger(to: log))
    token = try MetricsRoute.token(configuration.metrics)
    if let token { log.redactor.learn(token) }
  }

  /// Where there is a token and no listener of its own, /metrics answers beside the pages.
  var isBesidePages: Bool { token != nil && configuration.metrics.listen == nil }

  /// Nil where there is none to be.
  func listen(_ metrics: MetricsRoute, _ fitness: Fitness) throws(ServeError) -> Server? {
    guard let text = configuration.metrics.listen else { return nil }
    guard let address = ListenAddress(text) else {
      throw ServeError(.addressRefused, "metrics.listen: '\(text)' is no address of this machine")
    }
    var routes = Router<Void>()
    metrics.add(to: &routes, note: ())
    Probes.add(to: &routes, note: (), fitness: fitness)
    let server = Server(ServerSettings([address], loops: 1), routes.handler)
    do throws(ServerError) { try server.start() } catch { throw ServeError(error) }
    let shown = server.addresses.map { "http://\($0)/metrics" }.joined(separator: " ")
    Logger(to: log).info("monitoring ready", [.pair("address", shown)])
    return server
  }
}
