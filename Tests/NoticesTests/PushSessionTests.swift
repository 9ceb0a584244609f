import Circulation
import Crypto
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Notices

@Suite(.timeLimit(.minutes(2))) struct `Push channels of a session` {
  private func add(_ name: String, session: String?, to notices: Notices) async throws {
    let point = Base64.urlSafe.encode(try ES256.PrivateKey().publicKey().point, padded: false)
    var order = ChannelOrder(
      name: name, medium: .push,
      fields: [
        "endpoint": Secret("https://push.example/\(name)"), "p256dh": Secret(point),
        "auth": Secret("AAAAAAAAAAAAAAAAAAAAAA"),
      ])
    order.session = session
    _ = try await notices.add(order, of: ada)
  }

  private func end(
    _ sessions: [String], successor: String? = nil, everywhere: Bool = false, in room: Room
  ) async throws -> [String] {
    try await room.store.write { tx throws(DatabaseError) in
      try tx.endPush(
        of: ada, sessions: sessions, successor: successor, isEverywhere: everywhere)
    }
    return try await room.notices().channels(of: ada).map(\.name)
  }

  @Test(arguments: Engine.allCases)
  func `a push channel ends with its session, and is taken over by the session that follows it`(
    engine: Engine
  ) async throws {
    try await withRoom(engine) { room in
      let notices = room.notices()
      _ = try await notices.addHook("https://hooks.example/x")
      try await add("one", session: "s1", to: notices)
      try await add("two", session: "s2", to: notices)
      try await add("old", session: nil, to: notices)
      #expect(try await end(["s9"], in: room) == ["hook", "old", "one", "two"])
      #expect(try await end(["s1"], in: room) == ["hook", "old", "two"])
      #expect(
        try await end(["s2"], successor: "s3", in: room) == ["hook", "old", "two"])
      #expect(try await end(["s2"], in: room) == ["hook", "old", "two"])
      try await notices.bind("TWO", of: ada, to: "s4")
      try await notices.bind("hook", of: ada, to: "s4")
      #expect(try await end(["s4"], in: room) == ["hook", "old"])
      #expect(try await end([], everywhere: true, in: room) == ["hook"])
    }
  }
}
