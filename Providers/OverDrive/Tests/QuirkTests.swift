import Circulation
import FoundationEssentials
import JSON
import Testing

@testable import OverDrive

/// The numbered quirks of the adapter's README that show in one answer alone.
@Suite struct `A quirk of the wire` {
  let now = Date(timeIntervalSince1970: 1_767_225_600)

  private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

  private func availability(_ text: String, advantage: Int? = nil) throws -> Availability {
    try #require(WireAvailability(try json(text))).availability(asOf: now, advantage: advantage)
  }

  private func edition(_ text: String) throws -> Edition {
    try #require(WireMetadata(try json(text))).edition()
  }

  @Test func `1: a hold is ready when it can be checked out, whatever its position`() throws {
    let next = try json(#"{"reserveId":"A","holdListPosition":1,"numberOfHolds":4,"actions":{}}"#)
    #expect(WireHold(next)?.hold().status == .waiting(position: 1, total: 4))
    let ready = try json(
      #"{"reserveId":"A","holdListPosition":3,"numberOfHolds":5,"holdExpires":"2026-01-04T00:00:00Z","actions":{"checkout":{"href":"https://x/","method":"post","fields":[]}}}"#
    )
    #expect(
      WireHold(ready)?.hold().status
        == .ready(until: Date(timeIntervalSince1970: 1_767_484_800)))
  }

  @Test func `7: the case of an id changes from call to call`() throws {
    let upper = try json(#"{"reserveId":"76C1B7D0-17F4-4C05-8397-C66C17411584"}"#)
    #expect(WireCheckout(upper)?.loan(asOf: now).item.rawValue.hasPrefix("76c1b7d0") == true)
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
  ])
  func `8: links have raw characters and plain http`(href: String, clean: String) {
    #expect(Links.clean(href) == clean)
    #expect(Links.clean(clean) == clean, "cleaning twice encodes twice")
  }

  @Test func `9: availability links lead to a version that is no more`() {
    #expect(
      Links.availability("http://api.overdrive.com/v1/collections/t/products/i/availability")
        == "https://api.overdrive.com/v2/collections/t/products/i/availability")
    #expect(
      Links.availability("https://api.overdrive.com/v1/collections/t/products/i/metadata")
        == "https://api.overdrive.com/v1/collections/t/products/i/metadata")
  }

  @Test func `11: the list is left out when nothing was found, and only then`() throws {
    #expect(WirePage(try json(#"{"totalItems":0,"links":{}}"#))?.products.isEmpty == true)
    #expect(WirePage(try json(#"{"totalItems":7,"links":{}}"#)) == nil)
    #expect(WirePage(try json(#"{"message":"An unexpected error has occurred."}"#)) == nil)
    #expect(WirePage(try json(#"{"products":[],"links":{}}"#))?.next == nil)
  }

  @Test func `12: elements come without an id, or with nothing else`() throws {
    let page = WirePage(try json(#"{"products":[{"title":"no id"},{"id":"A"},{"id":""}]}"#))
    #expect(page?.products.map(\.id) == ["a"])
    #expect(try edition(#"{"id":"A"}"#).title == "")
  }

  @Test func `13: available may be a word, and may contradict the counts`() throws {
    #expect(try availability(#"{"available":"true","copiesOwned":2}"#).canBeHadNow)
    let contradicting = try availability(
      #"{"available":false,"copiesOwned":5,"copiesAvailable":1,"numberOfHolds":0}"#)
    #expect(contradicting.status == .queued(.init(total: 5, available: 1, holds: 0)))
  }

  static let shared = """
    {"available":true,"copiesOwned":99,"copiesAvailable":99,"numberOfHolds":4,"accounts":[
      {"id":-1,"copiesOwned":3,"copiesAvailable":1},
      {"id":7,"copiesOwned":2,"copiesAvailable":2,"shared":true},
      {"id":9,"copiesOwned":5,"copiesAvailable":0,"shared":false}]}
    """

  @Test func `14: shared copies count for all, own ones for their account, holds once`() throws {
    #expect(
      try availability(Self.shared).status
        == .available(.init(total: 5, available: 3, holds: 4)))
    #expect(
      try availability(Self.shared, advantage: 9).status
        == .available(.init(total: 5, available: 0, holds: 4)))
    #expect(try availability(Self.shared, advantage: 7).copies?.total == 0)
    #expect(try availability(Self.shared, advantage: 1).copies?.total == 0)
  }

  @Test func `15: names of pictures lie about size, and a zero id is a stand-in`() throws {
    let covers = try edition(
      #"{"id":"a","images":{"cover":{"href":"https://x/100.jpg"},"cover150Wide":{"href":"https://x/150.jpg"},"thumbnail":{"href":"https://x/200.jpg"}}}"#
    ).covers
    #expect(covers == Covers(large: "https://x/100.jpg", small: "https://x/150.jpg"))
    let none = try edition(
      #"{"id":"a","images":{"cover":{"href":"https://x/{00000000-0000-0000-0000-000000000002}.jpg"}}}"#
    ).covers
    #expect(none == Covers())
  }

  @Test(arguments: [
    ("1", 1.0), ("5-11", 5), ("#22", 22), ("52.56", 52), ("Number 3", 3), ("", nil), ("x", nil),
  ])
  func `16: the place in a series is free text`(text: String, position: Double?) throws {
    let found = try edition(#"{"id":"a","series":"S","readingOrder":"\#(text)"}"#).series
    #expect(found == Series(name: "S", position: position))
  }

  @Test func `17: identifiers are full of what is none`() throws {
    let found = try edition(
      """
      {"id":"a","formats":[{"id":"ebook-kindle","identifiers":[
        {"type":"ISBN","value":""},{"type":"ISBN","value":"n/a"},
        {"type":"ISBN","value":"9780306406158"},{"type":"ISBN","value":"0306406152"},
        {"type":"LibraryISBN","value":"9780804429573","audience":"library"},
        {"type":"ASIN","value":"n/a"},{"type":"ASIN","value":"B00ABCDEFG"}]}]}
      """)
    #expect(found.isbns.map(\.digits) == ["9780306406157", "9780804429573"])
    #expect(found.identifiers == [ForeignIdentifier(scheme: "asin", value: "B00ABCDEFG")])
  }

  @Test func `18: actions are a list here and a map there, and one link is a list`() throws {
    let action = #"{"href":"https://x/","method":"PUT"}"#
    let list = try json(#"[{"other":\#(action)},{"format":\#(action)}]"#)
    #expect(WireAction.named("format", in: list) != nil)
    #expect(WireAction.named("format", in: try json(#"{"format":\#(action)}"#)) != nil)
    let loan = try json(
      #"{"reserveId":"a","links":{"bundledChildren":[{"href":"https://x/"}],"downloadRedirect":{"href":"https://y/"}}}"#
    )
    #expect(WireCheckout(loan)?.downloadRedirect?.href == "https://y/")
  }

  @Test func `19: much may be missing, and methods come in any case`() throws {
    let bare = try #require(WireCheckout(try json(#"{"reserveId":"a"}"#))).loan(asOf: now)
    #expect(bare.until == nil && bare.formats.isEmpty && !bare.isReturnable)
    let old = try json(
      #"{"reserveId":"a","actions":{"earlyReturn":{"href":"https://x/","method":"delete"}}}"#)
    #expect(WireCheckout(old)?.earlyReturn?.method == "DELETE")
  }

  @Test func `20: a loan sent to an e-reader takes a slot and is shown, but stays`() throws {
    let loan = try #require(
      WireCheckout(
        try json(
          #"{"reserveId":"a","isFormatLockedIn":true,"formats":[{"formatType":"ebook-kindle"},{"formatType":"ebook-overdrive"}]}"#
        ))
    ).loan(asOf: now)
    #expect(loan.lockedFormat?.content == .kindle)
    #expect(!loan.isReturnable)
    #expect(loan.formats.filter(\.isReadableHere).isEmpty)
  }

  @Test func `21: once a format is locked in, the other choices are history`() throws {
    let loan = try #require(
      WireCheckout(
        try json(
          #"{"reserveId":"a","isFormatLockedIn":true,"formats":[{"formatType":"ebook-pdf-adobe"}],"actions":{"format":{"href":"https://x/","fields":[{"name":"formatType","options":["ebook-epub-adobe"]}]}}}"#
        ))
    ).loan(asOf: now)
    #expect(loan.formats.map(\.id) == ["ebook-pdf-adobe"])
  }

  @Test func `28: a way to lift a suspension does not mean that there is one`() throws {
    let hold = try json(
      #"{"reserveId":"a","holdListPosition":1,"numberOfHolds":1,"actions":{"releaseSuspension":{"href":"https://x/"}}}"#
    )
    #expect(WireHold(hold)?.hold().status == .waiting(position: 1, total: 1))
    let resting = try json(
      #"{"reserveId":"a","holdSuspension":{"suspensionType":"Indefinite"}}"#)
    #expect(WireHold(resting)?.hold().status == .suspended(until: nil))
  }

  @Test(arguments: [
    ("Author", [Contributor.Role.author]), ("Author and Illustrator", [.author, .illustrator]),
    ("Author, Narrator", [.author, .narrator]), ("Cast Member", [.performer]),
    ("Etc.", [.contributor]),
    ("Author of introduction, etc.", [.authorOfIntroduction]), ("", [.contributor]),
    ("Corporate Author", [.author]), ("author", [.author]),
  ])
  func `31: one role may be several`(text: String, roles: [Contributor.Role]) {
    #expect(Roles.of(text) == roles)
  }

  @Test func `31: several languages, some with a region or a script`() throws {
    let found = try edition(
      #"{"id":"a","languages":[{"code":"zh-Hans"},{"code":"pt-BR"},{"code":"zh"},{"code":""}]}"#)
    #expect(found.languages == ["zh", "pt"])
  }

  @Test func `32: a date of publication keeps its day`() throws {
    let found = try edition(#"{"id":"a","publishDate":"2013-10-01T00:00:00-04:00"}"#)
    #expect(found.published == PartialDate(year: 2013, month: 10, day: 1))
  }

  @Test func `33: the counts of a title without limit are fictitious`() throws {
    #expect(
      try availability(
        #"{"availabilityType":"AlwaysAvailable","available":true,"copiesOwned":999999}"#
      ).status == .available(.init()))
  }

  @Test(arguments: [
    (400, #"{"errorCode":"AlreadyOnWaitList","message":"m","token":"t"}"#, "already_on_hold"),
    (
      400, #"{"error":"unauthorized_client","error_description":"Not a valid card."}"#,
      "credentials_rejected"
    ),
    (
      400, #"{"error":"unauthorized_client","error_description":"Card has EXPIRED"}"#,
      "account_expired"
    ),
    (
      401, #"{"error":"unauthorized_client","error_description":"Too many fines"}"#,
      "account_blocked"
    ),
    (400, #"{"error":"invalid_client"}"#, "not_configured"),
    (400, #"{"errorCode":"TitleNotCheckedOut"}"#, "not_borrowed"),
    (400, #"{"errorCode":"SomethingNew"}"#, "provider_unavailable"),
    (500, "<html>oops</html>", "provider_unavailable"), (429, "", "provider_busy"),
    (503, "", "provider_busy"), (502, "", "provider_unavailable"),
    (200, #"{"message":"An unexpected error has occurred."}"#, "provider_unavailable"),
    (403, "", "not_configured"), (401, "", "credentials_rejected"),
    (302, "", "malformed_response"),
  ])
  func `34: errors have two shapes, and none of them is success`(
    status: Int, body: String, code: String
  ) {
    let found = Failures.reason(
      status: status, body: Array(body.utf8), retryAfter: nil, during: .checkOut)
    #expect(found?.reason.code == code)
  }

  @Test func `what went well is no failure`() {
    #expect(
      Failures.reason(
        status: 201, body: Array(#"{"reserveId":"A"}"#.utf8), retryAfter: nil, during: .checkOut)
        == nil)
    #expect(Failures.reason(status: 204, body: [], retryAfter: nil, during: .checkIn) == nil)
  }
}
