import Circulation
import FrontDesk
import HTTP
import OPDS
import Registry
import StoreSupport
import TestSupport
import Testing

@testable import Facade

@Suite struct `Borrowing by a feed` {
  @Test(arguments: Engine.allCases)
  func `Borrowing by a feed happens once, whichever method and however often`(engine: Engine)
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let borrow = try await room.book("Here").acquisitions[0]
      #expect(borrow.has(.borrow) && borrow.availability?.state == .available)
      #expect(borrow.copies == .init(total: 2, available: 2))
      let first = try await room.ask(borrow.link.href, .put)
      #expect(first.status == 201)
      #expect(first.head["Location"] == first.head["Content-Location"])
      #expect(first.head["Cache-Control"] == "private, no-store")
      let entry = try #require(first.entry)
      let file = try #require(entry.acquisitions.first { $0.has(.acquisition) })
      #expect(file.link.type == .epub && file.availability?.state == .available)
      #expect(file.availability?.since != nil && file.availability?.until != nil)
      #expect(entry.links.first(.revoke) != nil)
      for method in [HTTP.Method.get, .post, .put] {
        #expect(try await room.ask(borrow.link.href, method).status == 200)
      }
      #expect(room.lender.commands == ["borrow here"])
      let read = try await room.ask(file.link.href)
      #expect(read.text == "file of https://lender.example/here")
      #expect(
        read.head["Content-Disposition"]
          == "attachment; filename=\"The Here Book - Quill, Ada.epub\"")
      let sample = entry.acquisitions.first { $0.has(.sample) }
      #expect(sample?.link.type == .epub)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Borrowing by a feed joins the queue where there is one, and leaves it`(engine: Engine)
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let offered = try await room.book("Out").acquisitions[0]
      #expect(offered.has(.borrow) && offered.availability?.state == .unavailable)
      let placed = try await room.ask(offered.link.href)
      #expect(placed.status == 201)
      let hold = try #require(placed.entry?.acquisitions.first { $0.has(.borrow) })
      #expect(hold.availability?.state == .reserved)
      #expect(hold.holds == .init(total: 5, position: 3))
      #expect(try await room.ask(offered.link.href).status == 200)
      let revoke = try #require(placed.entry?.links.first(.revoke))
      let left = try await room.ask(revoke.href)
      #expect(left.status == 200 && left.entry?.links.first(.revoke) == nil)
      #expect(try await room.ask(revoke.href).code == "not_borrowed")
      #expect(room.lender.commands == ["hold out", "cancel out"])
      // The draft for 2.0 takes it back where it was placed.
      #expect(try await room.ask(offered.link.href).status == 201)
      #expect(try await room.ask(offered.link.href, .delete).status == 200)
      #expect(room.lender.commands.suffix(2) == ["hold out", "cancel out"])
    }
  }

  @Test func `a borrow of a title that was just lent places no hold, and a repeated one does`()
    async throws
  {
    try await LendingRoom.open { room in
      let borrow = try await room.book("Here").acquisitions[0]
      room.lendToOthers("here")
      let refused = try await room.ask(borrow.link.href)
      #expect(refused.status == 403 && refused.code == "no_copies_available")
      #expect(refused.text.contains("terms/problem/no-available-license"))
      #expect(room.lender.commands.isEmpty)
      room.clock.withLock { $0.instant += .seconds(2) }
      #expect(try await room.ask(borrow.link.href).status == 201)
      #expect(room.lender.commands == ["hold here"])
    }
  }

  @Test func `Borrowing by a feed is refused with the contract's words`() async throws {
    try await LendingRoom.open { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      let gone = try await room.book("Gone").acquisitions[0].link.href
      #expect(try await room.ask(gone).code == "title_gone")
      for (reason, status, code) in [
        (CirculationError.Reason.accountBlocked, 403, "account_blocked"),
        (.accountExpired, 403, "account_expired"),
        (.credentialsRejected, 403, "credentials_rejected"),
        (.loanLimitReached(limit: 3), 403, "loan_limit_reached"),
        (.providerBusy(retryAfter: nil), 503, "provider_busy"),
        (.noLicenses, 404, "no_licenses"),
      ] {
        room.lender.fail(reason)
        let answer = try await room.ask(borrow)
        #expect(answer.status == status && answer.code == code, "\(answer.text)")
        #expect(answer.head["Content-Type"] == "application/problem+json")
        #expect((answer.head["Retry-After"] != nil) == (status == 503))
      }
      // What the library itself says of waiting goes on to the app.
      room.lender.fail(.providerBusy(retryAfter: .milliseconds(41_500)))
      #expect(try await room.ask(borrow).head["Retry-After"] == "42")
      #expect(room.lender.commands.isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a borrow by feed with a lost answer is confirmed on repeat and sent only once`(
    engine: Engine
  ) async throws {
    try await LendingRoom.open(engine) { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      room.lender.fail(.networkFailure, isDone: true)
      #expect(try await room.ask(borrow).status == 201)
      #expect(try await room.ask(borrow).status == 200)
      #expect(room.lender.commands == ["borrow here"])
      let out = try await room.book("Out").acquisitions[0].link.href
      room.lender.fail(.networkFailure)
      let doubt = try await room.ask(out)
      #expect(doubt.status == 503 && doubt.code == "in_doubt")
      #expect(doubt.head["Retry-After"] == "3")
    }
  }

  @Test func `Borrowing by a feed with a key of the client's own is one wish`() async throws {
    try await LendingRoom.open { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      let key: Headers = ["Idempotency-Key": "0123456789abcdef"]
      #expect(try await room.ask(borrow, .post, key).status == 201)
      let revoke = try #require(try await room.ask("/opds/shelf").feed?.publications[0])
        .links.first(.revoke)
      #expect(try await room.ask(try #require(revoke).href).status == 200)
      let again = try await room.ask(borrow, .post, key)
      #expect(again.status == 201 && room.lender.commands == ["borrow here", "return here"])
    }
  }

  @Test func `Borrowing by a feed is for readers and by the right methods`()
    async throws
  {
    try await LendingRoom.open { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      #expect(try await room.ask(borrow, as: nil).status == 401)
      #expect(try await room.ask(borrow, as: "21000001:9999").status == 401)
      #expect(try await room.ask(borrow, .patch).status == 405)
      #expect(try await room.ask(borrow, .head).status == 200)
      let name = try await room.device([.read], of: room.ada, "wall")
      #expect(try await room.ask(borrow, as: "ada:\(name)").code == "out_of_scope")
      for wrong in ["works/w999/town/here", "works/w1/county/here", "works/w1/town/nothing"] {
        #expect(try await room.ask("/opds/\(wrong)/borrow").status == 404, "\(wrong)")
      }
      #expect(room.lender.commands.isEmpty)
    }
  }

  /// A browser sends the password that it holds with all of these.
  @Test(
    arguments: [
      (
        HTTP.Method.get, ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"], "cross_site"
      ),
      (.get, ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"], "cross_site"),
      (.get, ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"], "cross_site"),
      (.get, ["Origin": "https://evil.example"], "cross_site"),
      (.get, ["Origin": "null"], "cross_site"),
      (.get, ["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"], "browser_get"),
      (.get, ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"], "browser_get"),
      // A browser over plain http, which says no more of itself.
      (.get, ["User-Agent": "Mozilla/5.0", "Accept": "image/avif,image/webp,*/*"], "browser_get"),
      (.post, ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"], "cross_site"),
      (.post, ["Origin": "https://localhost.evil.example"], "cross_site"),
    ] as [(HTTP.Method, [String: String], String)])
  func `a browser borrows nothing for a page of another site, and nothing by opening an address`(
    method: HTTP.Method, fields: [String: String], code: String
  ) async throws {
    try await LendingRoom.open { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      let headers = Headers(fields.map { Headers.Field($0.key, $0.value) })
      let answer = try await room.ask(borrow, method, headers)
      #expect(answer.status == 403 && answer.code == code)
      #expect(room.lender.commands.isEmpty)
    }
  }

  @Test(
    arguments: [
      (HTTP.Method.get, ["Origin": "tauri://localhost"]),
      (.get, ["Origin": "app://reader", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"]),
      (.post, ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"]),
      (.post, ["Origin": "http://localhost"]),
      // Asked for beforehand, without the browser's own password.
      (.put, ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"]),
    ] as [(HTTP.Method, [String: String])])
  func `apps and scripts that bring a password of their own borrow`(
    method: HTTP.Method, fields: [String: String]
  ) async throws {
    try await LendingRoom.open { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      let headers = Headers(fields.map { Headers.Field($0.key, $0.value) })
      #expect(try await room.ask(borrow, method, headers).status == 201)
    }
  }

  @Test func `Borrowing by a feed leads to files that are the borrower's alone`() async throws {
    try await LendingRoom.open { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      let entry = try #require(try await room.ask(borrow).entry)
      let file = try #require(entry.acquisitions.first { $0.has(.acquisition) }).link.href
      let revoke = try #require(entry.links.first(.revoke)).href
      #expect(try await room.ask(file, as: LendingRoom.bobCard).code == "not_borrowed")
      #expect(try await room.ask(revoke, as: LendingRoom.bobCard).code == "not_borrowed")
      #expect(try await room.ask(file, as: nil).status == 401)
      let head = try await room.ask(file, .head)
      #expect(head.status == 200 && head.head["Content-Disposition"] != nil)
      #expect(try await room.ask(file.replacing(".epub", with: ".pdf")).status == 404)
      #expect(room.lender.shelf(room.ada.id).loans.count == 1)
    }
  }

  @Test func `Borrowing by a feed lets nobody in who guessed too often`() async throws {
    try await LendingRoom.open { room in
      for guess in 0..<10 {
        #expect(try await room.ask("/opds", as: "21000001:00\(guess)").status == 401)
      }
      let slowed = try await room.ask("/opds/shelf")
      #expect(slowed.status == 429 && slowed.code == "too_many_attempts")
      #expect(slowed.head["Retry-After"] == "900")
    }
  }
}

extension LendingRoom {
  func ask(_ address: String, _ headers: Headers) async throws -> Answer {
    try await ask(address, .get, as: Self.adaCard, headers)
  }

  func ask(_ address: String, _ method: HTTP.Method, _ headers: Headers) async throws -> Answer {
    try await ask(address, method, as: Self.adaCard, headers)
  }
}
