package import Circulation
package import Desk
package import HTTP
package import Registry

/// Why something was not done, as a problem document: the contract's word for programs, the address
/// that reading apps know (§6), and a sentence.
package enum Refusals {
  /// A library that was asked who somebody is, and did not say: never a word against the card.
  package static func silent(_ silence: LibrarySilence) -> Problem {
    Problem(
      silence.isLate ? .gatewayTimeout : .badGateway,
      code: silence.isLate ? "deadline_exceeded" : "provider_unavailable",
      detail: silence.isLate
        ? "\(silence.library) did not answer in time."
        : "\(silence.library) cannot be reached.",
      remedy: "Your card is as good as before. Try again in a minute.")
  }

  package static func problem(_ error: DeskError, at library: String) -> Problem {
    switch error {
    case .provider(let error): problem(error, at: library)
    case .database: unread("Nothing can be written now.")
    case .attemptEnded(.refused(let code)): problem(code: code, at: library)
    case .attemptEnded(.undoneSince):
      Problem(
        .conflict, code: "undone_since", detail: "This was done, and undone since.",
        remedy: "Open the book again.")
    case .attemptEnded(.neverArrived):
      Problem(
        .conflict, code: "never_arrived", detail: "\(library) never heard of this.",
        remedy: "Open the book again and repeat it.")
    case .attemptEnded(.untold): inDoubt(at: library)
    case .attemptDiffers:
      Problem(
        .unprocessableContent, code: "attempt_differs",
        detail: "This key was used for something else.", remedy: "Send another key.")
    case .unopened:
      Problem(
        .serviceUnavailable, code: "not_configured",
        detail: "The card for \(library) cannot be used just now.",
        remedy: "Tell whoever runs this gateway.")
    }
  }

  /// The gateway's own database does not answer.
  package static func unread(_ detail: String) -> Problem {
    Problem(
      .serviceUnavailable, code: "database_unavailable", detail: detail,
      remedy: "Try again in a minute.")
  }

  package static let unknownTitle = Problem(
    .notFound, code: "unknown_title", detail: "None of your libraries has this title.",
    remedy: "Open the feed again that led here.",
    type: "http://librarysimplified.org/terms/problem/no-licenses")

  /// Nobody knows yet, and nothing may be claimed.
  package static func inDoubt(at library: String) -> Problem {
    Problem(
      .serviceUnavailable, code: "in_doubt",
      detail: "\(library) has not said whether it was done.",
      remedy: "Ask again in a minute: the same address does nothing twice.")
  }

  /// What a library explains stands for our own guess at it.
  package static func problem(_ error: CirculationError, at library: String) -> Problem {
    var problem = problem(error.reason, at: library)
    if let explanation = error.explanation { problem.detail = "\(library): \(explanation)" }
    return problem
  }

  package static func problem(_ reason: CirculationError.Reason, at library: String) -> Problem {
    var problem = problem(code: reason.code, at: library)
    switch reason {
    case .loanLimitReached(let limit?):
      problem.detail = "The card for \(library) has its \(limit) loans."
    case .holdLimitReached(let limit?):
      problem.detail = "The card for \(library) has its \(limit) holds."
    case .providerBusy(let wait?):
      // Sooner than it said it would only be busier.
      let seconds = (min(wait, .seconds(86_400)) / .seconds(1)).rounded(.up)
      problem.retryAfter = max(1, Int(seconds))
    default: break
    }
    return problem
  }

  package static func problem(code: String, at library: String) -> Problem {
    guard let known = table[code] else {
      return Problem(
        .badGateway, code: code, detail: "\(library) did not do it.",
        type: terms + "remote-integration-failed")
    }
    return Problem(
      known.status, code: code,
      detail: known.sentence.replacing("LIBRARY", with: library), remedy: known.remedy,
      type: terms + known.slug)
  }

  /// Seconds after which a problem may have gone away by itself, where nobody said so.
  package static func patience(_ problem: Problem) -> Int? {
    ["in_doubt", "provider_busy", "database_unavailable"].contains(problem.code ?? "") ? 10 : nil
  }

  /// What a later try may change; anything else is settled.
  package static func isPassing(_ problem: Problem) -> Bool {
    problem.status.code >= 500
  }

  private static let terms = "http://librarysimplified.org/terms/problem/"

  private struct Known {
    let status: Status
    let slug: String
    let sentence: String
    let remedy: String

    init(_ status: Status, _ slug: String, _ sentence: String, _ remedy: String) {
      (self.status, self.slug, self.sentence, self.remedy) = (status, slug, sentence, remedy)
    }
  }

  /// A card that the library refuses is no 401: the reader has signed in here, and the app would
  /// ask for, or forget, the wrong password.
  private static let table: [String: Known] = [
    "credentials_rejected": Known(
      .forbidden, "credentials-expired", "LIBRARY refused the card or its PIN.",
      "Sign in to the account again."),
    "account_expired": Known(
      .forbidden, "credentials-expired", "LIBRARY says that the card has expired.",
      "Renew it there."),
    "account_blocked": Known(
      .forbidden, "credentials-suspended", "LIBRARY has blocked the card.",
      "Fees are the usual reason: ask there."),
    "no_copies_available": Known(
      .forbidden, "no-available-license", "All copies at LIBRARY are out.",
      "Open the book again: it offers a hold."),
    "already_borrowed": Known(
      .conflict, "loan-already-exists", "The book is on loan already from LIBRARY.",
      "Look at the shelf."),
    "loan_limit_reached": Known(
      .forbidden, "loan-limit-reached", "The card for LIBRARY has all the loans it may have.",
      "Give something back."),
    "hold_limit_reached": Known(
      .forbidden, "hold-limit-reached", "The card for LIBRARY has all the holds it may have.",
      "Cancel one."),
    "already_on_hold": Known(
      .conflict, "cannot-place-hold", "The book is on hold already at LIBRARY.",
      "Look at the shelf."),
    "not_on_hold": Known(
      .notFound, "hold-not-found", "There is no hold at LIBRARY.", "Look at the shelf."),
    "not_borrowed": Known(
      .notFound, "no-active-loan", "The book is not on loan from LIBRARY.", "Borrow it first."),
    "currently_available": Known(
      .conflict, "cannot-place-hold", "A copy can be borrowed from LIBRARY now.", "Borrow it."),
    "not_renewable": Known(
      .badRequest, "cannot-renew-loan", "LIBRARY does not renew it now.",
      "Try again nearer to its end."),
    "not_holdable": Known(
      .forbidden, "holds-not-allowed", "LIBRARY lets nobody, or not this card, wait for the book.",
      "Ask there."),
    "branch_refused": Known(
      .badRequest, "cannot-place-hold", "LIBRARY does not put the book aside there.",
      "Choose another branch."),
    "title_gone": Known(
      .notFound, "not-found-on-remote", "LIBRARY no longer has the book.", "Try another library."),
    "format_unavailable": Known(
      .notFound, "no-acceptable-format", "LIBRARY does not have it in this form.",
      "Choose another form."),
    "no_licenses": Known(
      .notFound, "no-licenses", "LIBRARY does not own the book.", "Try another library."),
    "unsupported": Known(
      .forbidden, "forbidden-by-policy", "LIBRARY does not do this over the network.",
      "Use the library's own page."),
    "provider_busy": Known(
      .serviceUnavailable, "remote-integration-failed", "LIBRARY is busy.", "Try again in a minute."
    ),
    "provider_unavailable": Known(
      .badGateway, "remote-integration-failed", "LIBRARY does not answer properly.",
      "Try again later."),
    "malformed_response": Known(
      .badGateway, "remote-integration-failed", "LIBRARY's answer makes no sense.",
      "Try again later."),
    "network_failure": Known(
      .badGateway, "remote-integration-failed", "LIBRARY cannot be reached.", "Try again later."),
    "deadline_exceeded": Known(
      .gatewayTimeout, "remote-integration-failed", "LIBRARY did not answer in time.",
      "Try again later."),
    "cancelled": Known(
      .serviceUnavailable, "remote-integration-failed", "It was called off.", "Try again."),
    "not_configured": Known(
      .serviceUnavailable, "remote-integration-failed", "LIBRARY is not set up rightly here.",
      "Tell whoever runs this gateway."),
  ]
}
