import Circulation
import Testing

@testable import CloudLibrary

/// The error tables of the adapter's README, row by row.
@Suite struct `A failure` {
  private func error(
    _ status: Int, _ body: String, during operation: Circulation.Operation = .checkOut,
    isForReader: Bool = true, retryAfter: Duration? = nil
  ) -> CirculationError? {
    do throws(CirculationError) {
      _ = try Documents.success(
        status: status, body: Array(body.utf8), retryAfter: retryAfter, operation,
        isForReader: isForReader)
    } catch {
      return error
    }
    return nil
  }

  private static let status = "the patron document status was"

  @Test(arguments: [
    (
      "Patron cannot loan more than 12 documents",
      CirculationError.Reason.loanLimitReached(limit: 12)
    ),
    ("Patron cannot loan more than 1 document", .loanLimitReached(limit: 1)),
    ("  Patron cannot loan\n more than 7 documents. ", .loanLimitReached(limit: 7)),
    ("Patron cannot have more than 8 holds", .holdLimitReached(limit: 8)),
    ("Patron cannot have more than 1 hold", .holdLimitReached(limit: 1)),
    ("The patron does not have the book on hold", .notOnHold),
    ("The patron has no eBooks checked out", .notBorrowed),
    ("Authentication failed", .providerUnavailable), ("Unknown error", .providerUnavailable),
    ("Something else altogether", .providerUnavailable),
    ("Patron cannot loan more than many documents", .providerUnavailable),
    ("\(status) CAN_WISH and not one of CAN_LOAN,RESERVATION", .noLicenses),
    ("\(status) CAN_WISH and not one of CAN_HOLD", .noLicenses),
    ("\(status) CAN_HOLD and not one of CAN_LOAN,RESERVATION", .noCopiesAvailable),
    ("\(status) LOAN and not one of CAN_LOAN,RESERVATION", .alreadyBorrowed),
    ("\(status) HOLD and not one of CAN_LOAN,RESERVATION", .alreadyOnHold),
    ("\(status) BANNED and not one of CAN_LOAN,RESERVATION", .unsupported(.lending)),
    ("\(status) CAN_LOAN and not one of CAN_HOLD", .currentlyAvailable),
    ("\(status) HOLD and not one of CAN_HOLD", .alreadyOnHold),
    ("\(status) RESERVATION and not one of CAN_HOLD", .alreadyOnHold),
    ("\(status) LOAN and not one of CAN_HOLD", .alreadyBorrowed),
    ("\(status) BANNED and not one of CAN_HOLD", .unsupported(.holds)),
  ])
  func `A failure has the meaning of its sentence`(
    sentence: String, meaning: CirculationError.Reason
  ) {
    #expect(error(400, Read.error(sentence))?.reason == meaning)
    #expect(
      error(200, Read.error(sentence))?.reason == meaning,
      "a good status does not make it a success")
  }

  @Test(arguments: [
    (404, Circulation.Operation.checkOut, "title_gone"), (404, .placeHold, "title_gone"),
    (404, .availability, "title_gone"), (404, .harvest, "title_gone"),
    (404, .cancelHold, "not_on_hold"), (404, .checkIn, "not_borrowed"),
    (404, .fulfil, "not_borrowed"), (404, .shelf, "not_configured"),
    (405, .placeHold, "unsupported"), (405, .checkOut, "provider_unavailable"),
    (401, .shelf, "not_configured"), (403, .shelf, "credentials_rejected"),
    (302, .shelf, "malformed_response"), (400, .checkOut, "provider_unavailable"),
    (418, .shelf, "provider_unavailable"), (500, .shelf, "provider_unavailable"),
    (502, .shelf, "provider_unavailable"), (503, .shelf, "provider_unavailable"),
    (504, .shelf, "provider_unavailable"), (429, .shelf, "provider_busy"),
  ])
  func `a CloudLibrary failure without a message gets its meaning from the HTTP status`(
    status: Int, operation: Circulation.Operation, meaning: String
  ) {
    for body in ["", "<html><body>Sorry</body></html>", "oops", Read.error(""), "\u{0}"] {
      #expect(error(status, body, during: operation)?.reason.code == meaning, "\(body)")
    }
  }

  @Test(arguments: [
    ("The library card has expired.", "account_expired"),
    ("Card blocked: please see the desk", "account_blocked"),
    ("Outstanding fines", "account_blocked"), ("Invalid patron", "credentials_rejected"),
  ])
  func `A failure of a card is in the words of its library`(sentence: String, meaning: String) {
    #expect(error(403, Read.error(sentence), during: .shelf)?.reason.code == meaning)
  }

  @Test func `A failure of the account is not the reader's`() {
    let refused = error(403, "", during: .harvest, isForReader: false)
    #expect(refused?.reason.code == "not_configured")
    #expect(error(401, "", during: .harvest, isForReader: false)?.reason.code == "not_configured")
    #expect(error(401, Read.error("Bad PIN"), during: .shelf)?.reason == .credentialsRejected)
  }

  @Test func `A failure that says when to come back is a busy service`() {
    #expect(
      error(503, "", retryAfter: .seconds(7))?.reason == .providerBusy(retryAfter: .seconds(7)))
    #expect(
      error(429, "", retryAfter: .seconds(7))?.reason == .providerBusy(retryAfter: .seconds(7)))
  }

  @Test func `A failure keeps its text for support, without a card's number`() {
    let says = error(400, Read.error("Card 21234000000001\n is not known here"))?.providerSays
    #expect(says == "Card ••• is not known here")
    let long = error(400, Read.error(String(repeating: "word ", count: 500)))?.providerSays
    #expect((long?.count ?? 0) == 200)
  }
}
