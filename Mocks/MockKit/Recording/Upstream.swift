import HTTP
import HTTPClient
package import JSON

/// The real service behind a recording: one address, or one for each front of a path, since some
/// vendors have a host for tokens and another for everything else.
package struct Upstream: Sendable {
  private let routes: [(prefix: String, address: Address)]

  /// `"https://api.example"`, or `{"/token": "https://login.example", "/": "https://api.example"}`.
  package init(reading json: JSONValue?) throws(AdminRefusal) {
    let told: [JSONObject.Member] =
      switch json {
      case .string(let text)?: [JSONObject.Member("/", .string(text))]
      case .object(let object)?: object.members
      default: []
      }
    guard !told.isEmpty else { throw AdminRefusal("\"to\" is the address of a real service") }
    var routes: [(prefix: String, address: Address)] = []
    for member in told {
      guard let address = try? Address(member.value.string ?? ""),
        ["http", "https"].contains(address.scheme), address.query == nil, address.fragment == nil,
        member.name.hasPrefix("/")
      else {
        throw AdminRefusal("\"to\" of \(member.name) is no address such as https://api.example")
      }
      routes.append((member.name, address))
    }
    self.routes = routes.sorted { $0.prefix.count > $1.prefix.count }
  }

  /// Nil when no front of a path fits.
  func address(of request: MockRequest) -> Address? {
    guard let route = routes.first(where: { request.target.hasPrefix($0.prefix) }) else {
      return nil
    }
    return try? Address(Self.trimmed(route.address.text) + request.target)
  }

  /// Texts by which answers lead back to the service, longest first.
  var bases: [String] {
    Set(routes.map { Self.trimmed($0.address.text) }).sorted { $0.count > $1.count }
  }

  /// Only where the person who records has pointed to.
  var client: ClientConfiguration {
    var configuration = ClientConfiguration()
    configuration.userAgent = "carrel-mock"
    configuration.timeout = .seconds(60)
    configuration.gate.allowances = routes.compactMap { route in
      route.address.effectivePort.map { .hostAndPort(route.address.host.text, $0) }
    }
    return configuration
  }

  private static func trimmed(_ text: String) -> String {
    text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
