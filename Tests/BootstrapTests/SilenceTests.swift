import Circulation
import Log
import Machine
import MockKit
import Notices
import Schedule
import TestSupport
import Testing

@testable import Bootstrap

@Suite(.timeLimit(.minutes(2))) struct `A library that falls silent` {
  @Test(arguments: Engine.allCases)
  func `A library that falls silent is told of once, and not at once`(engine: Engine) async throws {
    try await WishStage.play(engine, titles: 2) { stage in
      let reader = try await stage.patron().rawValue
      func passed(_ days: Int64) async throws -> [NoticeKind] {
        stage.calendar.pass(.seconds(days * 86_400))
        _ = await DueWork.syncing.perform(stage.house, reader, .silent)
        _ = await DueWork.watching.perform(stage.house, wholeHouse, .silent)
        return try await stage.told().map(\.kept.fact.kind)
      }
      #expect(try await passed(0).isEmpty)
      stage.add(Fault(name: "outage", kind: .status(503)))
      #expect(try await passed(0).isEmpty, "not at once")
      #expect(try await passed(9) == [.syncBroken])
      let matter = try await stage.told().first?.kept.fact.matter
      #expect(matter?.library == "City Library" && matter?.card == "ada-card")
      #expect(matter?.reason?.isEmpty == false)
      #expect(try await passed(1).count == 1)
    }
  }
}
