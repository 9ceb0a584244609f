import Circulation
import FoundationEssentials
import JSON
import ProviderKit

/// An error in the service's words: the table of the README.
struct Complaint: Sendable, Hashable {
  let status: Int?
  /// The reason that stands first; the one word that programs may go by.
  let code: String
  let message: String

  init?(_ json: JSONValue) {
    guard let error = json["error"], error.object != nil else { return nil }
    status = error["code"]?.whole
    let first = error["errors"]?.elements.first
    code = first?["reason"]?.words ?? error["status"]?.words ?? ""
    message = error["message"]?.words ?? first?["message"]?.words ?? ""
  }

  var isQuotaOfTheDay: Bool {
    ["dailyLimitExceeded", "quotaExceeded"].contains(code)
      || status == 429 && message.lowercased().holds("per day")
  }

  func reason(_ answer: Answer) -> CirculationError.Reason {
    if isQuotaOfTheDay {
      return .providerBusy(retryAfter: .seconds(Self.untilMidnight(answer.now)))
    }
    switch code {
    case "keyInvalid", "accessNotConfigured", "API_KEY_INVALID":
      return .notConfigured(what: "a project that may use the interface")
    case "insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT": return .credentialsRejected
    case "userRateLimitExceeded": return .providerBusy(retryAfter: answer.retryAfter)
    case "unknownLocation": return .notConfigured(what: "a country")
    default:
      let status = (200..<300).contains(answer.status) ? self.status ?? 500 : answer.status
      return Self.reason(status, retryAfter: answer.retryAfter)
    }
  }

  static func reason(_ status: Int, retryAfter: Duration?) -> CirculationError.Reason {
    switch status {
    case 200..<400: .malformedResponse(expected: "a document of the service")
    case 400: .notConfigured(what: "a request as the service wants it")
    case 401, 403: .credentialsRejected
    case 404: .titleGone
    case 429, 503: .providerBusy(retryAfter: retryAfter)
    default: .providerUnavailable
    }
  }

  /// Days end at midnight on the Pacific coast; by winter time, which is never too early.
  static func untilMidnight(_ now: Date) -> Int {
    let day = 86_400
    let there = Int(now.timeIntervalSince1970.rounded(.down)) - 8 * 3600
    return day - ((there % day) + day) % day
  }
}
