import Catalog
import Circulation
import Database
import ReadingLists
import TestSupport
import Testing

@testable import Wishes

@Suite struct `Books of a wish list` {
  @Test(arguments: Engine.allCases)
  func `Books of a wish list are wishes as long as they are on it`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      let other = try await desk.lists.create(named: "Other", for: bob).id
      try await desk.add("Dune", ["Frank Herbert"], to: list)
      try await desk.add("Emma", ["Jane Austen"], to: other, of: bob)
      #expect(try await desk.look().isEmpty)

      try await desk.wishes.mark(list, of: ada, rule: .hold)
      let one = try await desk.look()
      #expect(one.map(\.title) == ["Dune"] && one[0].rule == .hold && one[0].match == .none)
      #expect(one[0].authors == ["Frank Herbert"] && one[0].patron == ada)
      #expect(try await desk.wishes.follow() == FollowTally())

      // Marked again it keeps its rule, unless another is named.
      try await desk.wishes.mark(list, of: ada)
      #expect(try await desk.wishes.lists(of: ada).map(\.rule) == [.hold])
      let second = try await desk.add("Orlando", to: list)
      var tally = FollowTally()
      tally.new = 1
      #expect(try await desk.wishes.follow() == tally)
      try await desk.lists.remove(second.id, of: list, of: ada)
      tally = FollowTally()
      tally.ended = 1
      #expect(try await desk.wishes.follow() == tally)
      #expect(try await desk.wishes.wishes() == one)

      #expect(try await desk.wishes.unmark(list, of: bob) == false)
      #expect(try await desk.wishes.unmark(list, of: ada))
      #expect(try await desk.look().isEmpty)
      #expect(try await desk.lists.list(list, of: ada).count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Books of a wish list end with their list`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      try await desk.add("Dune", to: list)
      try await desk.wishes.mark(list, of: ada)
      #expect(try await desk.look().count == 1)
      try await desk.lists.delete(list, of: ada)
      #expect(try await desk.look().isEmpty)
      #expect(try await desk.wishes.lists().isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Books of a wish list have rules of their own`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      try await desk.add("Dune", to: list)
      try await desk.wishes.mark(list, of: ada, rule: .tell)
      let wish = try #require(try await desk.look().first)
      try await desk.wishes.setRule(.borrow, for: wish.id, of: bob)
      #expect(try await desk.wishes.wish(wish.id)?.rule == .tell)
      try await desk.wishes.setRule(.borrow, for: wish.id, of: ada)
      #expect(try await desk.wishes.wish(for: wish.member, on: list)?.rule == .borrow)
      try await desk.wishes.setRule(nil, for: wish.id, of: ada)
      try await desk.wishes.mark(list, of: ada, rule: .hold)
      #expect(try await desk.wishes.wish(wish.id)?.rule == .hold)
    }
  }
}

@Suite struct `A wish` {
  @Test(arguments: Engine.allCases)
  func `A wish is recognized when a library comes to have it`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      try await desk.add("Dune (Dune Chronicles, #1)", ["Herbert, Frank"], to: list)
      try await desk.wishes.mark(list, of: ada)
      #expect(try await desk.look().map(\.match) == [.none])
      // Nothing came: nothing is looked for.
      #expect(try await desk.wishes.recognize(in: desk.catalog) == 0)
      try await desk.stock("d", "Dune", by: "Frank Herbert")
      let work = try #require(try await desk.work("d"))
      #expect(try await desk.look().map(\.match) == [.sure(work)])
      #expect(try await desk.wishes.recognize(in: desk.catalog) == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A wish that its reader decided is asked about no more`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      try await desk.stock("e", "Selected Poems", by: "Ada Elm")
      try await desk.stock("f", "Selected Poems", by: "Bo Fern")
      try await desk.add("Selected Poems", to: list)
      try await desk.wishes.mark(list, of: ada)
      let wish = try #require(try await desk.look().first)
      let works = [try await desk.work("e"), try await desk.work("f")].compactMap(\.self)
      guard case .unsure(let choices) = wish.match else {
        Issue.record("\(wish.match)")
        return
      }
      #expect(Set(choices.map(\.work)) == Set(works) && choices.allSatisfy { !$0.why.isEmpty })
      // Another reader's word counts for nothing.
      try await desk.wishes.decide(works[1], for: wish.id, of: bob)
      #expect(try await desk.wishes.wish(wish.id)?.isDecided == false)
      try await desk.wishes.decide(works[1], for: wish.id, of: ada)
      try await desk.stock("g", "Selected Poems", by: "Cy Oak")
      let decided = try #require(try await desk.look().first)
      #expect(decided.match == .sure(works[1]) && decided.isDecided)
      try await desk.wishes.decide(nil, for: wish.id, of: ada)
      try await desk.stock("h", "Selected Poems", by: "Di Yew")
      #expect(try await desk.look().map(\.match) == [.none])
      #expect(try await desk.look().map(\.isDecided) == [true])

      // Until the book on the list is another one.
      try await desk.store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE reading_list_member SET title = 'Selected Poems, by Bo Fern'")
        try tx.execute("UPDATE reading_list_member SET authors = 'Bo Fern'")
      }
      let renewed = try #require(try await desk.look().first)
      #expect(renewed.id == wish.id && !renewed.isDecided && renewed.match != .none)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A wish that is only spelled otherwise keeps its story`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      try await desk.stock("d", "Dune", by: "Frank Herbert")
      let work = try #require(try await desk.work("d"))
      try await desk.add("Dune", ["F. Herbert"], to: list)
      try await desk.wishes.mark(list, of: ada)
      let wish = try #require(try await desk.look().first)
      try await desk.wishes.decide(work, for: wish.id, of: ada)
      let decided = try #require(try await desk.wishes.wish(wish.id))
      let seen = decided.watch.after(.available(asOf: 5, isSettled: true), settle: 0)
      let news = try #require(try await desk.wishes.note([(decided, seen)]).first)
      try await desk.wishes.close(news, isTold: true, deed: .borrowed)
      let closed = try #require(try await desk.wishes.wish(wish.id))

      func respell(_ title: String, _ isbn: String) async throws -> Wish? {
        try await desk.store.write { tx throws(DatabaseError) in
          try tx.execute(
            """
            UPDATE reading_list_member
            SET title = \(title), authors = 'Frank Herbert', isbns = \(isbn)
            """)
        }
        return try await desk.look().first
      }
      func keeps(_ now: Wish) -> Bool {
        now.id == closed.id && now.match == .sure(work) && now.isDecided
          && now.watch == closed.watch && now.deed == .borrowed && now.toldAt == closed.toldAt
      }
      // Other letters and a number; then another title of the same number.
      let folded = try #require(try await respell("DUNE!", "9780141439600"))
      #expect(folded.title == "DUNE!" && folded.authors == ["Frank Herbert"])
      #expect(folded.isbns.map(\.digits) == ["9780141439600"] && keeps(folded))
      let numbered = try #require(try await respell("Der Wüstenplanet", "9780141439600"))
      #expect(numbered.title == "Der Wüstenplanet" && keeps(numbered))
      #expect(try await desk.wishes.follow() == FollowTally())

      let other = try #require(try await respell("Emma", "9780141439587"))
      #expect(!other.isDecided && other.deed == nil && other.watch.state == .unknown)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A wish that was not found is looked for by its new words`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      try await desk.stock("d", "Dune", by: "Frank Herbert")
      let work = try #require(try await desk.work("d"))
      try await desk.add("Dune", ["Somebody Else"], to: list)
      try await desk.wishes.mark(list, of: ada)
      #expect(try await desk.look().first?.match != .sure(work))
      try await desk.store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE reading_list_member SET authors = 'Frank Herbert'")
      }
      #expect(try await desk.look().map(\.match) == [.sure(work)])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A wish goes with its work where that becomes part of another`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      try await desk.stock("d", "Dune", by: "Frank Herbert")
      try await desk.stock("x", "Dune: Deluxe Anniversary", by: "Bo Fern")
      let (one, two) = (
        try #require(try await desk.work("d")), try #require(try await desk.work("x"))
      )
      _ = try await desk.lists.add(
        ListedBook(work: two, title: "Dune: Deluxe Anniversary"), to: list, of: ada)
      try await desk.wishes.mark(list, of: ada)
      #expect(try await desk.look().map(\.match) == [.sure(two)])
      _ = try await desk.catalog.join(one, two)
      let left = try #require(try await desk.work("x"))
      #expect([one, two].contains(left))
      #expect(try await desk.look().map(\.match) == [.sure(left)])
    }
  }
}
