import Circulation
import Testing

@testable import OverDrive

@Suite struct `Quirks 11 to 20` {
  let service = PlayedService()

  @Test
  func `OverDrive quirk 11: a missing product list is valid only when the total is zero`() throws {
    #expect(WirePage(try Read.json(#"{"totalItems":0,"links":{}}"#))?.products.isEmpty == true)
    #expect(WirePage(try Read.json(#"{"totalItems":7,"links":{}}"#)) == nil)
    #expect(WirePage(try Read.json(#"{"message":"An unexpected error has occurred."}"#)) == nil)
    let last = WirePage(try Read.json(#"{"products":[],"links":{}}"#))
    #expect(last?.products.isEmpty == true && last?.next == nil)
  }

  @Test func `OverDrive quirk 12: a product without an id is dropped, one with only an id is kept`()
    throws
  {
    let page = WirePage(try Read.json(#"{"products":[{"title":"no id"},{"id":"A"},{"id":""}]}"#))
    #expect(page?.products.map(\.id) == ["a"])
    #expect(try Read.edition(#"{"id":"A"}"#).title == "")
  }

  @Test
  func `OverDrive quirk 13: availability may be text and may contradict the copy counts`() throws {
    #expect(try Read.availability(#"{"available":"true","copiesOwned":2}"#).canBeHadNow)
    #expect(try !Read.availability(#"{"available":"False","copiesAvailable":2}"#).canBeHadNow)
    let contradicting = try Read.availability(
      #"{"available":false,"copiesOwned":5,"copiesAvailable":1,"numberOfHolds":0}"#)
    #expect(contradicting.status == .queued(.init(total: 5, available: 1, holds: 0)))
  }

  static let shared = """
    {"available":true,"copiesOwned":99,"copiesAvailable":99,"numberOfHolds":4,"accounts":[
      {"id":-1,"copiesOwned":3,"copiesAvailable":1},
      {"id":7,"copiesOwned":2,"copiesAvailable":2,"shared":true},
      {"id":9,"copiesOwned":5,"copiesAvailable":0,"shared":false}]}
    """

  @Test(arguments: [(nil, 5, 3), (9, 5, 0), (7, 0, 0), (1, 0, 0)] as [(Int?, Int, Int)])
  func `OverDrive quirk 14: an account counts shared copies, its own copies and holds once`(
    advantage: Int?, owned: Int, free: Int
  ) throws {
    let found = try Read.availability(Self.shared, advantage: advantage)
    #expect(found.copies == .init(total: owned, available: free, holds: 4))
  }

  @Test
  func `OverDrive quirk 15: cover sizes are chosen by name and placeholders are dropped`() throws {
    let covers = try Read.edition(
      """
      {"id":"a","images":{"cover":{"href":"https://x/100.jpg"},
       "cover150Wide":{"href":"https://x/150.jpg"},"thumbnail":{"href":"https://x/{2}.jpg"}}}
      """
    ).covers
    #expect(covers == Covers(large: "https://x/100.jpg", small: "https://x/150.jpg"))
    let wide = try Read.edition(
      #"{"id":"a","images":{"cover300Wide":{"href":"http://x.com/{A}.jpg"},"cover":{"href":"u"}}}"#
    ).covers
    #expect(wide.large == "https://x.com/%7BA%7D.jpg")
    let none = try Read.edition(
      """
      {"id":"a","images":{
       "cover":{"href":"https://x/{00000000-0000-0000-0000-000000000002}.jpg"}}}
      """
    ).covers
    #expect(none == Covers())
  }

  @Test(
    arguments: [
      (#""1""#, 1.0), (#""5-11""#, 5), (##""#22""##, 22), (#""52.56""#, 52), (#""Number 3""#, 3),
      (#""""#, nil), (#""x""#, nil), ("4", 4), ("null", nil),
    ] as [(String, Double?)])
  func `OverDrive quirk 16: the position in a series is read from free text`(
    order: String, position: Double?
  ) throws {
    let found = try Read.edition(#"{"id":"a","series":"S","readingOrder":\#(order)}"#).series
    #expect(found == Series(name: "S", position: position))
  }

  @Test func `OverDrive quirk 17: invalid and empty identifiers are dropped`() throws {
    let found = try Read.edition(
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

  @Test
  func `OverDrive quirk 18: actions come as a list or a map, and a link may be a list`() throws {
    let action = #"{"href":"https://x/","method":"PUT"}"#
    let list = try Read.json(#"[{"other":\#(action)},{"format":\#(action)}]"#)
    #expect(WireAction.named("format", in: list) != nil)
    #expect(WireAction.named("format", in: try Read.json(#"{"format":\#(action)}"#)) != nil)
    let loan = try Read.json(
      """
      {"reserveId":"a","links":{"bundledChildren":[{"href":"https://x/"}],
       "downloadRedirect":{"href":"https://y/"}}}
      """)
    #expect(WireCheckout(loan)?.downloadRedirect?.href == "https://y/")
    let patron = try Read.json(#"{"patronId":1,"actions":[{"editLendingPeriod":\#(action)}]}"#)
    #expect(WirePatron(patron) != nil)
  }

  @Test func `OverDrive quirk 19: a loan may lack most fields, and methods ignore case`() throws {
    let bare = try Read.loan(#"{"reserveId":"a"}"#)
    #expect(bare.until == nil && bare.formats.isEmpty && !bare.isReturnable)
    let old = try Read.json(
      #"{"reserveId":"a","actions":{"earlyReturn":{"href":"https://x/","method":"delete"}}}"#)
    #expect(WireCheckout(old)?.earlyReturn?.method == "DELETE")
  }

  @Test func `OverDrive quirk 20: a Kindle loan is shown but cannot be read here or returned`()
    async throws
  {
    let (one, route) = (Titles.one, "GET /v1/patrons/me/checkouts")
    let loan = """
      {"reserveId":"\(one.upper)","isFormatLockedIn":true,
       "formats":[{"formatType":"ebook-kindle"},{"formatType":"ebook-overdrive"}]}
      """
    service.on(route, 200, #"{"totalItems":1,"checkouts":[\#(loan)]}"#)
    service.on("GET /v1/patrons/me/holds", 200, #"{"totalItems":0}"#)
    service.on("\(route)/\(one.upper)", 200, loan)
    let adapter = try service.adapter()
    let shown = try #require(try await adapter.shelf(in: service.call).loan(of: one))
    #expect(shown.lockedFormat?.content == .kindle && !shown.isReturnable)
    #expect(shown.formats.filter(\.isReadableHere).isEmpty)
    #expect(
      await reason { try await adapter.checkIn(one, in: service.call) }
        == .unsupported(.earlyReturn))
    #expect(!service.routes.contains { $0.hasPrefix("DELETE") })
  }
}
