package import Circulation
package import Desk
package import HTTP
import Phrasebook
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
        ? said("\(silence.library) did not answer in time.")
        : said("\(silence.library) cannot be reached."),
      remedy: said("Your card is as good as before. Try again in a minute."))
  }

  /// Nothing was wrong with what was sent.
  package static var busy: Problem {
    Problem(
      .serviceUnavailable, code: "sign_in_busy",
      detail: said("Many are signing in at this moment."), remedy: said("Try again in a moment."),
      retryAfter: 1)
  }

  package static func problem(_ error: DeskError, at library: String) -> Problem {
    switch error {
    case .provider(let error): problem(error, at: library)
    case .database: unread(said("Nothing can be written now."))
    case .attemptEnded(.refused(let code)): problem(code: code, at: library)
    case .attemptEnded(.undoneSince):
      Problem(
        .conflict, code: "undone_since", detail: said("This was done, and undone since."),
        remedy: said("Open the book again."))
    case .attemptEnded(.neverArrived):
      Problem(
        .conflict, code: "never_arrived", detail: said("\(library) never heard of this."),
        remedy: said("Open the book again and repeat it."))
    case .attemptEnded(.untold): inDoubt(at: library)
    case .attemptDiffers:
      Problem(
        .unprocessableContent, code: "attempt_differs",
        detail: said("This key was used for something else."), remedy: said("Send another key."))
    case .unlinked:
      Problem(
        .notFound, code: "unknown_account",
        detail: said("The card for \(library) is not linked here any more."),
        remedy: said(
          "Look at \(library) itself whether it was done. To go on here, link the card once more."))
    case .unopened:
      Problem(
        .serviceUnavailable, code: "not_configured",
        detail: said("The card for \(library) cannot be used just now."),
        remedy: said("Tell whoever runs this gateway."))
    }
  }

  /// The gateway's own database does not answer.
  package static func unread(_ detail: String) -> Problem {
    Problem(
      .serviceUnavailable, code: "database_unavailable", detail: detail,
      remedy: said("Try again in a minute."))
  }

  package static var unknownTitle: Problem {
    Problem(
      .notFound, code: "unknown_title", detail: said("None of your libraries has this title."),
      remedy: said("Search for it, or go back to where you came from."), type: terms + "no-licenses"
    )
  }

  /// Nobody knows yet, and nothing may be claimed.
  package static func inDoubt(at library: String) -> Problem {
    Problem(
      .serviceUnavailable, code: "in_doubt",
      detail: said("\(library) has not said whether it was done."),
      remedy: said("Ask again in a minute: the same address does nothing twice."))
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
      problem.detail = said("The card for \(library) has its \(limit) loans.")
    case .holdLimitReached(let limit?):
      problem.detail = said("The card for \(library) has its \(limit) holds.")
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
        .badGateway, code: code, detail: said("\(library) did not do it."),
        type: terms + "remote-integration-failed")
    }
    return Problem(
      known.status, code: code,
      detail: said(known: known.sentence).replacing("LIBRARY", with: library),
      remedy: said(known: known.remedy),
      type: terms + known.slug)
  }

  /// Seconds after which a problem may have gone away by itself, where nobody said so.
  package static func patience(_ problem: Problem) -> Int? {
    switch problem.code {
    // Most of what is unconfirmed is known that soon (`Desk.accountsToSettle`).
    case "in_doubt": 3
    case "provider_busy", "database_unavailable": 10
    default: nil
    }
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
      .forbidden, "credentials-expired", phrase("LIBRARY refused the card or its PIN."),
      phrase("Sign in to the account again.")),
    "account_expired": Known(
      .forbidden, "credentials-expired", phrase("LIBRARY says that the card has expired."),
      phrase("Renew it there.")),
    "account_blocked": Known(
      .forbidden, "credentials-suspended", phrase("LIBRARY has blocked the card."),
      phrase("Fees are the usual reason: ask there.")),
    "no_copies_available": Known(
      .forbidden, "no-available-license", phrase("All copies at LIBRARY are out."),
      phrase("Open the book again: it offers a hold.")),
    "already_borrowed": Known(
      .conflict, "loan-already-exists", phrase("The book is on loan already from LIBRARY."),
      phrase("Look at the shelf.")),
    "loan_limit_reached": Known(
      .forbidden, "loan-limit-reached",
      phrase("The card for LIBRARY has all the loans it may have."),
      phrase("Give something back.")),
    "hold_limit_reached": Known(
      .forbidden, "hold-limit-reached",
      phrase("The card for LIBRARY has all the holds it may have."),
      phrase("Cancel one.")),
    "already_on_hold": Known(
      .conflict, "cannot-place-hold", phrase("The book is on hold already at LIBRARY."),
      phrase("Look at the shelf.")),
    "not_on_hold": Known(
      .notFound, "hold-not-found", phrase("There is no hold at LIBRARY."),
      phrase("Look at the shelf.")),
    "not_borrowed": Known(
      .notFound, "no-active-loan", phrase("The book is not on loan from LIBRARY."),
      phrase("Borrow it first.")),
    "currently_available": Known(
      .conflict, "cannot-place-hold", phrase("A copy can be borrowed from LIBRARY now."),
      phrase("Borrow it.")),
    "not_renewable": Known(
      .badRequest, "cannot-renew-loan", phrase("LIBRARY does not renew it now."),
      phrase("Try again nearer to its end.")),
    "not_holdable": Known(
      .forbidden, "holds-not-allowed",
      phrase("LIBRARY lets nobody, or not this card, wait for the book."),
      phrase("Ask there.")),
    "branch_refused": Known(
      .badRequest, "cannot-place-hold", phrase("LIBRARY does not put the book aside there."),
      phrase("Choose another branch.")),
    "title_gone": Known(
      .notFound, "not-found-on-remote", phrase("LIBRARY no longer has the book."),
      phrase("Try another library.")),
    "format_unavailable": Known(
      .notFound, "no-acceptable-format", phrase("LIBRARY does not have it in this form."),
      phrase("Choose another form.")),
    "no_licenses": Known(
      .notFound, "no-licenses", phrase("LIBRARY does not own the book."),
      phrase("Try another library.")),
    "unsupported": Known(
      .forbidden, "forbidden-by-policy", phrase("LIBRARY does not do this over the network."),
      phrase("Use the library's own page.")),
    "provider_busy": Known(
      .serviceUnavailable, "remote-integration-failed", phrase("LIBRARY is busy."),
      phrase("Try again in a minute.")),
    "provider_unavailable": Known(
      .badGateway, "remote-integration-failed", phrase("LIBRARY does not answer properly."),
      phrase("Try again later.")),
    "malformed_response": Known(
      .badGateway, "remote-integration-failed", phrase("LIBRARY's answer makes no sense."),
      phrase("Try again later.")),
    "network_failure": Known(
      .badGateway, "remote-integration-failed", phrase("LIBRARY cannot be reached."),
      phrase("Try again later.")),
    "deadline_exceeded": Known(
      .gatewayTimeout, "remote-integration-failed", phrase("LIBRARY did not answer in time."),
      phrase("Try again later.")),
    "cancelled": Known(
      .serviceUnavailable, "remote-integration-failed", phrase("It was called off."),
      phrase("Try again.")),
    "not_configured": Known(
      .serviceUnavailable, "remote-integration-failed",
      phrase("LIBRARY is not set up rightly here."),
      phrase("Tell whoever runs this gateway.")),
  ]
}
