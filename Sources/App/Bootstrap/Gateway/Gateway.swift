import Database
import Facade
import FrontDesk
import HTTP
package import HTTPServer
package import Log
package import Setup
import Web

/// The gateway put together from its parts: routes, what lies around them, and how it listens.
package struct Gateway: Sendable {
  package let routes: Router<RouteAccess>
  package let settings: ServerSettings

  private let hash: @Sendable (String) -> String

  package var handler: Handler {
    routes.handler.inLogScope(hash: hash).wrapped(in: [
      .requestID, .headers(Self.headersOfAll), .retryAfter(.seconds(5)),
    ])
  }

  init(
    _ configuration: Configuration, facade: Facade? = nil, lending: LendingStock? = nil,
    lobby: Lobby? = nil, calendar: CalendarRoute? = nil, vendor: VendorRoutes? = nil,
    metrics: MetricsRoute? = nil, settings: ServerSettings, fitness: Fitness,
    identity: GatewayIdentity? = nil, hash: @escaping @Sendable (String) -> String = { _ in "" }
  ) {
    (self.settings, self.hash) = (settings, hash)
    var routes = Router<RouteAccess>(refuse: WebRoutes.refusal)
    Probes.add(to: &routes, note: .open, fitness: fitness, identity: identity)
    metrics?.add(to: &routes, note: .open)
    WebRoutes.addAssets(to: &routes, open: .open)
    if let lobby {
      lobby.add(
        to: &routes,
        .init(open: .open, catalog: .catalog, reader: .reader, operators: .operators))
    } else {
      WebRoutes.addStart(to: &routes, open: .open)
    }
    calendar?.add(to: &routes, open: .open)
    vendor?.add(to: &routes, open: .open)
    if let facade {
      let notes = Facade.Notes<RouteAccess>(open: .open, catalog: .catalog, reader: .reader)
      facade.add(to: &routes, notes)
      if let lending { LendingRoutes(facade, lending).add(to: &routes, notes) }
    }
    self.routes = routes
  }

  /// A page that needs more says so itself. With `no-referrer` browsers would send `Origin: null` with
  /// our own forms, too.
  private static let headersOfAll: Headers = [
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
  ]
}

enum AccessLog {
  /// The route's pattern and not the path: what a reader looks at is nobody's business.
  static func write(_ record: AccessRecord, to logger: Logger) {
    var pairs: [Pair] = [
      .pair("request_id", record.id.description), .pair("status", record.status.code),
      .pair("dur_ms", record.duration),
    ]
    if let route = record.route { pairs.append(.pair("route", route)) }
    if let method = record.head?.method { pairs.append(.pair("method", method.rawValue)) }
    if let hash = record.patronHash { pairs.append(.pair("patron_hash", hash)) }
    if let code = record.errorCode { pairs.append(.pair("error_code", code)) }
    switch record.outcome {
    case .answered: logger.info("request served", pairs)
    case .abandoned: logger.info("client left before the answer", pairs)
    case .refused(let refusal):
      logger.info("request refused", pairs + [.pair("reason", "\(refusal)")])
    }
  }
}
