import Circulation
import Database
import HTTP
import HTTPClient
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Notices

@Suite(.timeLimit(.minutes(2))) struct `Limits of channels and short messages` {
  private static func add(
    _ name: String, _ number: String, of patron: PatronID = ada, _ notices: Notices
  ) async throws -> AddedChannel {
    try await notices.add(
      ChannelOrder(name: name, medium: .sms, fields: ["number": Secret(number)]), of: patron)
  }

  private static func paid(_ room: Room, _ receiver: Receiver) throws -> Notices {
    let address = try Address(receiver.address)
    return room.notices {
      $0.shortMessages = .post(address, over: $0.patrons, body: "to={to}", authorization: nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a patron has twenty channels, and can add another after removing one`(
    _ engine: Engine
  ) async throws {
    try await withRoom(engine) { room in
      let notices = room.notices()
      for number in 0..<20 {
        _ = try await notices.addHook("https://hooks.example/x", name: "hook-\(number)")
      }
      #expect(
        await error { _ = try await notices.addHook("https://hooks.example/x", name: "more") }
          == .tooManyChannels(20))
      #expect(try await notices.channels(of: ada).count == 20)
      _ = try await notices.addHook("https://hooks.example/x", of: bob)
      _ = try await notices.removeChannel(named: "hook-7", of: ada)
      _ = try await notices.addHook("https://hooks.example/x", name: "more")
    }
  }

  @Test(arguments: Engine.allCases)
  func `codes, tests and notices are short messages of one day, over all gateways`(
    _ engine: Engine
  ) async throws {
    try await withRoom(engine) { room in
      var room = room
      room.settings.mostShortMessages = 3
      let receiver = try Receiver()
      defer { receiver.stop() }
      let gateways = [try Self.paid(room, receiver), try Self.paid(room, receiver)]
      _ = try await Self.add("one", "+4930123456", gateways[0])
      try await room.confirmAll()
      #expect(try await gateways[1].test("one", of: ada).first?.trouble == nil)
      try await gateways[0].tell([.ready()])
      #expect(try await gateways[1].deliver(limit: 9).sent == 1)
      #expect(try await gateways[0].shortMessageDay() == ShortMessageDay(sent: 3, limit: 3))

      let full = "the limit of short messages of this day is reached"
      #expect(try await Self.add("two", "+4930123457", of: bob, gateways[1]).code?.trouble == full)
      #expect(try await gateways[0].test("one", of: ada).first?.trouble == full)
      try await gateways[0].tell([.ready(ada, "hold-2")])
      #expect(try await gateways[0].deliver(limit: 9) == DeliveryTally(postponed: 1))
      #expect(receiver.posts.count == 3)
      // That is no fault of the channel's.
      let since = try await room.store.read { tx throws(DatabaseError) in
        try tx.value(
          "SELECT count(*) FROM notice_channel WHERE failing_since IS NOT NULL", as: Int.self)
      }
      #expect(since == 0)

      // Noon was it; after midnight it is sent.
      room.clock.advance(by: 12 * 3_600_000 + 2_000)
      #expect(try await gateways[0].deliver(limit: 9).sent == 1)
      #expect(try await gateways[1].shortMessageDay() == ShortMessageDay(sent: 1, limit: 3))
    }
  }

  @Test func `one patron gets thirty short messages a day, and others still theirs`() async throws {
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = try Self.paid(room, receiver)
      _ = try await Self.add("one", "+4930123456", notices)
      _ = try await Self.add("two", "+4930123457", of: bob, notices)
      try await room.confirmAll()
      try await notices.tell((0..<40).map { .ready(ada, "hold-\($0)") })
      #expect(try await notices.deliver(limit: 99) == DeliveryTally(sent: 29, postponed: 11))
      try await notices.tell([.ready(bob)])
      #expect(try await notices.deliver(limit: 99).sent == 1)
      #expect(try await notices.shortMessageDay()?.sent == 32)
    }
  }
}

private func error(_ body: () async throws -> Void) async -> NoticeError? {
  await #expect(throws: NoticeError.self) { try await body() }
}
