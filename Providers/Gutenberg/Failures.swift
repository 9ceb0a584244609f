import Circulation
import HTTP
import HTTPClient
import ProviderKit

/// What an answer means that is not what was asked for. There are no error documents: pages for
/// people, some of them with status 200.
enum Failures {
  /// Nil for a document that may be read.
  static func reason(_ reply: Reply, whole: Bool) -> (CirculationError.Reason, String?)? {
    reason(status: reply.status.code, retryAfter: reply.retryAfter, whole: whole)
  }

  /// `whole` is about the catalogue, else about one book.
  static func reason(status: Int, retryAfter: Duration?, whole: Bool)
    -> (CirculationError.Reason, String?)?
  {
    let says = "status \(status)"
    switch status {
    case 200, 206: return nil
    case 404, 410:
      return whole ? (.notConfigured(what: "the address of the feed"), says) : (.titleGone, says)
    // Whole networks are shut out for a day when one program in them was rude.
    case 401, 403: return (.notConfigured(what: "a way in: the site shuts us out"), says)
    case 429, 503: return (.providerBusy(retryAfter: retryAfter), says)
    case 300..<400: return (.malformedResponse(expected: "a document, not a redirect"), says)
    default: return (.providerUnavailable, says)
    }
  }
}
