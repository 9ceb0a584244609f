import Circulation
import ProviderKit

/// What statuses and words mean to us: the table of the README.
enum Failures {
  static let key = CirculationError.Reason.notConfigured(
    what: "a developer key that the service takes")
  private static let request = CirculationError.Reason.notConfigured(
    what: "a request as the service wants it")
  /// What keeps programs out lets nobody in who knocks again soon.
  static let wall = Duration.seconds(900)

  static func reason(
    status: Int, _ said: String, isPage: Bool, leadsTo location: String?, retryAfter: Duration?
  ) -> CirculationError.Reason {
    let words = said.lowercased()
    switch status {
    case 200..<300 where isPage && asksToSignIn(words): return .credentialsRejected
    case 200..<300: return .malformedResponse(expected: "a document of the service")
    case 300..<400 where asksToSignIn((location ?? "").lowercased()):
      return .credentialsRejected
    case 300..<400: return .malformedResponse(expected: "an answer, not a redirect")
    case 401 where words.holds("api key") || words.holds("developer key"): return key
    case 401: return .credentialsRejected
    case 403 where isPage, 503 where isPage, 999:
      return .providerBusy(retryAfter: retryAfter ?? wall)
    case 403: return .credentialsRejected
    // Paths that are gone have a page for people, and what is torn says nothing of any book.
    case 404 where !isPage && (words.holds("not found") || words.holds("no book")):
      return missing(words)
    case 404: return .malformedResponse(expected: "a word on what was not found")
    case 400, 422: return request
    case 429, 503: return .providerBusy(retryAfter: retryAfter)
    default: return .providerUnavailable
    }
  }

  /// Of words under a status that says that all went well.
  static func reason(_ said: String, during operation: Circulation.Operation)
    -> CirculationError.Reason
  {
    let words = said.lowercased()
    if words.holds("not found") { return missing(words) }
    if words.holds("api key") { return key }
    if words.holds("private") || words.holds("not authorized") || words.holds("sign in") {
      return .credentialsRejected
    }
    return .providerUnavailable
  }

  private static func missing(_ words: String) -> CirculationError.Reason {
    words.holds("user not found") ? .credentialsRejected : .titleGone
  }

  private static func asksToSignIn(_ words: String) -> Bool {
    words.holds("sign in") || words.holds("sign_in") || words.holds("log in")
  }
}
