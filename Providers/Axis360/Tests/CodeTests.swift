import Circulation
import ProviderKit
import Testing

@testable import Axis360

/// The error table of the adapter's README, row by row.
@Suite struct `A code` {
  @Test(arguments: [
    (315, "not_configured"), (316, "not_configured"), (1000, "not_configured"),
    (1001, "not_configured"), (1002, "not_configured"), (1003, "not_configured"),
    (2000, "not_configured"), (2001, "not_configured"), (2002, "not_configured"),
    (2003, "not_configured"), (2004, "not_configured"), (2005, "not_configured"),
    (2006, "not_configured"), (2007, "not_configured"), (2008, "not_configured"),
    (3100, "not_configured"), (3101, "not_configured"), (3102, "not_configured"),
    (3103, "no_licenses"), (3104, "not_configured"), (3105, "credentials_rejected"),
    (3106, "not_configured"), (3108, "format_unavailable"), (3109, "already_on_hold"),
    (3110, "already_borrowed"), (3111, "currently_available"), (3112, "format_unavailable"),
    (3113, "no_licenses"), (3114, "loan_limit_reached"), (3115, "format_unavailable"),
    (3116, "credentials_rejected"), (3117, "format_unavailable"), (3118, "credentials_rejected"),
    (3119, "format_unavailable"), (3120, "format_unavailable"), (3122, "credentials_rejected"),
    (3123, "credentials_rejected"), (3124, "credentials_rejected"), (3126, "format_unavailable"),
    (3127, "not_configured"), (3128, "not_configured"), (3129, "credentials_rejected"),
    (3130, "not_configured"), (3131, "provider_unavailable"), (3132, "not_configured"),
    (3134, "not_configured"), (3135, "format_unavailable"), (3136, "format_unavailable"),
    (4058, "not_borrowed"), (5000, "provider_unavailable"), (5003, "not_configured"),
    (5004, "not_configured"), (7777, "provider_unavailable"), (-1, "provider_unavailable"),
  ])
  func `A code has its meaning, whatever the status it comes with`(_ code: Int, meaning: String) {
    for status in [200, 400, 401, 409, 500] {
      let xml = Read.failure(Read.decode("error", Wire.status(String(code)), status))
      #expect(xml?.reason.code == meaning, "XML, \(status)")
      let json = #"{"Status":{"Code":"\#(code)","Message":"m"}}"#
      #expect(Read.failure(Read.decode("error", json, status))?.reason.code == meaning, "JSON")
      let small = #"{"status":{"Code":"\#(code)"},"titles":null}"#
      #expect(Read.failure(Read.decode("error", small, status))?.reason.code == meaning)
    }
  }

  @Test func `A code of zero is a success`() {
    #expect(Read.decode("shelf", Wire.nothing) == .shelf(Shelf()))
    for code in ["0", "00", "0000", " 0000 "] {
      #expect(Read.decode("shelf", Wire.status(code), 500) == .shelf(Shelf()))
    }
  }

  @Test(
    arguments: [
      (3103, .availability, "title_gone"), (3103, .harvest, "title_gone"),
      (3103, .checkIn, "no_licenses"), (3103, .placeHold, "no_licenses"),
      (3109, .placeHold, "already_on_hold"), (3109, .cancelHold, "not_on_hold"),
      (3109, .suspendHold, "not_on_hold"), (3109, .resumeHold, "not_on_hold"),
      (3110, .renew, "not_renewable"), (3110, .placeHold, "already_borrowed"),
      (4058, .renew, "not_borrowed"), (3122, .checkIn, "credentials_rejected"),
    ] as [(Int, Circulation.Operation, String)])
  func `A code means what was asked for`(
    _ code: Int, during operation: Circulation.Operation, meaning: String
  ) {
    let decoded = Read.decode("error", Wire.status(String(code)), during: operation)
    #expect(Read.failure(decoded)?.reason.code == meaning)
    #expect(Read.failure(decoded)?.operation == operation)
  }

  @Test(arguments: ["shelf", "loans", "holds", "account", "availability"])
  func `A code that nobody knows the reader is an empty shelf`(_ kind: String) {
    let decoded = Read.decode(kind, Wire.status("3122", "Patron information is not found."), 401)
    #expect(Read.failure(decoded) == nil)
  }

  @Test(arguments: [
    (3113, "Patron reached the Hold LIMIT"), (3131, "maximum number of holds"),
  ])
  func `Axis360 has no single code for the hold limit, so the message tells it`(
    _ code: Int, text: String
  ) {
    let decoded = Read.decode("error", Wire.status(String(code), text), during: .placeHold)
    #expect(Read.failure(decoded)?.reason == .holdLimitReached(limit: nil))
  }

  @Test(arguments: [
    (200, "malformed_response"), (302, "malformed_response"), (401, "not_configured"),
    (403, "not_configured"), (404, "not_configured"), (409, "provider_unavailable"),
    (429, "provider_busy"), (500, "provider_unavailable"), (503, "provider_busy"),
    (504, "provider_unavailable"),
  ])
  func `A code that is missing leaves the status to tell`(_ status: Int, meaning: String) {
    for body in ["", "<html><body>x</body></html>", "{}", "[]", "<a><b>", "\u{FEFF}"] {
      for kind in ["shelf", "loan", "editions", "token", "error", "fulfilment"] {
        let decoded = Read.decode(kind, body, status)
        #expect(Read.failure(decoded)?.reason.code == meaning, "\(kind): \(body)")
      }
    }
  }

  @Test func `A code stands in the error with its words, unless these name somebody`() {
    #expect(Read.decode("error", Wire.status("0000")) == .noFailure)
    let plain = Read.failure(Read.decode("error", Wire.status("7777", "Something new")))
    #expect(plain?.providerSays == "7777: Something new")
    for text in ["Card 21234000000001 is wrong", "ada@example.org is wrong"] {
      let error = Read.failure(Read.decode("error", Wire.status("7777", text)))
      #expect(error?.providerSays == "7777")
    }
  }

  @Test func `A code of the licence server comes with its complaints`() {
    let body = #"{"ReturnCode":9400,"Title":"Invalid ISBN","Messages":["No such ISBN.","",""]}"#
    let error = Read.failure(Read.decode("fulfilment", body, 405))
    #expect(error?.reason == .providerUnavailable && error?.providerSays == "9400: No such ISBN.")
  }
}
