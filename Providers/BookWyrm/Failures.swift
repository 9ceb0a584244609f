import Circulation
import ProviderKit

/// What statuses mean to us: the table of the README. Pages that are missing are told in the reader's
/// own tongue, so only the status says anything.
enum Failures {
  enum Thing: Sendable { case profile, shelf }

  static let nobody = CirculationError.Reason.notConfigured(
    what: "the address of a profile or shelf that everybody may see")
  static let closed = CirculationError.Reason.notConfigured(
    what: "an instance that shows public shelves to programs")
  /// Nothing tells how long it wants to be left alone.
  private static let pause = Duration.seconds(60)

  /// Nil for an answer that can be read.
  static func reason(_ answer: Answer, _ thing: Thing) -> CirculationError.Reason? {
    switch answer.status {
    case 200..<300: nil
    case 300..<400: .malformedResponse(expected: "an answer, not a redirect")
    case 401, 403: closed
    case 404, 410: thing == .profile ? nobody : .titleGone
    case 400, 406, 422: .notConfigured(what: "a request as the instance wants it")
    case 429: .providerBusy(retryAfter: answer.retryAfter ?? pause)
    case 503 where answer.retryAfter != nil: .providerBusy(retryAfter: answer.retryAfter)
    default: .providerUnavailable
    }
  }

  static func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, status: Int
  ) -> CirculationError {
    var explanation: String?
    if reason == nobody {
      explanation =
        "No such profile or shelf is public there. Look at the address, and at who may "
        + "see the shelf."
    } else if reason == closed {
      explanation =
        "This instance shows its shelves to other instances only, and not to programs."
    }
    return CirculationError(
      reason, from: BookWyrmProvider.listing.id, during: operation, providerSays: "HTTP \(status)",
      explanation: explanation)
  }
}
