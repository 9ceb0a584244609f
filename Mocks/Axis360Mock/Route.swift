import HTTP
import MockKit

/// What a request asks for, read from method and path alone. The real service takes any case.
enum Route: Equatable {
  case token, inventory, availability, availabilityByForm
  case checkout, checkIn, checkInByTransaction
  case addToHold([String])
  case removeHold([String])
  case suspendHold([String])
  case activateHold([String])
  case getHolds(String)
  case fulfilmentInfo, audiobookMetadata
  case download, acsm
  case licence([String])
  case content(String)
  case unknown

  /// Nil for paths that are none of these hosts'.
  init?(_ request: MockRequest) {
    let words = request.path.map { $0.lowercased() }
    let isGet = request.method == .get || request.method == .head
    switch words.first {
    case "services" where words.count > 2 && words[1] == "vendorapi":
      self = Route.vendor(
        words[2], Array(request.path.dropFirst(words.count > 3 ? 4 : 3)),
        version: words.count > 3 ? words[3] : "", isGet, isPost: request.method == .post)
    case "fulfillment" where words.last == "urllink.acsm": self = isGet ? .acsm : .unknown
    case "axisnow" where words.count == 8 && words[1] == "license":
      self = .licence(Array(request.path.dropFirst(2)))
    case "axisnow" where words.count == 4 && words[1] == "content": self = .content(words[3])
    default: return nil
    }
  }

  private static func vendor(
    _ name: String, _ rest: [String], version: String, _ isGet: Bool, isPost: Bool
  ) -> Route {
    switch (name, version) {
    case ("accesstoken", ""): isPost ? .token : .unknown
    case ("titlelicense", "v3"): isGet ? .inventory : .unknown
    case ("availability", "v2"): isGet ? .availability : .unknown
    case ("availability", "v3_1"): isPost ? .availabilityByForm : .unknown
    case ("checkout", "v2"): isPost ? .checkout : .unknown
    case ("earlycheckintitle", "v3"): isGet ? .checkIn : .unknown
    case ("earlycheckin", "v2"): isGet ? .checkInByTransaction : .unknown
    case ("addtohold", "v2"): isGet ? .addToHold(rest) : .unknown
    case ("removehold", "v2"): isGet ? .removeHold(rest) : .unknown
    case ("suspendhold", "v2"): isGet && rest.count == 2 ? .suspendHold(rest) : .unknown
    case ("activatehold", "v2"): isGet && rest.count == 2 ? .activateHold(rest) : .unknown
    case ("getholds", _): isGet && !version.isEmpty ? .getHolds(version) : .unknown
    case ("getfullfillmentinfo", "v2"): isPost ? .fulfilmentInfo : .unknown
    case ("getaudiobookmetadata", "v2"): isPost ? .audiobookMetadata : .unknown
    case ("getaxisdownload", "v2"): isGet ? .download : .unknown
    default: .unknown
    }
  }

  /// The case's name: what faults and the journal call the operation.
  var operation: String {
    let text = "\(self)"
    return String(text.prefix { $0 != "(" })
  }

  /// How the verdict is written on this route.
  var shape: Verdict.Shape {
    switch self {
    case .checkout: .xml(root: "checkoutResponse", result: "checkoutResult")
    case .checkIn, .checkInByTransaction:
      .xml(root: "EarlyCheckinRestResponse", result: "EarlyCheckinRestResult")
    case .addToHold: .xml(root: "addtoholdResponse", result: "addtoholdResult")
    case .removeHold: .xml(root: "removeholdResponse", result: "removeholdResult")
    case .suspendHold, .activateHold: .xml(root: "HoldResponse", result: "HoldResult")
    case .getHolds: .xml(root: "getHoldsResponse", result: "getHoldsResult")
    case .inventory: .json(name: "status")
    case .token, .fulfilmentInfo, .audiobookMetadata: .json(name: "Status")
    default: .xml(root: "availabilityResponse", result: nil)
    }
  }
}
