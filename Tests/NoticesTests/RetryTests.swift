import Circulation
import Database
import HTTP
import HTTPClient
import Machine
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Notices

@Suite(.timeLimit(.minutes(3))) struct `A sending that fails` {
  @Test(arguments: Engine.allCases)
  func `A sending that fails waits longer each time, and as long as it is told to`(_ engine: Engine)
    async throws
  {
    try await withRoom(engine) { room in
      let receiver = try Receiver(
        ("503 Busy", []), ("429 Slow Down", ["Retry-After: 900"]), ("500 Oops", []))
      defer { receiver.stop() }
      let notices = room.notices()
      _ = try await notices.addHook(receiver.address)
      try await notices.tell([.ready()])
      for pause: Int64 in [30, 900, 600] {
        #expect(try await notices.deliver(limit: 9) == DeliveryTally(postponed: 1))
        room.clock.advance(by: pause * 1000 - 1)
        #expect(try await notices.deliver(limit: 9) == DeliveryTally())
        room.clock.advance(by: 1)
      }
      #expect(try await notices.deliver(limit: 9) == DeliveryTally(sent: 1))
      #expect(Set(receiver.posts.compactMap { $0.headers["webhook-id"] }).count == 1)
      #expect(try await notices.log(of: ada).map(\.state) == ["sent"])
    }
  }

  @Test(arguments: ["400 Bad", "401 Who", "302 There", "413 Large"])
  func `a notice that is refused permanently is not tried again`(_ status: String) async throws {
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver((status, ["Location: http://127.0.0.1:1/"]))
      defer { receiver.stop() }
      let notices = room.notices()
      let channel = try await notices.addHook(receiver.address)
      try await notices.tell([.ready()])
      #expect(try await notices.deliver(limit: 9) == DeliveryTally(failed: 1))
      room.clock.advance(by: 3_600_000)
      #expect(try await notices.deliver(limit: 9) == DeliveryTally())
      let line = try #require(try await notices.log(of: ada).first)
      #expect(line.state == "failed" && line.note == "it answered \(status.prefix(3))")
      #expect(try await notices.channels(of: ada) == [channel])
    }
  }

  @Test(arguments: Engine.allCases)
  func
    `since nobody is there any more switches its channel off, and the inbox and the others say so`(
      _ engine: Engine
    ) async throws
  {
    try await withRoom(engine) { room in
      let (gone, well) = (try Receiver(("410 Gone", [])), try Receiver())
      defer {
        gone.stop()
        well.stop()
      }
      let notices = room.notices()
      _ = try await notices.addHook(gone.address)
      _ = try await notices.addHook(well.address, name: "well") { $0.kinds = [.loanDue] }
      try await notices.tell([.ready(), .ready(ada, "hold-2")])
      while try await notices.deliver(limit: 9) != DeliveryTally() {}
      #expect(gone.posts.count == 1)
      #expect(try await notices.channels(of: ada).map(\.offBecause) == ["it answered 410", nil])
      let newest = try #require(try await notices.inbox(of: ada, onlyUnread: true).first)
      #expect(newest.kept.fact.kind == .channelOff)
      #expect(newest.wording.body.contains("hook was switched off: it answered 410"))
      #expect(well.posts.count == 1)
      #expect(String(decoding: well.posts[0].body, as: UTF8.self).contains("channel.off"))
      try await notices.tell([.ready(ada, "hold-3")])
      #expect(try await notices.deliver(limit: 9) == DeliveryTally())
    }
  }

  @Test func `three days of failed deliveries switch a notice channel off`() async throws {
    try await withRoom(.sqlite) { room in
      let notices = room.notices()
      // Nobody listens there.
      _ = try await notices.addHook("http://127.0.0.1:1/")
      for day in 0..<5 {
        try await notices.tell([.ready(ada, "hold-\(day)")])
        while try await notices.deliver(limit: 9) != DeliveryTally() {}
        room.clock.advance(by: 86_400_000)
      }
      #expect(
        try await notices.channels(of: ada).first?.offBecause
          == "no usable answer came from this address")
      let told = try await notices.inbox(of: ada, onlyUnread: false)
      #expect(told.count { $0.kept.fact.kind == .channelOff } == 1)
    }
  }

  @Test func `A sending that fails is dropped when it would be too late`() async throws {
    try await withRoom(.sqlite) { room in
      let notices = room.notices()
      _ = try await notices.addHook("http://127.0.0.1:1/")
      try await notices.tell([.ready(until: room.clock.now + 60_000)])
      #expect(try await notices.deliver(limit: 9).postponed == 1)
      room.clock.advance(by: 30_000)
      #expect(try await notices.deliver(limit: 9).postponed == 1)
      #expect(try await room.states() == ["dropped"])
    }
  }

  @Test func `A sending that fails reaches no address that the gate refuses`() async throws {
    let client = try Client(ClientConfiguration())
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices { $0.patrons = client.transport }
      _ = try await notices.addHook(receiver.address)
      _ = try await notices.addHook("https://10.0.0.7/in", name: "inside")
      _ = try await notices.addHook("https://2130706433/in", name: "number")
      let trials = try await notices.test(nil, of: ada)
      #expect(trials.count == 3)
      #expect(trials.allSatisfy { $0.trouble?.hasPrefix("the address is not allowed") == true })
      #expect(trials.allSatisfy { $0.told == "no usable answer came from this address" })
      #expect(trials.allSatisfy { $0.isSilence })
      #expect(receiver.posts.isEmpty)
    }
    await client.shutdown()
  }
}

@Suite struct `A channel's hours` {
  private static let day: Int64 = 86_400_000
  private static let midnight: Int64 = 1_795_305_600_000

  /// Hours of 22 November 2026, in UTC.
  private func told(_ hours: Hours, at hour: Double, until: Double? = nil, east: Int = 0) -> Double
  {
    let clock: Clockwork = { _ in east }
    let moment = hours.moment(
      from: Self.midnight + Int64(hour * 3_600_000),
      until: until.map { Self.midnight + Int64($0 * 3_600_000) }, clock)
    return Double(moment - Self.midnight) / 3_600_000
  }

  @Test func `quiet hours delay a notice unless it would come too late`() {
    let night = Hours(quiet: .init(from: 22 * 60, to: 7 * 60))
    #expect(told(night, at: 12) == 12)
    #expect(told(night, at: 21.99) == 21.99)
    #expect(told(night, at: 22) == 31)
    #expect(told(night, at: 3) == 7)
    #expect(told(night, at: 7) == 7)
    #expect(told(night, at: 23, until: 30) == 23)
    #expect(told(night, at: 23, until: 31.5) == 23)
    #expect(told(night, at: 23, until: 33) == 31)
    // Two hours east of here it is quiet two hours sooner.
    #expect(told(night, at: 20, east: 7_200) == 29)
  }

  @Test func `A channel's hours gather what is told together once a day`() {
    let morning = Hours(digest: 8 * 60)
    #expect(told(morning, at: 7) == 8)
    #expect(told(morning, at: 9) == 32)
    #expect(told(morning, at: 9, until: 20) == 9)
    let both = Hours(quiet: .init(from: 22 * 60, to: 9 * 60), digest: 8 * 60)
    #expect(told(both, at: 7) == 9)
  }

  @Test func `A channel's hours follow the clocks of the place they are of`() throws {
    let berlin = try #require(Zone(named: "Europe/Berlin"))
    // 25 October 2026, 01:00 UTC: clocks go back from three to two.
    let change: Int64 = 1_792_890_000
    #expect(berlin.secondsEast(at: Timestamp(secondsSinceEpoch: change - 1)) == 7_200)
    #expect(berlin.secondsEast(at: Timestamp(secondsSinceEpoch: change)) == 3_600)
    let night = Hours(quiet: .init(from: 22 * 60, to: 7 * 60))
    // At 22:30 of the evening before it is quiet until seven by the new time.
    let evening = (change - 4 * 3_600 - 1_800) * 1000
    let told = night.moment(from: evening, until: nil) { berlin.secondsEast(at: $0) }
    #expect(told == (change + 5 * 3_600) * 1000)
    #expect(Zone(named: "../passwd") == nil && Zone(named: "Nowhere/Else") == nil)
    #expect(Zone(named: "") == nil && Zone(named: "/etc/passwd") == nil)
  }
}
