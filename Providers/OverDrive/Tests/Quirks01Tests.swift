import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets
import Testing

@testable import OverDrive

/// The numbers are those of the adapter's README.
@Suite struct `Quirks 1 to 10` {
  let service = PlayedService()
  private let one = Titles.one

  @Test
  func `OverDrive quirk 1: a hold is ready when it can be checked out, at any position`() throws {
    let next = try Read.hold(
      #"{"reserveId":"A","holdListPosition":1,"numberOfHolds":4,"actions":{}}"#)
    #expect(next.status == .waiting(position: 1, total: 4))
    let ready = try Read.hold(
      """
      {"reserveId":"A","holdListPosition":3,"numberOfHolds":5,"holdExpires":"2026-01-04T00:00:00Z",
       "actions":{"checkout":{"href":"https://x/","method":"post","fields":[]}}}
      """)
    #expect(ready.status == .ready(until: Date(timeIntervalSince1970: 1_767_484_800)))
  }

  @Test func `OverDrive quirk 2: a no-copies error for a borrowed title returns the existing loan`()
    async throws
  {
    service.on(
      "POST /v1/patrons/me/checkouts", 400, #"{"errorCode":"NoCopiesAvailable","message":"m"}"#)
    let route = "GET /v1/patrons/me/checkouts/\(one.upper)"
    service.on(route, 200, #"{"reserveId":"\#(one.upper)","expires":"2026-01-09T00:00:00Z"}"#)
    let outcome = try await service.adapter().checkOut(one, as: nil, in: service.call)
    guard case .borrowed(let loan) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(loan.item == one && loan.until == Date(timeIntervalSince1970: 1_767_916_800))
    service.replace(route, 404, #"{"errorCode":"TitleNotCheckedOut"}"#)
    #expect(
      await reason { try await service.adapter().checkOut(one, as: nil, in: service.call) }
        == .noCopiesAvailable)
  }

  private func placed(email: String?, account: String) async throws -> [String: String] {
    let service = PlayedService()
    service.replace("GET /v1/patrons/me", 200, #"{"patronId":1\#(account)}"#)
    service.on(
      "GET /v2/collections/public/availability", 200,
      #"{"availability":[{"reserveId":"\#(one)","available":false,"copiesOwned":1}]}"#)
    service.on("POST /v1/patrons/me/holds", 201, #"{"reserveId":"\#(one.upper)"}"#)
    _ = try await service.adapter().placeHold(
      on: one, options: HoldOptions(email: email), in: service.call)
    return try #require(service.asked("POST /v1/patrons/me/holds").first).fields
  }

  @Test func `OverDrive quirk 3: a hold keeps the email address that the account already has`()
    async throws
  {
    let known = try await placed(email: "new@x.org", account: #","lastHoldEmail":"old@x.org""#)
    #expect(known["emailAddress"] == "old@x.org" && known["ignoreHoldEmail"] == nil)
    let first = try await placed(email: "new@x.org", account: "")
    #expect(first["emailAddress"] == "new@x.org")
    let none = try await placed(email: nil, account: #","lastHoldEmail":"""#)
    #expect(none["emailAddress"] == nil && none["ignoreHoldEmail"] == "true")
  }

  @Test
  func `OverDrive quirk 4: each library of a consortium gets its own patron token`() async throws {
    let session = service.session()
    for name in ["east", "west"] {
      _ = try await service.adapter(["authorization_name": name], over: session)
        .checkAccount(in: service.call)
    }
    #expect(
      service.asked("POST /patrontoken").map { $0.form["scope"] } == [
        "websiteid:100300 authorizationname:east", "websiteid:100300 authorizationname:west",
      ], "a token for one library was used at the other")
  }

  @Test func `OverDrive quirk 5: libraries without PINs get a placeholder password`() async throws {
    let reader = Credentials(["card": Secret("23000000000001")])
    _ = try await service.adapter(["pin_required": "false"], as: reader)
      .checkAccount(in: service.call)
    let form = try #require(service.asked("POST /patrontoken").first).form
    #expect(form["password_required"] == "false" && form["password"] == "[ignore]")
    _ = try await service.adapter().checkAccount(in: service.call)
    #expect(service.asked("POST /patrontoken").last?.form["password_required"] == nil)
    #expect(throws: SettingsFault.self) { try service.adapter(as: reader) }
  }

  @Test(arguments: [
    ("Invalid Library Card: 123456.  Not a valid card.", "credentials_rejected"),
    ("Invalid PIN", "credentials_rejected"), ("Requested record not found", "credentials_rejected"),
    ("Card has EXPIRED", "account_expired"), ("Patron is blocked", "account_blocked"),
    ("Patron Barred", "account_blocked"), ("Too many Fines", "account_blocked"),
    ("privileges suspended", "account_blocked"),
  ])
  func `OverDrive quirk 6: the error text of a refused card is classified but not shown`(
    _ text: String, code: String
  ) async throws {
    service.replace(
      "POST /patrontoken", 400,
      #"{"error":"unauthorized_client","error_description":"\#(text)"}"#)
    do {
      _ = try await service.adapter().checkAccount(in: service.call)
      Issue.record("signed in")
    } catch let error as CirculationError {
      #expect(error.reason.code == code)
      #expect(error.providerSays == "unauthorized_client", "the text may name the card")
    }
  }

  @Test func `OverDrive quirk 7: title ids are compared without regard to case`() async throws {
    #expect(try Read.loan(#"{"reserveId":"\#(one.upper)"}"#).item == one)
    #expect(try Read.hold(#"{"reserveId":"\#(one.upper)"}"#).item == one)
    #expect(try Read.edition(#"{"id":"\#(one.upper)"}"#).item == one)
    service.on(
      "GET /v2/collections/own/availability", 200,
      #"{"availability":[{"reserveId":"\#(one.upper)","available":true,"copiesOwned":1}]}"#)
    let found = try await service.adapter().availability(of: [one], in: service.call)
    #expect(Array(found.keys) == [one] && found[one]?.canBeHadNow == true)
  }

  @Test(arguments: [
    (
      "http://images.contentreserve.com/{2A00}Img 200.jpg",
      "https://images.contentreserve.com/%7B2A00%7DImg%20200.jpg"
    ),
    (
      "http://api.overdrive.com/v1/p?lastupdatetime=2014-04-28%2009:25:09&formats=a,b",
      "https://api.overdrive.com/v1/p?lastupdatetime=2014-04-28%2009:25:09&formats=a,b"
    ),
    ("https://x/100%", "https://x/100%25"), ("https://x/é", "https://x/%C3%A9"),
    ("http://127.0.0.1:8001/v1/{a}", "http://127.0.0.1:8001/v1/%7Ba%7D"),
    ("https://x/a?self=http://y/Overdrive ID/5", "https://x/a?self=http://y/Overdrive%20ID/5"),
  ])
  func `OverDrive quirk 8: links with raw characters or plain http are cleaned`(
    _ href: String, clean: String
  ) {
    #expect(Links.clean(href) == clean)
    #expect(Links.clean(clean) == clean, "cleaning twice encodes twice")
  }

  @Test func `OverDrive quirk 9: availability links of an older version are never followed`()
    async throws
  {
    service.on(
      "GET /v1/collections/public/products", 200,
      """
      {"totalItems":1,"links":{},"products":[{"id":"\(one)","title":"T","links":{"availability":{
       "href":"http://api.overdrive.com/v1/collections/x/products/\(one)/availability"}}}]}
      """)
    service.on("GET /v1/collections/public/bulkmetadata", 200, #"{"metadata":[]}"#)
    service.on(
      "GET /v2/collections/public/availability", 200,
      #"{"availability":[{"reserveId":"\#(one)","available":true}]}"#)
    let adapter = try service.adapter(as: nil)
    #expect(try await adapter.harvest(from: nil, in: service.call).editions.count == 1)
    _ = try await adapter.availability(of: [one], in: service.call)
    let asked = service.routes.filter { $0.contains("availability") }
    #expect(asked == ["GET /v2/collections/public/availability"])
  }

  @Test func `OverDrive quirk 10: a title is gone when it is missing twice, and not before`()
    async throws
  {
    let (bulk, single) = (
      "GET /v2/collections/public/availability",
      "GET /v2/collections/public/products/\(one)/availability"
    )
    service.on(bulk, 200, #"{"totalItems":0,"availability":[]}"#)
    let adapter = try service.adapter(as: nil)
    #expect(
      try await adapter.availability(of: [one], in: service.call)[one]?.status
        == .unknownToProvider)
    #expect(service.asked(single).count == 1)
    service.on(single, 200, #"{"reserveId":"\#(one)","available":true,"copiesOwned":1}"#)
    #expect(
      try await adapter.availability(of: [one], in: service.call)[one]?.canBeHadNow == true)
    service.replace(single, 500)
    #expect(
      await reason { try await adapter.availability(of: [one], in: service.call) }
        == .providerUnavailable, "an outage is no sign that a title left")
  }
}
