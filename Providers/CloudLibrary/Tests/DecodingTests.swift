import Circulation
import FoundationEssentials
import ProviderKit
import Testing

@testable import CloudLibrary

/// Recorded bodies read by kind, as `carrel decode` reads them.
@Suite struct `A recorded answer` {
  private func decode(
    _ kind: String, _ body: String, status: Int = 200, during: Circulation.Operation? = nil
  ) -> Decoded {
    Decoding.decode(kind, status, during, Array(body.utf8), Read.now)
  }

  private func code(_ decoded: Decoded) -> String? {
    guard case .failure(let error) = decoded else { return nil }
    return error.reason.code
  }

  @Test func `A recorded answer of items tells titles and copies`() {
    let body = Written.items("a9", "b9")
    guard case .editions(let editions, _, _) = decode("editions", body),
      case .availability(let copies) = decode("availability", body),
      case .edition(let first) = decode("edition", body)
    else {
      Issue.record("not read")
      return
    }
    #expect(editions.map(\.item.rawValue) == ["a9", "b9"])
    #expect(first.item == ItemID("a9"))
    #expect(copies.values.count { $0.canBeHadNow } == 2)
  }

  @Test func `A recorded answer of records and of events tells titles, too`() {
    let records = "<collection>\(Read.record("001=a9", "245a=Siege and Storm :"))</collection>"
    guard case .editions(let editions, _, _) = decode("editions", records),
      case .editions(let touched, _, _) = decode("editions", Written.events(("CHECKIN", "b9")))
    else {
      Issue.record("not read")
      return
    }
    #expect(editions.map(\.title) == ["Siege and Storm"])
    #expect(touched.map(\.item) == [ItemID("b9")])
  }

  @Test(arguments: [
    "<ArrayOfItemCirculation><ItemCirculation><ItemId>a9</ItemId><TotalCopies>2</TotalCopies>"
      + "<AvailableCopies>0</AvailableCopies><Checkouts/><Holds><Patron/></Holds><Reserves/>"
      + "</ItemCirculation></ArrayOfItemCirculation>",
    "<ItemCirculation><ItemId>a9</ItemId><TotalCopies>2</TotalCopies><Holds><Patron/></Holds>"
      + "</ItemCirculation>",
    "<L><LibraryDocumentSummary><id>a9</id><totalCopies>2</totalCopies><totalLoanCopies>2"
      + "</totalLoanCopies><totalHoldCopies>1</totalHoldCopies></LibraryDocumentSummary></L>",
  ])
  func `A recorded answer of counts is availability, in three shapes`(body: String) {
    guard case .availability(let copies) = decode("availability", body) else {
      Issue.record("not read")
      return
    }
    let told = copies[ItemID("a9")]
    #expect(told?.word == "queued")
    #expect(told?.copies == .init(total: 2, available: 0, holds: 1))
  }

  @Test func `A recorded answer of a shelf tells loans, holds and what is ready`() {
    let body = """
      <PatronCirculation xmlns:x="urn:x"><Checkouts><Item><ItemId>a9</ItemId></Item></Checkouts>
      <Holds><Item><ItemId>b9</ItemId><Position>4</Position></Item></Holds>
      <Reserves><Item><ItemId>c9</ItemId><Position>1</Position></Item></Reserves></PatronCirculation>
      """
    guard case .shelf(let shelf) = decode("shelf", body),
      case .loans(let loans) = decode("loans", body),
      case .holds(let holds) = decode("holds", body)
    else {
      Issue.record("not read")
      return
    }
    #expect(shelf.loans == loans && shelf.holds == holds)
    #expect(holds.map(\.word) == ["ready", "waiting"])
  }

  @Test func `A recorded answer of commands tells the loan or the hold`() {
    guard
      case .loans(let loans) = decode("loan", Written.checkout("a9", due: "2015-04-16T00:32:36")),
      case .holds(let holds) = decode(
        "holds", "<PlaceHoldResult><ItemId>a9</ItemId></PlaceHoldResult>")
    else {
      Issue.record("not read")
      return
    }
    #expect(loans.first?.until == WireDate.instant("2015-04-16T00:32:36"))
    #expect(holds.first?.status == .waiting(position: nil, total: nil))
  }

  @Test func `A recorded answer that opens a book is a licence or a list of parts`() {
    let acsm = "<fulfillmentToken xmlns=\"http://ns.adobe.com/adept\"/>"
    guard case .fulfilment(.licence(let licence, .adobe)) = decode("fulfilment", acsm) else {
      Issue.record("no licence")
      return
    }
    #expect(InlineDocument.bytes(of: licence.address) == Array(acsm.utf8))
    let parts = #"{"format":"MP3","items":[{"title":"One","duration":1}],"licenseId":"x"}"#
    guard case .fulfilment(.manifest(let manifest)) = decode("fulfilment", parts) else {
      Issue.record("no list of parts")
      return
    }
    #expect(manifest.format.content == .audiobook)
  }

  @Test(arguments: [
    ("SUCCESS", nil), ("EXPIRED", "account_expired"), ("NO", "credentials_rejected"),
  ])
  func `A recorded answer of a card's check is the account`(result: String, meaning: String?) {
    #expect(code(decode("account", Written.check(result))) == meaning)
  }

  @Test func `A recorded answer that is an error says so under every kind`() {
    let body = Read.error("Patron cannot loan more than 12 documents")
    for kind in ["error", "loan", "shelf", "editions", "availability", "fulfilment", "holds"] {
      #expect(code(decode(kind, body, status: 403)) == "loan_limit_reached", "\(kind)")
      #expect(code(decode(kind, body)) == "loan_limit_reached", "\(kind)")
    }
    #expect(code(decode("error", Written.items("a9"))) == "provider_unavailable")
    #expect(decode("error", "<CheckoutResult/>") == .noFailure)
  }

  @Test func `a CloudLibrary reply that is not XML means unavailable, and its text is kept`() {
    for (body, says) in [
      ("<html><body>Back soon</body></html>", "HTTP 200: Back soon"), ("busy", "HTTP 200: busy"),
      ("", "HTTP 200"), ("\u{1}\u{2}", "HTTP 200"),
    ] {
      for kind in ["error", "shelf", "loan", "availability"] {
        guard case .failure(let error) = decode(kind, body) else {
          Issue.record("\(kind) of \(body)")
          continue
        }
        #expect(error.reason == .providerUnavailable, "\(kind) of \(body)")
        #expect(error.providerSays == says, "\(kind) of \(body)")
      }
    }
  }

  @Test func `A recorded answer of nothing is the end of the records, and no word about items`() {
    #expect(decode("editions", "") == .editions([], next: nil, total: nil))
    #expect(code(decode("editions", "", during: .availability)) == "provider_unavailable")
  }

  @Test(arguments: ["", "<html/>", "{}", "<PatronCirculation>", "\u{FEFF}", "[1", "<a/>"])
  func `A recorded answer that is something else is never believed`(body: String) {
    for kind in ["loan", "loans", "holds", "shelf", "account", "fulfilment", "availability"] {
      #expect(
        ["malformed_response", "provider_unavailable"].contains(code(decode(kind, body)) ?? ""),
        "\(kind)")
    }
  }

  @Test func `A recorded answer of a kind that nobody knows is told what there is`() {
    guard case .unknownKind(let kinds) = decode("token", "") else {
      Issue.record("known")
      return
    }
    #expect(kinds.contains("shelf"))
  }
}
