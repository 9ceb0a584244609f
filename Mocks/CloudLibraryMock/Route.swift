import HTTP
import MockKit

/// What a request asks for, read from method and path alone.
enum Route: Equatable {
  case marc
  case marcRecord(String)
  case items([String])
  case itemData([String])
  case itemSummary([String])
  case isbnSummary([String])
  case circulationItems([String])
  case circulationItem(String)
  case cloudEvents
  case patronCirculation(String)
  case patronCheck(String)
  case itemStatus(String, [String])
  case checkout, checkin, placeHold, cancelHold
  case itemACSM, itemAudioFulfillment
  case unknown

  /// Nil for paths that are not this service's.
  init?(_ request: MockRequest) {
    guard request.path.first == "cirrus" else { return nil }
    let path = Array(request.path.dropFirst(3))
    guard request.path.count > 3, request.path[1] == "library" else {
      self = .unknown
      return
    }
    self =
      request.method == .get || request.method == .head
      ? Route.question(path) : Route.command(request.method, path)
  }

  private static func question(_ path: [String]) -> Route {
    func list(_ index: Int) -> [String] { path[index].split(separator: ",").map(String.init) }
    switch (path[0], path.count > 1 ? path[1] : "", path.count) {
    case ("data", "marc", 2): return .marc
    case ("data", "marc", 3): return .marcRecord(path[2])
    case ("data", "cloudevents", 2): return .cloudEvents
    case ("items", _, 2): return .items(list(1))
    case ("item", "data", 3): return .itemData(list(2))
    case ("item", "summary", 3): return .itemSummary(list(2))
    case ("isbn", "summary", 3): return .isbnSummary(list(2))
    case ("item", "status", 4): return .itemStatus(path[2], list(3))
    case ("circulation", "items", 3): return .circulationItems(list(2))
    case ("circulation", "item", 3): return .circulationItem(path[2])
    case ("circulation", "patron", 3): return .patronCirculation(path[2])
    case ("patron", _, 2): return .patronCheck(path[1])
    default: return .unknown
    }
  }

  /// The service takes either verb.
  private static func command(_ method: Method, _ path: [String]) -> Route {
    guard [.put, .post].contains(method), path.count == 1 else { return .unknown }
    switch path[0] {
    case "checkout": return .checkout
    case "checkin": return .checkin
    case "placehold": return .placeHold
    case "cancelhold": return .cancelHold
    case "GetItemACSM": return .itemACSM
    case "GetItemAudioFulfillment": return .itemAudioFulfillment
    default: return .unknown
    }
  }

  /// The case's name: what faults and the journal call the operation.
  var operation: String { String("\(self)".prefix { $0 != "(" }) }
}
