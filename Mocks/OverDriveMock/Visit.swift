import HTTP
import HTTPServer
import JSON
import MockKit

/// One request being served: who asks, for which library, and where links have to lead.
struct Visit {
  let request: MockRequest
  private(set) var library = ""
  /// Set for patron tokens only.
  private(set) var card: String?
  /// When the request came, by the clock of its world.
  private(set) var now = Moment.usualStart

  init(_ request: MockRequest) { self.request = request }

  func answer(_ route: Route, _ state: inout WorldState) -> Response {
    do throws(Failure) {
      switch route {
      case .token: return clientToken(&state)
      case .patronToken: return patronToken(&state)
      case .authorize: return authorize(&state)
      case .content(let stage): return content(stage, &state)
      case .returnLink: return returnByLink(&state)
      case .unknown: throw .notFound
      default: break
      }
      let visit = try admitted(state)
      if let answer = try visit.discovery(route, state) { return answer }
      return try visit.circulation(route, &state)
    } catch {
      return error.response(&state)
    }
  }

  /// Either kind of token opens discovery; the patron's paths need the patron's.
  private func admitted(_ state: WorldState) throws(Failure) -> Visit {
    guard let text = request.bearer,
      let token = state.tokens.valid(text, as: "patron", at: state.now)
        ?? state.tokens.valid(text, as: "client", at: state.now)
    else { throw .unauthorized }
    var visit = self
    (visit.library, visit.card, visit.now) = (token.library, token.card, state.now)
    return visit
  }

  /// The reader who signed in.
  func reader() throws(Failure) -> String {
    guard let card else {
      throw Failure(.forbidden, "Forbidden", "A patron token is required for this request.")
    }
    return card
  }

  func home(_ state: WorldState) throws(Failure) -> MockLibrary {
    guard let library = state.library(library, of: OverDriveDialect.name) else { throw .notFound }
    return library
  }

  /// Parameter names are read in any case.
  func query(_ name: String) -> String? {
    request.query.fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The `fields` list of a circulation request, by name in lower case.
  var fields: [String: String] {
    var fields: [String: String] = [:]
    for field in request.json?["fields"]?.array ?? [] {
      guard let name = field["name"]?.string else { continue }
      switch field["value"] {
      case .string(let text)?: fields[name.lowercased()] = text
      case .integer(let number)?: fields[name.lowercased()] = String(number)
      case .bool(let flag)?: fields[name.lowercased()] = String(flag)
      default: break
      }
    }
    return fields
  }

  func link(_ path: String, _ type: String = "application/vnd.overdrive.api+json") -> JSONValue {
    ["href": .string(request.base + path), "type": .string(type)]
  }

  func patronLink(_ path: String) -> JSONValue {
    link("/v1/patrons/me" + path, "application/vnd.overdrive.circulation.api+json")
  }

  /// Ids come in either case; the shelves know the lower one.
  static func guid(_ text: String) throws(Failure) -> String {
    let id = text.lowercased()
    let shape = String(id.map { $0 == "-" ? "-" : $0.isHexDigit ? "x" : "?" as Character })
    guard shape == "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx" else { throw .badGUID }
    return id
  }
}
