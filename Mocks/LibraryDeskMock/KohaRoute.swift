import HTTP
import MockKit

/// What a request asks of Koha, read from method and path alone.
enum KohaRoute: Equatable {
  case token(String)
  case description(String)
  case validation(String)
  case patrons(String)
  case patron(String, Int)
  case account(String, Int)
  case libraries(String)
  case biblios(String)
  case biblio(String, Int)
  case biblioItems(String, Int)
  case items(String)
  case pickups(String, Int)
  case holds(String)
  case place(String)
  case cancel(String, Int)
  case move(String, Int)
  case suspend(String, Int)
  case resume(String, Int)
  case checkouts(String)
  case renew(String, Int)
  case allowance(String, Int)
  case sru(String)
  case unknown(String)

  /// Nil for paths that are none of this system's.
  init?(_ request: MockRequest) {
    let path = request.path
    guard path.count >= 3, path[0] == "koha" else { return nil }
    let library = path[1]
    if path.dropFirst(2) == ["sru"] {
      self = .sru(library)
      return
    }
    guard path.count >= 4, path[2] == "api", path[3] == "v1" else { return nil }
    let rest = Array(path.dropFirst(4).filter { !$0.isEmpty })
    let number = rest.count > 1 ? Int(rest[1]) : nil
    let tail = rest.enumerated().map { $0 == 1 && number != nil ? "#" : $1 }.joined(separator: "/")
    self = Self.route(request.method, tail, number ?? 0, library)
  }

  private static func route(
    _ method: HTTP.Method, _ path: String, _ number: Int, _ library: String
  ) -> KohaRoute {
    switch (method, path) {
    case (.post, "oauth/token"): .token(library)
    case (.get, ""): .description(library)
    case (.post, "auth/password/validation"): .validation(library)
    case (.get, "patrons"): .patrons(library)
    case (.get, "patrons/#"): .patron(library, number)
    case (.get, "patrons/#/account"): .account(library, number)
    case (.get, "libraries"): .libraries(library)
    case (.get, "biblios"): .biblios(library)
    case (.get, "biblios/#"): .biblio(library, number)
    case (.get, "biblios/#/items"): .biblioItems(library, number)
    case (.get, "biblios/#/pickup_locations"): .pickups(library, number)
    case (.get, "items"): .items(library)
    case (.get, "holds"): .holds(library)
    case (.post, "holds"): .place(library)
    case (.delete, "holds/#"): .cancel(library, number)
    case (.put, "holds/#/pickup_location"): .move(library, number)
    case (.post, "holds/#/suspension"): .suspend(library, number)
    case (.delete, "holds/#/suspension"): .resume(library, number)
    case (.get, "checkouts"): .checkouts(library)
    case (.get, "checkouts/#/allows_renewal"): .allowance(library, number)
    case (.post, "checkouts/#/renewal"): .renew(library, number)
    default: .unknown(library)
    }
  }

  var library: String {
    switch self {
    case .token(let id), .description(let id), .validation(let id), .patrons(let id),
      .patron(let id, _), .account(let id, _), .libraries(let id), .biblios(let id),
      .biblio(let id, _), .biblioItems(let id, _), .items(let id), .pickups(let id, _),
      .holds(let id), .place(let id), .cancel(let id, _), .move(let id, _), .suspend(let id, _),
      .resume(let id, _), .checkouts(let id), .renew(let id, _), .allowance(let id, _),
      .sru(let id),
      .unknown(let id):
      id
    }
  }

  var operation: String { String("\(self)".prefix { $0 != "(" }) }
}
