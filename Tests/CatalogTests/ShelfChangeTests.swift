import Catalog
import Circulation
import Shelving
import TestSupport
import Testing

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
    return [LaneRule(), now, queued, romance, best].enumerated().map {
      Lane(id: "lane\($0)", title: "Lane", .rule($1))
    }
  }()

  @Test(arguments: Engine.allCases)
  func `has all in the places where one that is read anew has it`(engine: Engine) async throws {
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
          }
        }
      }
    }
  }
}
