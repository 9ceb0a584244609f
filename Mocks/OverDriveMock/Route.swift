import HTTP
import MockKit

/// What a request asks for, read from method and path alone.
enum Route: Equatable {
  case token, patronToken, authorize
  case library(String)
  case advantageAccounts(String)
  case advantageAccount(String, String)
  case products(String)
  case product(String, String)
  case issues(String, String)
  case metadata(String, String)
  case bulkMetadata(String)
  case availability(version: Int, String, String)
  case bulkAvailability(String)
  case patron, editLendingPeriod
  case checkouts, checkOut
  case checkout(String)
  case earlyReturn(String)
  case formats(String)
  case lockFormat(String)
  case format(String, String)
  case downloadLink(String, String)
  case downloadRedirect(String)
  case holds, placeHold
  case hold(String)
  case editHold(String)
  case removeHold(String)
  case suspend(String)
  case editSuspension(String)
  case releaseSuspension(String)
  case content(stage: String)
  case returnLink
  case unknown

  /// Nil for paths that are none of OverDrive's hosts'.
  init?(_ request: MockRequest) {
    let isGet = request.method == .get || request.method == .head
    let isPost = request.method == .post
    switch request.path.first {
    case "token" where request.path.count == 1: self = isPost ? .token : .unknown
    case "patrontoken" where request.path.count == 1: self = isPost ? .patronToken : .unknown
    case "auth" where request.path.count == 1: self = isGet || isPost ? .authorize : .unknown
    case "content", "fulfill", "cdn": self = .content(stage: request.path[0])
    case "earlyreturn": self = .returnLink
    case "v1", "v2":
      let version = request.path[0] == "v2" ? 2 : 1
      let rest = Array(request.path.dropFirst())
      if rest.first == "patrons" {
        self = Route.patrons(request.method, Array(rest.dropFirst()))
      } else {
        self = isGet ? Route.discovery(version, rest) : .unknown
      }
    default: return nil
    }
  }

  private static func discovery(_ version: Int, _ path: [String]) -> Route {
    let words = path.map { $0.lowercased() }
    switch (words.first, words.count) {
    case ("libraries", 2): return .library(path[1])
    case ("libraries", 3) where words[2] == "advantageaccounts": return .advantageAccounts(path[1])
    case ("libraries", 4) where words[2] == "advantageaccounts":
      return .advantageAccount(path[1], path[3])
    case ("collections", 3) where words[2] == "products": return .products(path[1])
    case ("collections", 3) where words[2] == "bulkmetadata": return .bulkMetadata(path[1])
    case ("collections", 3) where words[2] == "availability": return .bulkAvailability(path[1])
    case ("collections", 4) where words[2] == "products": return .product(path[1], path[3])
    case ("collections", 5) where words[2] == "products":
      switch words[4] {
      case "metadata": return .metadata(path[1], path[3])
      case "availability": return .availability(version: version, path[1], path[3])
      case "issues": return .issues(path[1], path[3])
      default: return .unknown
      }
    default: return .unknown
    }
  }

  private static func patrons(_ method: Method, _ path: [String]) -> Route {
    guard path.first == "me" else { return .unknown }
    let words = path.map { $0.lowercased() }
    switch (method, words.count > 1 ? words[1] : "", words.count) {
    case (.get, "", 1): return .patron
    case (.put, "", 1): return .editLendingPeriod
    case (.get, "checkouts", 2): return .checkouts
    case (.post, "checkouts", 2): return .checkOut
    case (.get, "checkouts", 3): return .checkout(path[2])
    case (.delete, "checkouts", 3): return .earlyReturn(path[2])
    case (.get, "checkouts", 4) where words[3] == "formats": return .formats(path[2])
    case (.post, "checkouts", 4) where words[3] == "formats": return .lockFormat(path[2])
    case (.get, "checkouts", 5) where words[4] == "downloadredirect":
      return .downloadRedirect(path[2])
    case (.get, "checkouts", 5): return .format(path[2], words[4])
    case (.get, "checkouts", 6) where words[5] == "downloadlink":
      return .downloadLink(path[2], words[4])
    case (.get, "holds", 2): return .holds
    case (.post, "holds", 2): return .placeHold
    case (.get, "holds", 3): return .hold(path[2])
    case (.put, "holds", 3): return .editHold(path[2])
    case (.delete, "holds", 3): return .removeHold(path[2])
    case (.post, "holds", 4): return .suspend(path[2])
    case (.put, "holds", 4): return .editSuspension(path[2])
    case (.delete, "holds", 4): return .releaseSuspension(path[2])
    default: return .unknown
    }
  }

  /// The case's name: what faults and the journal call the operation.
  var operation: String {
    let text = "\(self)"
    return String(text.prefix { $0 != "(" })
  }

  /// Opened by the reader's browser or download program, not by a partner.
  var isForBrowsers: Bool {
    switch self {
    case .authorize, .content, .returnLink: true
    default: false
    }
  }
}
