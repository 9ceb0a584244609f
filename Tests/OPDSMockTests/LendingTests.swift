import HTTP
import JSON
import Markup
import MockKit
import Testing

@testable import OPDSMock

@Suite(.serialized) struct `Lending at an OPDS lender` {
  private func borrowLink(_ answer: PlayedOPDS.Answer) throws -> Element? {
    try answer.root().link("http://opds-spec.org/acquisition/borrow")
  }

  @Test func `Lending at an OPDS lender borrows once, and says the same the second time`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let first = try await played.borrow(0)
      #expect(first.status == 201 && first.type.contains("type=entry"))
      let loan = try #require(try first.root().link("http://opds-spec.org/acquisition"))
      #expect(loan.first("availability")?["status"] == "available")
      #expect(loan.first("availability")?["since"] == "2026-03-16T09:00:00+00:00")
      #expect(loan.first("availability")?["until"] == "2026-04-06T09:00:00+00:00")
      let again = try await played.mine(played.work(0) + "/borrow")
      #expect(again.status == 200 && again.body == first.body)
      #expect(played.lending.loans(by: ada).count == 1)
      #expect(first.headers["Cache-Control"]?.contains("no-store") == true)
    }
  }

  @Test
  func `the OPDS mock queues a patron for a copy and lends it when it is reserved`() async throws {
    try await PlayedOPDS.run { played in
      let hold = try await played.borrow(5)
      let reserved = try borrowLink(hold)
      #expect(hold.status == 201)
      #expect(reserved?.first("availability")?["status"] == "reserved")
      #expect(reserved?.first("holds")?["position"] == "2")
      #expect(try await played.borrow(5).status == 200)
      // Chinua's copy has been put aside for three days.
      let ready = try await played.mine(played.work(6), as: chinua)
      let terms = try borrowLink(ready)?.first("availability")
      #expect(terms?["status"] == "ready" && terms?["until"] == "2026-03-19T09:00:00+00:00")
      #expect(try borrowLink(ready)?.first("holds")?["position"] == nil)
      let loan = try await played.borrow(6, as: chinua)
      #expect(try loan.root().link("http://opds-spec.org/acquisition") != nil)
    }
  }

  @Test func `Lending at an OPDS lender loses the place when the offer has passed`() async throws {
    try await PlayedOPDS.run { played in
      played.advance(4 * LendingRules.day)
      let entry = try await played.mine(played.work(6), as: chinua)
      #expect(try borrowLink(entry)?.first("availability")?["status"] == "available")
    }
  }

  @Test func `Lending at an OPDS lender shows the shelf, and nothing that has ended`() async throws
  {
    try await PlayedOPDS.run { played in
      let shelf = try await played.mine("loans", as: bruno)
      let feed = try shelf.root()
      #expect(feed.all("entry").count == 3)
      #expect(feed.first("patron")?["authorizationIdentifier"] == bruno)
      #expect(feed.all("entry").allSatisfy { $0.link(Relation.revoke) != nil })
      #expect(shelf.headers["ETag"] == nil)
      played.advance(22 * LendingRules.day)
      let later = try await played.mine("loans", as: bruno).root()
      #expect(later.all("entry").allSatisfy { $0.link("http://opds-spec.org/acquisition") == nil })
    }
  }

  @Test func `Lending at an OPDS lender leaves on the shelf what has left the catalog`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let id = played.ids[0]
      played.inside { library, _ in library.withdraw(id) }
      #expect(try await played.get("works/URI/urn:uuid:\(id)").problem == "no-licenses")
      let shelf = try await played.mine("loans", as: bruno).root()
      let entry = try #require(
        shelf.all("entry").first { $0.first("id")?.words == "urn:uuid:\(id)" })
      let file = try await played.mine(entry.href(Relation.acquisition), as: bruno)
      #expect(file.status == 200 && file.type == Mechanism.epub)
      #expect(try await played.mine(entry.href(Relation.revoke), as: bruno).status == 200)
    }
  }

  @Test func `Lending at an OPDS lender takes back loans and places in line`() async throws {
    try await PlayedOPDS.run { played in
      for (index, card) in [(0, bruno), (5, bruno)] {
        let entry = try await played.mine(played.work(index), as: card).root()
        let back = try await played.mine(entry.href(Relation.revoke), .put, as: card)
        #expect(back.status == 200)
        #expect(try back.root().link(Relation.revoke) == nil)
        let again = try await played.mine(entry.href(Relation.revoke), as: card)
        #expect(again.status == 404 && again.problem == "no-active-loan")
      }
      #expect(try await played.mine(played.work(1) + "/borrow", .delete, as: bruno).status == 200)
      #expect(played.lending.loans(by: bruno).isEmpty && played.lending.holds(by: bruno).isEmpty)
    }
  }

  @Test func `the OPDS mock renews a loan by a new borrow near the end unless others wait`()
    async throws
  {
    try await PlayedOPDS.run { played in
      played.advance(19 * LendingRules.day)
      let longer = try await played.borrow(0, as: bruno)
      let loan = try longer.root().link("http://opds-spec.org/acquisition")
      #expect(longer.status == 200)
      #expect(loan?.first("availability")?["until"] == "2026-04-27T09:00:00+00:00")
      played.inside { library, now in
        let id = library.order[1]
        library.setCopies(.counted(1), of: id, at: now)
        _ = try? library.placeHold(on: id, by: ada, at: now)
      }
      let refused = try await played.borrow(1, as: bruno)
      #expect(refused.status == 400 && refused.problem == "cannot-renew-loan")
      played.turn("renewals", "never")
      #expect(try await played.borrow(1, as: bruno).status == 200)
    }
  }

  @Test func `Lending at an OPDS lender refuses beyond the limits, each by its own name`()
    async throws
  {
    try await PlayedOPDS.run { played in
      played.inside { library, _ in
        library.change(ada) { ($0.loanLimit, $0.holdLimit) = (1, 0) }
      }
      #expect(try await played.borrow(0).status == 201)
      let second = try await played.borrow(1)
      #expect(second.status == 403 && second.problem == "loan-limit-reached")
      #expect(try await played.borrow(5).problem == "hold-limit-reached")
    }
  }

  @Test func `Lending at an OPDS lender does nothing when asked for a head, and for nobody`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let head = try await played.mine(played.work(0) + "/borrow", .head)
      let stranger = try await played.get(played.work(0) + "/borrow")
      #expect(head.status == 404 && stranger.status == 401)
      #expect(played.lending.loans(by: ada).isEmpty)
    }
  }
}
