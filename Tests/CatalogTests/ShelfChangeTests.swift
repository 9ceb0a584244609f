import Circulation
import Database
import Shelving
import TestSupport
import Testing

@testable import Catalog

/// A shelf list that has followed many changes shows what one that is read anew does.
@Suite struct `A shelf list that is kept` {
  /// Chance that repeats itself.
  private struct Dice {
    var state: UInt64 = 5

    mutating func roll(_ sides: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % sides
    }
  }

  private static func book(_ number: Int, _ dice: inout Dice) -> Edition {
    // Few names, so that editions meet in works, and come apart again.
    edition("b\(number)", "Tale \(dice.roll(25))", by: "Ann \(["Ash", "Birch"][dice.roll(2)])") {
      $0.popularity = Double(dice.roll(9))
      $0.added = "2020-01-0\(1 + dice.roll(9))"
      $0.languages = [["en", "de", "fr"][dice.roll(3)]]
      $0.subjects = [["Romance", "History"][dice.roll(2)]]
      $0.published = PartialDate(year: 1974 + dice.roll(8))
      $0.formats = [
        Format(
          id: "f", content: [Format.Content.epub, .audiobook][dice.roll(2)], protection: .none)
      ]
    }
  }

  private static let lanes: [Lane] = {
    var (now, queued, romance) = (LaneRule(), LaneRule(), LaneRule())
    (now.standing, queued.standing, romance.genres) = (.now, .queued, ["romance"])
    var best = LaneRule()
    best.bestLiked = 10
    var (late, other, named) = (LaneRule(), LaneRule(), LaneRule())
    // The clock of these tests stands at the beginning of 1970.
    late.addedWithin = -18_266
    (other.withoutGenres, other.forms, other.publishedWithin) = (["romance"], ["book"], -3000)
    named.subjects = ["History"]
    let lanes = [LaneRule(), now, queued, romance, best, late, other, named].enumerated().map {
      Lane(id: "lane\($0)", title: "Lane", .rule($1))
    }
    return lanes + [Lane(id: "all", title: "All", .group, lanes: Array(lanes[2...3]))]
  }()

  @Test(arguments: Engine.allCases)
  func `A shelf list that is kept has all in the places where one that is read anew has it`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { kept, store in
      var dice = Dice()
      try await kept.take((0..<120).map { Self.book($0, &dice) })
      for turn in 1...8 {
        // One book now and then, and many at once.
        let count = turn % 4 == 0 ? 60 : 2
        try await kept.take((0..<count).map { _ in Self.book(dice.roll(140), &dice) })
        let copies = Availability.Copies(total: 1, available: 0)
        let statuses: [Availability.Status] = [.openAccess, .queued(copies)]
        for _ in 0..<3 {
          let answer = available(statuses[dice.roll(2)], at: Double(turn))
          try await kept.note([ItemID("b\(dice.roll(120))"): answer], at: town)
        }
        let anew = Catalog(store: store, now: { 1_000 })
        for lane in Self.lanes {
          for order in LaneOrder.allCases {
            var query = LaneQuery(lane, libraries: [town], order: order, limit: 1000)
            #expect(try await kept.lane(query) == anew.lane(query))
            query.facets.language = "de"
            (query.offset, query.limit) = (3, 4)
            #expect(try await kept.lane(query) == anew.lane(query))
            query.facets.standing = .now
            #expect(try await kept.lane(query) == anew.lane(query))
          }
        }
      }
    }
  }

  /// More than are mended, and more than are told of; and a reader who comes late.
  @Test func `A shelf list that is kept is found anew where too much has changed`() async throws {
    try await withCatalog(.sqlite) { kept, store in
      var dice = Dice()
      let query = LaneQuery(Self.lanes[0], libraries: [town], limit: 1000)
      for count in [40, 1, 300, 1, 2500, 1] {
        try await kept.take((0..<count).map { Self.book($0, &dice) })
        let anew = Catalog(store: store, now: { 1_000 })
        #expect(try await kept.lane(query) == anew.lane(query))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A shelf list that is kept reads no more changes for one page than it may`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      let keeper = ShelfKeeper(most: 100)
      func count() async throws -> Int {
        try await store.read { snapshot throws(DatabaseError) in
          try keeper.current(in: snapshot, ordered: [.liking]).editions.count
        }
      }
      var dice = Dice()
      try await catalog.take((0..<150).map { Self.book($0, &dice) })
      // The first page needs all.
      #expect(try await count() == 150)
      try await catalog.take(
        (0..<250).map { Self.book($0 + 200, &dice) }, of: county, provider: lender)
      #expect(try await count() == 250)
      #expect(try await count() == 350)
      #expect(try await count() == 400)
      try await catalog.take([Self.book(9_999, &dice)])
      #expect(try await count() == 401)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A shelf list that is kept shows no title that was deleted while no page was asked for`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { kept, store in
      let named = LibraryID("https://catalog.example/opds")
      let query = LaneQuery(Self.lanes[0], libraries: [named], limit: 1000)
      for round in 0..<2 {
        try await kept.harvest(
          StubLender(titles: [(0..<10).map { "r\(round)-\($0)" }]), at: named)
      }
      #expect(try await kept.lane(query).total == 20)
      for _ in 0..<4 { try await kept.harvest(StubLender(titles: [["new"]]), at: named) }
      #expect(try await kept.lane(query).total == 1)
      #expect(try await kept.lane(query) == Catalog(store: store, now: { 1_000 }).lane(query))
    }
  }

  @Test func `A shelf list that is kept keeps its orders in pieces that grow, part and vanish`() {
    var dice = Dice()
    // Few keys, so that much stands in one place; the number decides among equals.
    var keys = (0..<3000).map { _ in dice.roll(50) }
    let precedes = { (one: Int32, other: Int32) in
      (keys[Int(one)], one) < (keys[Int(other)], other)
    }
    var there: Set<Int32> = []
    var ranking = Ranking()
    for turn in 0..<12_000 {
      let number = Int32(dice.roll(turn < 8000 ? 3000 : 30))
      if there.remove(number) != nil {
        ranking.remove(number)
        keys[Int(number)] = dice.roll(50)
      } else {
        there.insert(number)
        ranking.insert(number, by: precedes)
      }
      guard turn % 1000 == 999 else { continue }
      var walked: [Int32] = []
      ranking.walk { number in
        walked.append(Int32(number))
        return true
      }
      #expect(walked == there.sorted(by: precedes))
      #expect(ranking.count == there.count)
      #expect(
        walked.map { ranking.rank(of: Int($0)) }.sorted()
          == walked.map { ranking.rank(of: Int($0)) })
    }
  }
}
