import Circulation
import ReadingLists
import StoreSupport
import TestSupport
import Testing

@testable import Wishes

private let hour: Int64 = 3_600_000

private func watch(
  _ ages: [Int64?], wishes: Int? = nil, batch: Int = 25, now: Int64 = 1_000_000
) -> LibraryWatch {
  var items: [ItemID: Int64?] = [:]
  for (number, age) in ages.enumerated() {
    items[ItemID("i\(1000 + number)")] = .some(age.map { now - $0 })
  }
  return LibraryWatch(town, wishes: wishes ?? ages.count, items: items, batch: batch)
}

@Suite struct `How often a library is asked` {
  private let settings = AskingSettings()

  @Test(arguments: [1, 2, 5, 7, 25, 26, 99, 100, 101, 500, 5_000], [1, 25, 100, 1_000])
  func `How often a library is asked: never costs more than the budget`(wishes: Int, batch: Int) {
    let watch = watch(Array(repeating: 0, count: wishes), batch: batch)
    let interval = watch.interval(settings)
    #expect(interval >= hour)
    let questions = Int64((wishes + batch - 1) / batch)
    // Over many days, and over any single day in which more than one round fits.
    #expect(questions * 86_400_000 * 5 <= Int64(wishes) * interval)
    let rounds = (86_400_000 + interval - 1) / interval
    if rounds > 1 { #expect(rounds * questions * 5 <= Int64(wishes)) }
  }

  @Test func `How often a library is asked: follows from the batch and the number of wishes`() {
    // A hundred wishes at 25 to a question: four questions a round, twenty a day.
    #expect(watch(Array(repeating: 0, count: 100)).interval(settings) == 86_400_000 / 5)
    // One wish pays for a question in five days.
    #expect(watch([0]).interval(settings) == 5 * 86_400_000)
    // Never more often than that, however many there are.
    #expect(watch(Array(repeating: 0, count: 5_000), batch: 1_000).interval(settings) == hour)
    var generous = settings
    generous.atLeast = .seconds(86_400)
    #expect(watch([0]).interval(generous) == 86_400_000)
    generous.budget = 10_000
    #expect(watch([0]).interval(generous) == hour)
  }
}

@Suite struct `A round` {
  private let settings = AskingSettings()
  private let interval = 5 * 24 * hour

  private func questions(
    _ ages: [Int64?], wishes: Int = 1, batch: Int = 25, takesRound: Bool = true,
    takesNews: Bool = true
  ) -> [[String]] {
    watch(ages, wishes: wishes, batch: batch).questions(
      at: 1_000_000, settings, takesRound: takesRound, takesNews: takesNews
    ).map { $0.map(\.rawValue) }
  }

  @Test func `A round begins when the oldest answer is old enough`() {
    #expect(questions([interval - 1]).isEmpty)
    #expect(questions([interval]) == [["i1000"]])
    #expect(questions([interval], takesRound: false).isEmpty)
  }

  @Test func `A round is not needed for what somebody else asked lately`() {
    // A page or a harvest asked for both, so that the library is spared.
    #expect(questions([hour, 2 * hour]).isEmpty)
  }

  @Test func `A round asks at once about what nobody asked yet`() {
    #expect(questions([nil]) == [["i1000"]])
    #expect(questions([nil], takesNews: false).isEmpty)
  }

  @Test func `A round fills its last question with what comes due next`() {
    #expect(questions([nil, 2 * hour, hour, 3 * hour], batch: 3) == [["i1000", "i1003", "i1001"]])
    // What is older than half of the interval would come due before the next round.
    let half = interval / 2
    #expect(
      questions([interval, half, half - 1, hour], wishes: 4, batch: 1) == [["i1000"], ["i1001"]])
  }

  @Test(arguments: Engine.allCases)
  func `A round is begun by one of two at the same time`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let due = watch([nil], now: desk.clock.now)
      async let one = desk.wishes.round(at: due, settings)
      async let two = desk.wishes.round(at: due, settings)
      let rounds = [try await one, try await two].compactMap(\.self)
      #expect(rounds.count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A round that ended in silence has a pause`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      func begin(_ age: Int64?) async throws -> Round? {
        try await desk.wishes.round(at: watch([age], now: desk.clock.now), settings)
      }
      let silent = try #require(try await begin(nil))
      try await desk.wishes.end(silent, isAnswered: false)
      #expect(try await begin(nil) == nil)
      desk.clock.advance(by: hour - 1)
      #expect(try await begin(interval) == nil)
      desk.clock.advance(by: 1)
      let answered = try #require(try await begin(interval))
      // Whoever was late cannot end the round of another.
      try await desk.wishes.end(silent, isAnswered: true)
      #expect(try await begin(nil) == nil)
      try await desk.wishes.end(answered, isAnswered: true)
      #expect(try await begin(hour) == nil)
      #expect(try await begin(nil) != nil)
    }
  }
}

@Suite struct `What was seen of a wish` {
  @Test(arguments: Engine.allCases)
  func `What was seen of a wish: is kept once, whoever looked`(engine: Engine) async throws {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      try await desk.add("Dune", to: list)
      try await desk.wishes.mark(list, of: ada)
      let wish = try #require(try await desk.look().first)
      let seen = wish.watch.after(.available(asOf: 5, isSettled: true), settle: 0)
      let first = try await desk.wishes.note([(wish, seen)])
      // The other gateway looked at the same wish, and comes too late.
      let second = try await desk.wishes.note([(wish, seen)])
      #expect(first == second && first.first?.watch.turn == 1)
      let news = try #require(first.first)
      #expect(news.watch.isNews)
      desk.clock.advance(by: 7)
      try await desk.wishes.close(news, isTold: true)
      let closed = try #require(try await desk.wishes.wish(wish.id))
      #expect(!closed.watch.isNews && closed.toldAt == desk.clock.now)
      // Closed for an earlier time, it stays open for a later one.
      let away = closed.watch.after(.away(asOf: 9), settle: 0)
      let gone = try #require(try await desk.wishes.note([(closed, away)]).first)
      let back = gone.watch.after(.available(asOf: 11, isSettled: true), settle: 0)
      let again = try #require(try await desk.wishes.note([(gone, back)]).first)
      #expect(again.watch.turn == 2 && again.watch.isNews)
      try await desk.wishes.close(closed, isTold: false)
      #expect(try await desk.wishes.wish(wish.id)?.watch.isNews == true)
    }
  }

  @Test(arguments: Engine.allCases)
  func `What was seen of a wish: and done of it is written down before and after`(engine: Engine)
    async throws
  {
    try await Desk.open(engine) { desk in
      let list = try await desk.lists.create(named: "Later", for: ada).id
      try await desk.add("Dune", to: list)
      try await desk.wishes.mark(list, of: ada)
      let wish = try #require(try await desk.look().first)
      try await desk.wishes.begin(.borrowing, of: wish)
      #expect(try await desk.wishes.wish(wish.id)?.deed?.isOpen == true)
      // Told without a deed, nothing is said to have been done.
      try await desk.wishes.close(wish, isTold: true)
      #expect(try await desk.wishes.wish(wish.id)?.deed == nil)
      try await desk.wishes.close(wish, isTold: true, deed: .held)
      try await desk.wishes.close(wish, isTold: false)
      #expect(try await desk.wishes.wish(wish.id)?.deed == .held)
      try await desk.wishes.abandonDeed(of: wish)
      let left = try #require(try await desk.wishes.wish(wish.id))
      #expect(left.deed == nil && left.deedAt == desk.clock.now)
    }
  }
}
