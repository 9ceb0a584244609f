import Circulation
import Desk
import Items
import MockKit
import Notices
import Schedule
import Setup
import TestSupport
import Testing
import Wishes

@testable import Bootstrap

private let hour = Duration.seconds(3600)

@Suite(.timeLimit(.minutes(2))) struct `A day of wishes` {
  /// Two readers wish for everything: a hundred wishes at one library, 25 titles to a question.
  @Test(arguments: Engine.allCases)
  func `a wish costs a fifth of a library request a day and is reported within one interval`(
    engine: Engine
  ) async throws {
    try await WishStage.play(engine, titles: 50, readers: ["ada", "bruno"]) { stage in
      try await stage.harvest()
      for reader in ["ada", "bruno"] { try await stage.wishForAll(as: reader) }
      try await stage.look()
      let wishes = try await stage.wishes()
      #expect(wishes.count == 50 && wishes.allSatisfy { $0.state != "not_asked" })

      stage.clearJournal()
      try await stage.pass(hour * 24, every: .seconds(900))
      let asked = stage.questions
      #expect(asked > 0 && asked * 5 <= 100, "\(asked)")
      #expect(try await stage.told().isEmpty)

      // Two questions a round pay for ten rounds a day.
      let title = try #require(stage.titles.first)
      stage.stock(title, copies: 1)
      try await stage.pass(.seconds(144 * 60 + 900), every: .seconds(900))
      for reader in ["ada", "bruno"] {
        let told = try await stage.told(reader)
        #expect(told.map(\.kept.fact.kind) == [.wishAvailable])
        let matter = told.first?.kept.fact.matter
        #expect(matter?.title == title.name && matter?.card == "\(reader)-card")
        #expect(matter?.library == "City Library" && matter?.format != nil)
      }
      let wish = try #require(try await stage.wishes().first { $0.title == title.name })
      #expect(wish.state == "available" && wish.toldAt != nil && wish.since != nil)
      try await stage.pass(hour * 24, every: hour)
      #expect(try await stage.told().count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A day of wishes takes no flicker for news, and no silence for anything`(engine: Engine)
    async throws
  {
    let often = ["wishes.ask_every": "5m", "wishes.budget": "10000", "wishes.settle": "15m"]
    try await WishStage.play(engine, titles: 3, settings: often) { stage in
      try await stage.harvest()
      let title = try #require(stage.titles.first)
      try await stage.wish(
        .add(WishedBook(title: title.name, authors: title.authors, isbn: nil), to: nil, rule: nil))
      try await stage.pass(.seconds(300))
      for copies in [1, 0, 1, 0] {
        stage.stock(title, copies: copies)
        try await stage.pass(.seconds(300))
      }
      #expect(try await stage.told().isEmpty)

      stage.stock(title, copies: 1)
      try await stage.pass(.seconds(15 * 60))
      #expect(try await stage.told().isEmpty)
      try await stage.pass(.seconds(15 * 60))
      #expect(try await stage.told().count == 1)

      // Gone and back it is news again.
      stage.stock(title, copies: 0)
      try await stage.pass(.seconds(15 * 60))
      #expect(try await stage.wishes().first?.state != "available")
      stage.stock(title, copies: 2)
      try await stage.pass(.seconds(40 * 60))
      #expect(try await stage.told().count == 2)

      // The library falls silent: that is no word that the book is gone, nor that it came back.
      stage.add(Fault(name: "outage", kind: .status(503)))
      stage.calendar.pass(.seconds(900))
      let silent = try await stage.look()
      #expect(silent.word == "failed")
      #expect(try await stage.wishes().map(\.state) == ["available"])
      #expect(try await stage.told().count == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A day of wishes tells nothing of what the reader has, had or does not want`(
    engine: Engine
  ) async throws {
    try await WishStage.play(engine, titles: 5) { stage in
      let titles = stage.titles
      for title in titles { stage.stock(title, copies: 2) }
      try await stage.harvest()
      let linked = LinkedEngine()
      func item(_ title: Title) -> String { "ada-card:\(title.id)" }
      _ = try await linked.circulate(
        ShelfOrder(.borrow(offer: nil, format: nil, dryRun: false), item(titles[0])),
        at: stage.seat)
      _ = try await linked.decide(
        MyBookOrder(.ignore, item(titles[1])), at: stage.seat)
      _ = try await linked.decide(
        MyBookOrder(.finish(nil), item(titles[2])), at: stage.seat)
      try await stage.wishForAll()
      // On another list once more.
      try await stage.wish(
        .add(
          WishedBook(title: titles[3].name, authors: titles[3].authors, isbn: nil), to: nil,
          rule: nil))
      try await stage.look()
      try await stage.look()
      let told = try await stage.told().compactMap(\.kept.fact.matter.title)
      #expect(Set(told) == Set(titles[3...].map(\.name)) && told.count == 2)
      #expect(
        try await stage.wishes().first { $0.title == titles[0].name }?.state == "on_loan")
    }
  }
}
