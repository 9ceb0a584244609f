import Circulation
import FoundationEssentials
import ProviderKit
import Testing

@testable import Axis360

@Suite struct `A recorded answer` {
  @Test func `A recorded answer of a checkout is a loan of nobody knows what`() {
    let body = Wire.checkout(
      "<url>http://x</url>" + Wire.verdict("0000", "Fine.")
        + "<expirationDate>8/11/2015 6:57:42 PM +00:00</expirationDate>")
    guard case .loans(let loans) = Read.decode("loan", body) else {
      Issue.record("no loan")
      return
    }
    #expect(loans.map(\.until) == [Date(timeIntervalSince1970: 1_439_319_462)])
  }

  @Test func `A recorded answer of a shelf has loans and holds, each where it belongs`() {
    let hold = Wire.title(
      "<isInHoldQueue>true</isInHoldQueue><holdsQueuePosition>2</holdsQueuePosition>"
        + "<holdsQueueSize>5</holdsQueueSize>", id: "0002")
    let body = Wire.titles(Wire.loan("PDF"), hold)
    guard case .shelf(let shelf) = Read.decode("shelf", body),
      case .loans(let loans) = Read.decode("loans", body),
      case .holds(let holds) = Read.decode("holds", body)
    else {
      Issue.record("no shelf")
      return
    }
    #expect(shelf == Shelf(loans: loans, holds: holds) && loans.count == 1)
    #expect(holds.map(\.status) == [.waiting(position: 2, total: 5)])
  }

  @Test func `A recorded answer of the list of holds spells its words in its own way`() {
    let body = Wire.result(
      "getHoldsResponse", "getHoldsResult",
      Wire.verdict("0000")
        + """
        <holds><hold><titleID>1</titleID><bookTitle>A</bookTitle><totalHoldSize>4</totalHoldSize>
        <holdPosition>2</holdPosition><isAvailable>N</isAvailable><isSuspendHold>N</isSuspendHold>
        </hold><hold><titleID>2</titleID><isSuspendHold>R</isSuspendHold></hold><hold>
        <titleID>3</titleID><isAvailable>Y</isAvailable><isSuspendHold>Y</isSuspendHold>
        <reservedEndDate>1/4/2026 12:00:00 AM</reservedEndDate></hold></holds>
        """)
    guard case .holds(let holds) = Read.decode("holds", body) else {
      Issue.record("no holds")
      return
    }
    #expect(holds.map(\.item.rawValue) == ["1", "2", "3"] && holds[0].title == "A")
    #expect(
      holds.map(\.status) == [
        .waiting(position: 2, total: 4), .suspended(until: nil),
        .ready(until: Date(timeIntervalSince1970: 1_767_484_800)),
      ])
  }

  @Test func `A recorded answer of a page of the inventory tells its next`() {
    let body = """
      {"pagination":{"currentPage":2,"pageSize":500,"totalCount":1200,"totalPage":3},
       "status":{"Code":"0000"},"titles":[{"TitleID":"1","active":true},{"active":true}]}
      """
    guard case .editions(let editions, let next, let total) = Read.decode("editions", body) else {
      Issue.record("no page")
      return
    }
    #expect(editions.map(\.item.rawValue) == ["1"] && next == "3" && total == 1200)
  }

  @Test func `A recorded answer of a token tells how long it is good`() {
    let body = #"{"access_token":"x","expires_in":600,"token_type":"Bearer"}"#
    #expect(Read.decode("token", body) == .token(lifetime: 600, scope: []))
    let refused = #"{"Status":{"Code":"2005","Message":"Wrong"}}"#
    #expect(Read.failure(Read.decode("token", refused, 401))?.reason.code == "not_configured")
  }

  @Test(arguments: [
    (#""ISBN":"9","BookVaultUUID":"u","#, "AxisNow", "licence"),
    (#""ISBN":"9","FNDTransactionID":"f","FNDSessionKey":"k","#, "Acoustik", "manifest"),
  ])
  func `A recorded answer of a fulfilment is told apart by one member`(
    _ members: String, format: String, kind: String
  ) {
    let body = """
      {"Status":{"Code":"0000"},\(members)"AdobeFullfillmentUrl":"http://x",
       "ExpirationDate":"2018-09-29 18:34:00.0001398 +00:00"}
      """
    guard case .fulfilment(let found) = Read.decode("fulfilment", body) else {
      Issue.record("no fulfilment")
      return
    }
    #expect(found.link.format.id == format && "\(found)".hasPrefix(kind))
    #expect(found.link.expires != nil)
  }

  @Test func `an Axis360 fulfillment with an expired session means the provider is unavailable`() {
    let body = #"{"Status":{"Code":"0000"},"FNDTransactionID":"f","FNDSessionKey":"Expired"}"#
    #expect(Read.failure(Read.decode("fulfilment", body))?.reason == .providerUnavailable)
  }

  @Test func `A recorded answer of an audiobook's parts is a manifest`() {
    let body = """
      {"Status":{"Code":"0000"},"fndaccountid":"a","fndcontentid":"5",
       "readingOrder":[{"duration":2.89,"fndpart":0,"fndsequence":0,"title":"T"}]}
      """
    guard case .fulfilment(.manifest(let link)) = Read.decode("fulfilment", body) else {
      Issue.record("no manifest")
      return
    }
    #expect(link.format == Formats.acoustik)
  }

  @Test func `A recorded answer may hold stray signs, if it is there to its end`() {
    let title = Wire.title("", "<productTitle>Tea & Sympathy &nbsp; \u{1}</productTitle>")
    let body = Wire.titles(title)
    #expect(Read.edition(body)?.title.hasPrefix("Tea & Sympathy") == true)
    for cut in [body.count / 4, body.count / 2, body.count - 30] {
      let decoded = Read.decode("shelf", String(body.prefix(cut)))
      #expect(Read.failure(decoded)?.reason.code == "malformed_response", "\(cut)")
    }
  }

  @Test func `A recorded answer of a kind that nobody knows names those there are`() {
    guard case .unknownKind(let known) = Read.decode("novel", "{}") else {
      Issue.record("known")
      return
    }
    let promised = [
      "edition", "editions", "availability", "loan", "loans", "holds", "shelf", "fulfilment",
      "token", "account", "error",
    ]
    #expect(promised.allSatisfy(known.contains))
  }
}
