import Circulation
import Testing

@testable import OverDrive

/// The error table of the adapter's README, row by row.
@Suite struct `A failure` {
  private func reason(
    _ status: Int, _ body: String, during operation: Circulation.Operation = .checkOut
  ) -> CirculationError.Reason? {
    Failures.reason(
      status: status, body: Array(body.utf8), retryAfter: .seconds(7), during: operation)?.reason
  }

  @Test(arguments: [
    ("NoCopiesAvailable", 400, CirculationError.Reason.noCopiesAvailable),
    ("TitleAlreadyCheckedOut", 400, .alreadyBorrowed),
    ("PatronHasExceededCheckoutLimit", 400, .loanLimitReached(limit: nil)),
    ("PatronHasExceededCheckoutLimit_ForCPC", 400, .loanLimitReached(limit: nil)),
    ("PatronHasExceededChurningLimit", 400, .loanLimitReached(limit: nil)),
    ("TitleNotCheckedOut", 400, .notBorrowed), ("TitleNotCheckedOut", 404, .notBorrowed),
    ("PatronDoesntHaveTitleCheckedOut", 400, .notBorrowed),
    ("PatronDoesntHaveTitleCheckedOut", 404, .notBorrowed),
    ("AlreadyOnWaitList", 400, .alreadyOnHold),
    ("PatronExceededHoldLimit", 400, .holdLimitReached(limit: nil)),
    ("PatronDoesntHaveTitleOnHold", 400, .notOnHold),
    ("PatronDoesntHaveTitleOnHold", 404, .notOnHold),
    ("NotWithinRenewalWindow", 400, .notRenewable),
    ("PatronTitleProcessingFailed", 400, .formatUnavailable),
    ("AnotherFormatHasBeenLockedIn", 400, .formatUnavailable),
    ("NotFound", 404, .noLicenses), ("TitleNotFoundError", 404, .noLicenses),
    ("InvalidGuid", 400, .titleGone),
  ])
  func `A failure has the meaning of its code`(
    _ code: String, status: Int, meaning: CirculationError.Reason
  ) {
    let body = #"{"errorCode":"\#(code)","message":"m","token":"60a18218"}"#
    #expect(reason(status, body) == meaning)
    #expect(reason(200, body) == meaning, "a good status does not make it a success")
  }

  @Test(arguments: [
    ("unauthorized_client", 400, "credentials_rejected"),
    ("unauthorized_client", 401, "credentials_rejected"),
    ("invalid_grant", 400, "credentials_rejected"), ("invalid_grant", 401, "credentials_rejected"),
    ("invalid_client", 400, "not_configured"), ("invalid_client", 401, "not_configured"),
    ("unsupported_grant_type", 400, "not_configured"), ("invalid_scope", 400, "not_configured"),
  ])
  func `A failure has the meaning of a token host's word`(
    _ word: String, status: Int, meaning: String
  ) {
    let body = #"{"error":"\#(word)","error_description":"d"}"#
    #expect(reason(status, body, during: .checkAccount)?.code == meaning)
  }

  @Test(arguments: [
    (401, Circulation.Operation.shelf, "credentials_rejected"), (401, .search, "not_configured"),
    (403, .shelf, "not_configured"), (302, .shelf, "malformed_response"),
    (404, .availability, "title_gone"), (404, .harvest, "title_gone"),
    (404, .checkIn, "not_borrowed"), (404, .renew, "not_borrowed"),
    (404, .fulfil, "not_borrowed"), (404, .cancelHold, "not_on_hold"),
    (404, .suspendHold, "not_on_hold"), (404, .resumeHold, "not_on_hold"),
    (404, .placeHold, "no_licenses"), (404, .checkAccount, "not_configured"),
    (429, .shelf, "provider_busy"), (503, .shelf, "provider_busy"),
    (500, .shelf, "provider_unavailable"), (502, .shelf, "provider_unavailable"),
    (504, .shelf, "provider_unavailable"), (400, .shelf, "provider_unavailable"),
  ])
  func `A failure has the meaning of its status where it says nothing`(
    _ status: Int, operation: Circulation.Operation, meaning: String
  ) {
    #expect(reason(status, "", during: operation)?.code == meaning)
    #expect(reason(status, "<html>oops</html>", during: operation)?.code == meaning)
    let unknown = #"{"errorCode":"SomethingNew","message":"m"}"#
    #expect(reason(status, unknown, during: operation)?.code == meaning)
  }

  @Test(arguments: [429, 503])
  func `A failure carries on how long to wait`(_ status: Int) {
    #expect(reason(status, "") == .providerBusy(retryAfter: .seconds(7)))
  }

  @Test(arguments: [200, 500])
  func `A failure may come as a sentence instead of an answer`(_ status: Int) {
    let body = #"{"message":"An unexpected error has occurred."}"#
    #expect(reason(status, body) == .providerUnavailable)
  }

  @Test func `A failure is not what went well`() {
    #expect(reason(201, #"{"reserveId":"A"}"#) == nil)
    #expect(reason(204, "", during: .checkIn) == nil)
  }

  @Test func `A failure is never told in the service's words`() {
    let body = #"{"error":"unauthorized_client","error_description":"Card 123456 is wrong"}"#
    let found = Failures.reason(
      status: 400, body: Array(body.utf8), retryAfter: nil, during: .checkAccount)
    #expect(found?.says == "unauthorized_client")
  }
}
