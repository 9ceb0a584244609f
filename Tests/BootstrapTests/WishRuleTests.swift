import Circulation
import Database
import Desk
import Items
import MockKit
import Notices
import ReadingLists
import Setup
import TestSupport
import Testing
import Wishes

@testable import Bootstrap

private let hour = Duration.seconds(3600)
/// One look settles it.
private let often = ["wishes.ask_every": "1h", "wishes.budget": "10000"]

@Suite(.timeLimit(.minutes(2))) struct `A rule of a wish` {
  private func add(_ title: Title, _ rule: String, _ stage: WishStage) async throws {
    try await stage.wish(
      .add(WishedBook(title: title.name, authors: title.authors, isbn: nil), to: nil, rule: rule))
  }

  @Test(arguments: Engine.allCases)
  func `A rule of a wish borrows once, as soon as a copy is there`(engine: Engine) async throws {
    try await WishStage.play(engine, titles: 3, settings: often) { stage in
      try await stage.harvest()
      let title = try #require(stage.titles.first)
      try await add(title, "borrow", stage)
      try await stage.look()
      #expect(stage.loans() == [])
      stage.stock(title, copies: 1)
      try await stage.pass(hour * 2, every: hour)
      #expect(stage.loans() == [title.id])
      let told = try await stage.told()
      #expect(told.count == 1)
      #expect(told.first?.wording.body.contains("was borrowed for you") == true)
      let wish = try #require(try await stage.wishes().first)
      #expect(wish.deed == "borrowed" && wish.state == "on_loan")

      // Given back it is not borrowed for the reader again.
      _ = try await LinkedEngine().circulate(
        ShelfOrder(.giveBack, "ada-card:\(title.id)"), at: stage.seat)
      stage.stock(title, copies: 0)
      try await stage.pass(hour * 2, every: hour)
      stage.stock(title, copies: 1)
      try await stage.pass(hour * 2, every: hour)
      #expect(stage.loans() == [])
      #expect(try await stage.told().count == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A rule of a wish tells where the card has no room`(engine: Engine) async throws {
    try await WishStage.play(engine, titles: 4, settings: often) { stage in
      let titles = stage.titles
      stage.world.withState {
        $0.libraries[0].lending.change("23000000000001") { $0.loanLimit = 1 }
      }
      for title in titles { stage.stock(title, copies: 1) }
      try await stage.harvest()
      _ = try await LinkedEngine().circulate(
        ShelfOrder(.borrow(offer: nil, format: nil, dryRun: false), "ada-card:\(titles[0].id)"),
        at: stage.seat)
      try await add(titles[1], "borrow", stage)
      try await stage.look()
      #expect(stage.loans() == [titles[0].id])
      let told = try await stage.told()
      #expect(told.count == 1 && told.first?.kept.fact.matter.deed == nil)
      try await stage.pass(hour * 2, every: hour)
      #expect(try await stage.told().count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A rule of a wish borrows as many as the card takes, and tells of the others`(engine: Engine)
    async throws
  {
    try await WishStage.play(engine, titles: 4, settings: often) { stage in
      let titles = stage.titles
      for title in titles { stage.stock(title, copies: 1) }
      stage.world.withState {
        $0.libraries[0].lending.change("23000000000001") { $0.loanLimit = 2 }
      }
      try await stage.harvest()
      _ = try await LinkedEngine().check(nil, at: stage.seat)
      stage.clearJournal()
      try await stage.wishForAll(.borrow)
      try await stage.look()
      #expect(stage.loans().count == 2)
      #expect(stage.borrowings == 2, "nothing is asked for that the card cannot take")
      let deeds = try await stage.told().map(\.kept.fact.matter.deed)
      #expect(deeds.count == 4 && deeds.count { $0 == "borrowed" } == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A rule of a wish counts at once for what can be had already`(engine: Engine) async throws {
    try await WishStage.play(engine, titles: 3, settings: often) { stage in
      let title = try #require(stage.titles.first)
      stage.stock(title, copies: 1)
      try await stage.harvest()
      try await add(title, "tell", stage)
      try await stage.look()
      #expect(stage.loans() == [])
      try await add(title, "borrow", stage)
      try await stage.look()
      try await stage.look()
      #expect(stage.loans() == [title.id])
      #expect(try await stage.told().map(\.kept.fact.matter.deed) == ["borrowed", nil])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A rule of a wish borrows also what was only told of on another list`(engine: Engine)
    async throws
  {
    try await WishStage.play(engine, titles: 3, settings: often) { stage in
      let title = try #require(stage.titles.first)
      stage.stock(title, copies: 1)
      try await stage.harvest()
      try await stage.wishForAll(.tell)
      try await stage.look()
      #expect(stage.loans() == [])
      #expect(try await stage.told().count == 1)
      let patron = try await stage.patron()
      let list = try await stage.house.lists.create(named: "More", for: patron).id
      _ = try await stage.house.lists.add(
        ListedBook(work: nil, title: title.name, authors: title.authors), to: list, of: patron)
      try await stage.house.wishes.mark(list, of: patron, rule: .borrow)
      try await stage.look()
      try await stage.look()
      #expect(stage.loans() == [title.id])
      #expect(try await stage.told().count == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A rule of a wish joins the queue once, and tells what there is`(engine: Engine) async throws
  {
    try await WishStage.play(engine, titles: 3, settings: often) { stage in
      let title = try #require(stage.titles.first)
      stage.occupy(title)
      try await stage.harvest()
      try await add(title, "hold", stage)
      try await stage.look()
      #expect(stage.holds() == [title.id])
      let told = try await stage.told()
      #expect(told.first?.wording.body.contains("you are in it now") == true)
      try await stage.pass(hour * 2, every: hour)
      #expect(try await stage.wishes().first?.state == "on_hold")
      _ = try await LinkedEngine().circulate(
        ShelfOrder(.cancelHold, "ada-card:\(title.id)"), at: stage.seat)
      try await stage.pass(hour * 2, every: hour)
      // Whoever left the queue is not put into it again.
      #expect(stage.holds() == [])
      #expect(try await stage.told().count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A rule of a wish is told after somebody was killed between doing and telling`(
    engine: Engine
  ) async throws {
    try await WishStage.play(engine, titles: 3, settings: often) { stage in
      try await stage.harvest()
      let title = try #require(stage.titles.first)
      try await add(title, "borrow", stage)
      stage.stock(title, copies: 1)
      let patron = try await stage.patron()
      let wish = try #require(try await stage.house.wishes.wishes(of: patron).first)
      // What was done before the end came: written down, borrowed, and not a word more.
      try await stage.house.wishes.begin(.borrowing, of: wish)
      _ = try await LinkedEngine().circulate(
        ShelfOrder(.borrow(offer: nil, format: nil, dryRun: false), "ada-card:\(title.id)"),
        at: stage.seat)
      try await stage.look()
      try await stage.look()
      let told = try await stage.told()
      #expect(told.map(\.kept.fact.matter.deed) == ["borrowed"])
      #expect(stage.loans() == [title.id])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a wish rule notifies once, even if its gateway stopped before closing the wish`(
    engine: Engine
  ) async throws {
    try await WishStage.play(engine, titles: 3, settings: often) { stage in
      let title = try #require(stage.titles.first)
      stage.stock(title, copies: 1)
      try await stage.harvest()
      try await add(title, "tell", stage)
      try await stage.look()
      #expect(try await stage.told().count == 1)
      try await stage.house.store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE wish SET done_turn = 0, told_at = NULL")
      }
      try await stage.look()
      #expect(try await stage.told().count == 1)
      #expect(try await stage.wishes().first?.toldAt != nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A rule of a wish tells once, also where two look at the same time`(engine: Engine)
    async throws
  {
    try await WishStage.play(engine, titles: 3, settings: often) { stage in
      let title = try #require(stage.titles.first)
      stage.stock(title, copies: 1)
      try await stage.harvest()
      try await add(title, "borrow", stage)
      async let one = stage.look()
      async let two = stage.look()
      _ = try await (one, two)
      try await stage.look()
      #expect(stage.loans() == [title.id])
      #expect(try await stage.told().count == 1)
    }
  }
}
