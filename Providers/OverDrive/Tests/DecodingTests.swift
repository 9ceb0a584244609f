import Circulation
import FoundationEssentials
import ProviderKit
import Testing

@testable import OverDrive

@Suite struct `A recorded body` {
  private func decode(
    _ kind: String, _ body: String, _ status: Int = 200, during: Circulation.Operation? = nil
  ) -> Decoded {
    OverDriveProvider.listing.decode(kind, status, during, Array(body.utf8), Read.now)
  }

  private func code(_ decoded: Decoded) -> String? {
    if case .failure(let error) = decoded { error.reason.code } else { nil }
  }

  @Test func `A recorded body of a catalogue page has editions, the next page and the total`() {
    let found = decode(
      "editions",
      """
      {"totalItems":9,"products":[{"id":"A","title":"T"}],"links":{"next":{"href":
       "http://api.overdrive.com/v1/collections/c/products?offset=1&sort=title asc"}}}
      """)
    guard case .editions(let editions, let next, let total) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(editions.map(\.title) == ["T"] && total == 9)
    #expect(
      next == "https://api.overdrive.com/v1/collections/c/products?offset=1&sort=title%20asc")
    let bulk = decode("editions", #"{"metadata":[{"id":"A"},{"errorCode":"NotFound"}]}"#)
    guard case .editions(let two, nil, nil) = bulk else {
      Issue.record("\(bulk)")
      return
    }
    #expect(two.count == 1)
  }

  @Test func `A recorded body of one title has an edition, and needs an id`() {
    let found = decode("edition", #"{"id":"A","title":"T"}"#)
    guard case .edition(let edition) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(edition.item.rawValue == "a")
    #expect(code(decode("edition", #"{"title":"T"}"#)) == "malformed_response")
  }

  @Test func `A recorded body of availability is one title or many`() {
    let one = #"{"reserveId":"A","available":true,"copiesOwned":1,"copiesAvailable":1}"#
    for body in [one, #"{"totalItems":1,"availability":[\#(one)]}"#] {
      let found = decode("availability", body)
      guard case .availability(let titles) = found else {
        Issue.record("\(found)")
        return
      }
      #expect(titles[ItemID("a")]?.canBeHadNow == true)
      #expect(titles[ItemID("a")]?.asOf == Read.now)
    }
    let gone = #"{"errorCode":"NotFound","message":"m","token":"t"}"#
    #expect(code(decode("availability", gone, 404)) == "title_gone")
  }

  @Test func `A recorded body of loans is a list, a loan, or the answer to a choice of format`() {
    let loan = #"{"reserveId":"A","expires":"2026-01-01T00:00:00Z"}"#
    let list = #"{"totalItems":1,"checkouts":[\#(loan)]}"#
    for (kind, body) in [("loans", list), ("loans", loan), ("loan", loan), ("loan", list)] {
      guard case .loans(let loans) = decode(kind, body, 201) else {
        Issue.record("\(kind) \(body)")
        return
      }
      #expect(loans.map(\.until) == [Read.now])
    }
    let choice = #"{"reserveId":"A","formatType":"ebook-epub-open","linkTemplates":{}}"#
    for kind in ["loan", "fulfilment"] {
      guard case .loans(let locked) = decode(kind, choice, 201) else {
        Issue.record("the answer to a choice of format as \(kind)")
        return
      }
      #expect(locked.first?.lockedFormat?.id == "ebook-epub-open")
    }
    #expect(decode("loans", #"{"totalItems":0,"totalCheckouts":0}"#) == .loans([]))
    #expect(code(decode("loans", "{}")) == "malformed_response")
  }

  @Test func `A recorded body of holds is a list or a hold`() {
    let hold = #"{"reserveId":"A","holdListPosition":2,"numberOfHolds":3}"#
    let wanted = Hold(item: ItemID("a"), status: .waiting(position: 2, total: 3))
    #expect(decode("holds", hold) == .holds([wanted]))
    #expect(decode("holds", #"{"totalItems":1,"holds":[\#(hold)]}"#) == .holds([wanted]))
    #expect(decode("holds", #"{"totalItems":0}"#) == .holds([]))
    #expect(
      decode("shelf", #"{"totalItems":1,"holds":[\#(hold)]}"#) == .shelf(Shelf(holds: [wanted])))
    #expect(decode("shelf", #"{"totalItems":0,"checkouts":[]}"#) == .shelf(Shelf()))
  }

  @Test func `A recorded body of a token tells what it is good for, and not the token`() {
    let found = decode(
      "token", #"{"access_token":"s3cret","expires_in":"3600","scope":"LIB META patronid:1"}"#)
    #expect(found == .token(lifetime: 3600, scope: ["LIB", "META", "patronid:1"]))
    #expect(!"\(found)".contains("s3cret"))
    let refused = decode(
      "token", #"{"error":"unauthorized_client","error_description":"Card expired"}"#, 400)
    #expect(code(refused) == "account_expired")
  }

  @Test func `A recorded body of an account has its limits`() {
    #expect(
      decode("account", #"{"patronId":1,"checkoutLimit":12,"holdLimit":15}"#)
        == .account(AccountStanding(loanLimit: 12, holdLimit: 15)))
  }

  @Test func `A recorded body of a content link is what the reader gets`() {
    let found = decode(
      "fulfilment",
      """
      {"reserveId":"A","formatType":"ebook-epub-adobe","links":{"contentlink":{
       "href":"https://x/a.acsm","type":"application/vnd.adobe.adept+xml"}}}
      """)
    guard case .fulfilment(.licence(let link, .adobe)) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(link.address == "https://x/a.acsm" && link.singleUse)
  }

  @Test(
    arguments: [
      (400, #"{"errorCode":"AlreadyOnWaitList"}"#, nil, "already_on_hold"),
      (200, #"{"errorCode":"NoCopiesAvailable"}"#, nil, "no_copies_available"),
      (404, #"{"errorCode":"NotFound"}"#, nil, "no_licenses"),
      (404, #"{"errorCode":"NotFound"}"#, .checkIn, "not_borrowed"),
      (401, "", nil, "credentials_rejected"), (401, "", .search, "not_configured"),
      (502, "<html>", nil, "provider_unavailable"), (200, "{}", nil, "malformed_response"),
      (429, "", nil, "provider_busy"),
    ] as [(Int, String, Circulation.Operation?, String)])
  func `A recorded body of an error has its reason, whatever the kind`(
    _ status: Int, body: String, during: Circulation.Operation?, reason: String
  ) {
    #expect(code(decode("error", body, status, during: during)) == reason)
    #expect(decode("error", #"{"reserveId":"r1"}"#) == .noFailure)
    if status >= 400, during != nil {
      #expect(code(decode("loan", body, status, during: during)) == reason)
    }
  }

  @Test func `A recorded body of a kind that nobody knows names those there are`() {
    guard case .unknownKind(let known) = decode("novel", "{}") else {
      Issue.record("known")
      return
    }
    let promised = [
      "edition", "editions", "availability", "loan", "loans", "holds", "shelf", "fulfilment",
      "token", "account", "error",
    ]
    #expect(promised.allSatisfy(known.contains))
  }

  @Test(arguments: ["", "null", "[]", "\"x\"", "{", "\u{FEFF}{}", "<html></html>", "{\"id\":7}"])
  func `A recorded body of any kind may be anything`(_ body: String) {
    for kind in ["edition", "editions", "availability", "loans", "holds", "token", "fulfilment"] {
      let found = decode(kind, body)
      #expect(code(found) == "malformed_response", "\(kind): \(found)")
    }
  }
}
