import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Testing

@testable import OPDSLibrary

/// The tables of the README.
@Suite struct `What a catalogue answers` {
  private func failure(_ body: String, _ status: Int, _ during: Circulation.Operation?)
    -> CirculationError?
  {
    let decoded = Decoding.decode("error", status, during, Array(body.utf8), PlayedService.begin)
    if case .failure(let error) = decoded { return error }
    return nil
  }

  @Test(arguments: [
    ("credentials-expired", "account_expired"), ("credentials-suspended", "account_blocked"),
    ("outstanding-fines", "account_blocked"), ("loan-limit-reached", "loan_limit_reached"),
    ("hold-limit-reached", "hold_limit_reached"),
    ("no-available-license", "no_copies_available"), ("no-licenses", "no_licenses"),
    ("not-found-on-remote", "title_gone"), ("loan-already-exists", "already_borrowed"),
    ("no-active-loan", "not_borrowed"), ("cannot-renew-loan", "not_renewable"),
    ("holds-not-allowed", "unsupported"), ("bad-delivery-mechanism", "format_unavailable"),
    ("unknown-lane", "not_configured"), ("cannot-issue-loan", "provider_unavailable"),
    ("something-new", "not_configured"),
  ])
  func `What a catalogue answers: with a problem is the reason it names`(
    _ slug: String, code: String
  ) {
    let error = failure(Wire.problem(slug), 403, .checkOut)
    #expect(error?.reason.code == code)
    #expect(error?.providerSays == slug)
    #expect(error?.operation == .checkOut)
  }

  @Test func `What a catalogue answers: names a limit by the one number in its words`() {
    #expect(
      failure(Wire.problem("loan-limit-reached"), 403, nil)?.reason == .loanLimitReached(limit: 5))
  }

  @Test func `What a catalogue answers: to leaving a line is about the line`() {
    #expect(failure(Wire.problem("no-active-loan"), 404, .cancelHold)?.reason == .notOnHold)
  }

  @Test(arguments: [
    (401, "credentials_rejected"), (403, "not_configured"), (404, "title_gone"),
    (429, "provider_busy"), (500, "provider_unavailable"), (503, "provider_busy"),
    (302, "malformed_response"), (418, "provider_unavailable"), (200, "malformed_response"),
  ])
  func `an OPDS reply without a problem document means what its status says`(
    _ status: Int, code: String
  ) {
    #expect(failure("<html>Sorry, Ada</html>", status, nil)?.reason.code == code)
  }

  @Test func `What a catalogue answers: repeats no words that could name somebody`() {
    let body = #"{"type": "https://x.example/ada@example.org", "title": "Ada owes 3"}"#
    let error = failure(body, 403, nil)
    #expect(error?.providerSays?.contains("ada") != true)
  }

  @Test func `What a catalogue answers: tells loans and holds of one shelf apart`() {
    let shelf = Wire.feed(
      Wire.entry(Wire.loan()) + Wire.entry(Wire.borrow("ready"), number: 2)
        + Wire.entry(
          Wire.borrow("reserved", holds: #"<opds:holds total="9" position="4"/>"#), number: 3))
    guard
      case .shelf(let found) = Decoding.decode(
        "shelf", 200, nil, Array(shelf.utf8), PlayedService.begin)
    else {
      Issue.record("no shelf")
      return
    }
    #expect(found.loans.map(\.title) == ["Book 1"])
    #expect(found.holds.map(\.status) == [.ready(until: nil), .waiting(position: 4, total: 9)])
  }

  @Test func `What a catalogue answers: knows the kinds it can read`() {
    guard case .unknownKind(let kinds) = Decoding.decode("x", 200, nil, [], PlayedService.begin)
    else {
      Issue.record("x is a kind")
      return
    }
    #expect(kinds.contains("shelf") && kinds.contains("fulfilment") && kinds.contains("account"))
  }

  @Test func `an OPDS patron profile gives the limits and the card's expiry date`() {
    let body = """
      {"loans": {"total": 7}, "holds": {"total": 9},
       "simplified:authorization_expires": "2027-01-01T00:00:00Z"}
      """
    guard
      case .account(let standing) = Decoding.decode(
        "account", 200, nil, Array(body.utf8), PlayedService.begin)
    else {
      Issue.record("no account")
      return
    }
    #expect(standing.loanLimit == 7 && standing.holdLimit == 9)
    #expect(standing.expires == Date(timeIntervalSince1970: 1_798_761_600))
  }
}
