import HTTP
import JSON
import MockKit
import Testing

@Suite struct `Lending at the mock OverDrive` {
  @Test func `Lending at the mock OverDrive lends, says so in upper case, and takes back`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let (token, id) = (try await played.patronToken(), played.ids[0])
      let loan = try await played.borrow(id.uppercased(), token)
      #expect(loan.status == 201)
      #expect(loan.json["reserveId"]?.string == id.uppercased())
      #expect(loan.json["expires"]?.string == "2026-04-06T09:00:00Z")
      #expect(try await played.borrow(id, token).code == "TitleAlreadyCheckedOut")
      let back = loan.json["actions"]?["earlyReturn"]?["href"]?.string ?? ""
      #expect(try await played.send(.delete, back, token: token).status == 204)
      let again = try await played.send(.delete, back, token: token)
      #expect((again.status, again.code) == (400, "TitleNotCheckedOut"))
    }
  }

  @Test func `the OverDrive mock reports no copies even for a borrowed title that others want`()
    async throws
  {
    try await PlayedOverDrive.run(.allOut) { played in
      let token = try await played.patronToken()
      #expect(try await played.borrow(played.ids[0], token).code == "NoCopiesAvailable")
    }
    try await PlayedOverDrive.run { played in
      let (ada, chinua) = (
        try await played.patronToken(), try await played.patronToken(chinua, "3333")
      )
      let id = played.ids[1]
      #expect(try await played.borrow(id, ada).status == 201)
      #expect(try await played.hold(id, chinua).status == 201)
      #expect(try await played.borrow(id, ada).code == "NoCopiesAvailable")
    }
  }

  @Test func `the OverDrive mock locks a loan to a format and then refuses an early return`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let (token, id) = (try await played.patronToken(), played.ids[1])
      _ = try await played.borrow(id, token)
      func lock(_ format: String) async throws -> PlayedOverDrive.Answer {
        try await played.send(
          .post, "/v1/patrons/me/checkouts/\(id)/formats", token: token,
          json: ["fields": [["name": "formatType", "value": .string(format)]]])
      }
      #expect(try await lock("ebook-epub-open").code == "PatronTitleProcessingFailed")
      #expect(try await lock("ebook-epub-adobe").status == 201)
      #expect(try await lock("ebook-kindle").code == "AnotherFormatHasBeenLockedIn")
      let path = "/v1/patrons/me/checkouts/\(id)"
      let loan = try await played.send(.get, path, token: token)
      #expect(loan.json["isFormatLockedIn"] == true)
      #expect(loan.json["actions"]?["earlyReturn"] == nil)
      #expect(try await played.send(.delete, path, token: token).status == 400)
    }
  }

  @Test func `Lending at the mock OverDrive gives a link that works once and for a minute`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let (token, id) = (try await played.patronToken(), played.ids[1])
      _ = try await played.borrow(id, token)
      let path = "/v1/patrons/me/checkouts/\(id)/formats/ebook-overdrive/downloadlink"
      func link() async throws -> String {
        let answer = try await played.send(
          .get, path + "?errorpageurl=http%3A%2F%2Flocalhost%2Foops", token: token)
        return answer.json["links"]?["contentlink"]?["href"]?.string ?? ""
      }
      let first = try await link()
      #expect(try await played.send(.get, first).headers["Content-Type"] == "text/html")
      let second = try await played.send(.get, first)
      #expect(second.headers["Location"]?.contains("ErrorCode=D004") == true)
      let late = try await link()
      played.house.main.withState { $0.clock.advance(by: 61_000) }
      let refused = try await played.send(.get, late)
      #expect(refused.headers["Location"]?.contains("ErrorCode=D002") == true)
    }
  }

  @Test func `the OverDrive mock leads to an open book over two redirects with a return address`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let (token, id) = (try await played.patronToken(), played.ids[0])
      _ = try await played.borrow(id, token)
      let own = "/v1/patrons/me/checkouts/\(id)/formats"
      _ = try await played.send(
        .post, own, token: token,
        json: ["fields": [["name": "formatType", "value": "ebook-epub-open"]]])
      let answer = try await played.send(
        .get, own + "/ebook-epub-open/downloadlink?errorurl=x&successurl=y", token: token)
      let first = try await played.send(
        .get, answer.json["links"]?["contentlink"]?["href"]?.string ?? "")
      let second = try await played.send(.get, first.headers["Location"] ?? "")
      let location = second.headers["Location"] ?? ""
      let book = try await played.send(.get, location)
      #expect(book.headers["Content-Type"] == "application/epub+zip")
      #expect(Array(book.body.prefix(2)) == Array("PK".utf8))
      #expect(String(decoding: book.body[30..<58], as: UTF8.self) == "mimetypeapplication/epub+zip")
      let query = FormFields(parsing: try Address(location).query ?? "")
      #expect(try await played.send(.get, query["loanEarlyReturnUrl"] ?? "").status == 200)
      #expect(try await played.send(.get, own, token: token).code == "TitleNotCheckedOut")
    }
  }

  @Test func `the OverDrive mock keeps the position of a ready hold and suspends a missed one`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let token = try await played.patronToken(chinua, "3333")
      let list = try await played.send(.get, "/v1/patrons/me/holds", token: token)
      let hold = try #require(list.json["holds"]?[0])
      #expect(hold["actions"]?["checkout"] != nil)
      #expect(hold["holdListPosition"] == 1)
      #expect(hold["holdExpires"]?.string == "2026-03-19T09:00:00Z")
      played.advance(4)
      let again = try await played.patronToken(chinua, "3333")
      let missed = try await played.send(.get, "/v1/patrons/me/holds", token: again)
      #expect(missed.json["holds"]?[0]?["holdSuspension"] != nil)
      #expect(missed.json["holds"]?[0]?["actions"]?["checkout"] == nil)
    }
  }

  @Test func `Lending at the mock OverDrive renews by a hold near the end of the loan`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let (token, id) = (try await played.patronToken(), played.ids[0])
      _ = try await played.borrow(id, token)
      #expect(try await played.hold(id, token).code == "NotWithinRenewalWindow")
      played.advance(19)
      let later = try await played.patronToken()
      #expect(try await played.hold(id, later).status == 201)
      #expect(try await played.hold(id, later).code == "AlreadyOnWaitList")
      played.advance(3)
      let last = try await played.patronToken()
      let loan = try await played.send(.get, "/v1/patrons/me/checkouts/\(id)", token: last)
      #expect(loan.json["expires"]?.string == "2026-04-27T09:00:00Z")
      let holds = try await played.send(.get, "/v1/patrons/me/holds", token: last)
      #expect(holds.json["holds"] == nil)
    }
  }

  @Test func `the OverDrive mock suspends, changes and resumes a hold and keeps its email`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let (token, id) = (try await played.patronToken(), played.ids[5])
      _ = try await played.hold(id, token)
      let path = "/v1/patrons/me/holds/\(id.uppercased())"
      let order: JSONValue = [
        "fields": [
          ["name": "suspensionType", "value": "limited"], ["name": "numberOfDays", "value": "7"],
        ]
      ]
      let suspended = try await played.send(.post, path + "/suspension", token: token, json: order)
      #expect(suspended.json["holdSuspension"]?["suspensionType"] == "Indefinite")
      #expect(
        try await played.send(.put, path + "/suspension", token: token, json: order).status == 200)
      #expect(try await played.send(.delete, path + "/suspension", token: token).status == 204)
      let email: JSONValue = ["fields": [["name": "emailAddress", "value": "new@example.org"]]]
      #expect(try await played.send(.put, path, token: token, json: email).status == 204)
      let patron = try await played.send(.get, "/v1/patrons/me", token: token)
      #expect(patron.json["lastHoldEmail"] == "new@example.org")
      #expect(patron.json["actions"]?.array?.isEmpty == false)
      #expect(try await played.send(.delete, path, token: token).status == 204)
      #expect(
        try await played.send(.delete, path, token: token).code == "PatronDoesntHaveTitleOnHold")
    }
  }

  @Test func `the OverDrive mock enforces account limits and uses the chosen lending period`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let token = try await played.patronToken()
      let period: JSONValue = [
        "fields": [
          ["name": "formatClass", "value": "ebook"], ["name": "lendingPeriodDays", "value": 7],
        ]
      ]
      #expect(
        try await played.send(.put, "/v1/patrons/me", token: token, json: period).status == 204)
      #expect(
        try await played.borrow(played.ids[0], token).json["expires"]?.string
          == "2026-03-23T09:00:00Z")
      played.house.main.withState { state in
        _ = state.change("4225", of: "overdrive") { library, _ in
          library.lending.change(ada) { ($0.loanLimit, $0.holdLimit) = (1, 0) }
        }
      }
      #expect(
        try await played.borrow(played.ids[1], token).code == "PatronHasExceededCheckoutLimit")
      #expect(try await played.hold(played.ids[5], token).code == "PatronExceededHoldLimit")
    }
  }
}
