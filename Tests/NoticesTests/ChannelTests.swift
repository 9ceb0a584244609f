import Circulation
import Database
import HTTP
import Secrets
import StoreSupport
import TestSupport
import Testing
import Vault

@testable import Notices

@Suite(.timeLimit(.minutes(2))) struct `A channel` {
  @Test(arguments: Engine.allCases)
  func `A channel is its reader's own, under one name`(_ engine: Engine) async throws {
    try await withRoom(engine) { room in
      let notices = room.notices()
      let channel = try await notices.addHook("https://hooks.example/x") {
        $0.kinds = [.loanDue, .holdReady]
        $0.hours = Hours(quiet: .init(from: 1320, to: 420), digest: 480, zone: "Europe/Berlin")
        $0.tellsTitles = true
      }
      #expect(try await notices.channels(of: ada) == [channel])
      #expect(channel.kinds == [.loanDue, .holdReady] && channel.hours.zone == "Europe/Berlin")
      #expect(channel.shown == "https://hooks.example" && channel.tellsTitles)
      #expect(
        await error { _ = try await notices.addHook("https://x.example", name: "HOOK") }
          == .nameTaken("HOOK"))
      _ = try await notices.addHook("https://hooks.example/y", of: bob)
      #expect(
        await error { _ = try await notices.removeChannel(named: "no", of: ada) }
          == .unknownChannel("no"))
      #expect(try await notices.removeChannel(named: "Hook", of: ada) == channel)
      #expect(try await notices.channels(of: ada) == [])
      #expect(try await notices.channels(of: bob).count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A channel keeps where it leads sealed, under its own name`(_ engine: Engine) async throws {
    try await withRoom(engine) { room in
      let notices = room.notices()
      let (first, second) = (
        try await notices.addHook("https://hooks.example/marker-secret"),
        try await notices.addHook("https://other.example/", of: bob)
      )
      let rows = try await room.store.read { tx throws(DatabaseError) in
        try tx.rows("SELECT sealed FROM notice_channel ORDER BY id") {
          row throws(DatabaseError) -> [UInt8] in try row[0]
        }
      }
      let text = rows.map { String(decoding: $0, as: UTF8.self) }.joined()
      #expect(!text.contains("marker") && !text.contains("hooks.example"))
      // One reader's row in the place of another's does not open.
      try await room.store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE notice_channel SET sealed = \(rows[0]) WHERE id = \(second.id)")
      }
      #expect(await error { _ = try await notices.target(of: second) } == .damaged)
      guard case .webhook(let address, _) = try await notices.target(of: first) else {
        Issue.record("not a webhook")
        return
      }
      #expect(address.text == "https://hooks.example/marker-secret")
      // And it keeps nobody else waiting: it is switched off.
      try await notices.tell([.ready(bob)])
      #expect(try await notices.deliver(limit: 9).failed == 1)
      #expect(try await notices.channels(of: bob).first?.offBecause == "it cannot be opened")
    }
  }

  @Test func `A channel begins nothing while the vault is locked`() async throws {
    try await withRoom(.sqlite) { room in
      let notices = room.notices()
      _ = try await notices.addHook("https://hooks.example/x")
      let locked = room.notices(locked: true)
      #expect(try await locked.tell([.ready()]) == 1)
      #expect(await error { _ = try await locked.deliver(limit: 9) } == .locked(.sealed))
      #expect(
        await error { _ = try await locked.addHook("https://x.example", name: "x") }
          == .locked(.sealed))
      #expect(try await room.states() == ["waiting"])
    }
  }

  @Test func `a test of a notice channel reports its result at any hour and fills no inbox`()
    async throws
  {
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver(("201 Created", []), ("503 Busy", []))
      defer { receiver.stop() }
      let notices = room.notices()
      let channel = try await notices.addHook(receiver.address) {
        $0.hours = Hours(quiet: .init(from: 0, to: 1439), digest: 60)
        $0.kinds = []
      }
      #expect(
        try await notices.test("HOOK", of: ada) == [ChannelTrial(channel, nil)])
      #expect(try await notices.test(nil, of: ada).first?.trouble == "it answered 503")
      #expect(try await notices.log(of: ada).map(\.state) == ["failed", "sent"])
      #expect(try await notices.inbox(of: ada, onlyUnread: false) == [])
      #expect(try await notices.unreadCount(of: ada) == 0)
      #expect(await error { _ = try await notices.test("no", of: ada) } == .unknownChannel("no"))
    }
  }

  struct Bad: Sendable {
    let medium: Carrier
    let fields: [String: String]
    let field: String

    init(_ medium: Carrier, _ fields: [String: String], _ field: String) {
      (self.medium, self.fields, self.field) = (medium, fields, field)
    }
  }

  static let bad: [Bad] = [
    Bad(.webhook, ["address": "http://hooks.example/"], "address"),
    Bad(.webhook, ["address": "ftp://hooks.example/"], "address"),
    Bad(.webhook, ["address": "https://a:b@hooks.example/"], "address"),
    Bad(.webhook, [:], "address"),
    Bad(.webhook, ["address": "https://a.example", "key": "c2hvcnQ="], "key"),
    Bad(.webhook, ["address": "https://a.example", "key": "whsec_!"], "key"),
    Bad(.ntfy, ["server": "https://ntfy.example", "topic": "a b"], "topic"),
    Bad(.ntfy, ["server": "https://ntfy.example"], "topic"),
    Bad(.ntfy, ["server": "https://ntfy.example", "topic": "a", "token": "a\r\nb"], "token"),
    Bad(.push, ["endpoint": "https://push.example", "p256dh": "AAAA", "auth": "AAAA"], "p256dh"),
  ]

  @Test(arguments: bad)
  func `A channel that leads nowhere is refused`(_ bad: Bad) async throws {
    try await withRoom(.sqlite) { room in
      let notices = room.notices()
      let order = ChannelOrder(
        name: "x", medium: bad.medium, fields: bad.fields.mapValues { Secret($0) })
      #expect(await error { _ = try await notices.add(order, of: ada) } == .badField(bad.field))
      let kept = try await notices.channels(of: ada)
      #expect(kept == [])
    }
  }

  @Test func `A channel needs a way that the gateway has, a sound name, and a zone that there is`()
    async throws
  {
    try await withRoom(.sqlite) { room in
      let notices = room.notices()
      let mail = ChannelOrder(
        name: nil, medium: .email, fields: ["address": Secret("a@x.example")])
      #expect(await error { _ = try await notices.add(mail, of: ada) } == .noWay(.email))
      for name in ["", "-x", "a b", String(repeating: "x", count: 41)] {
        #expect(
          await error { _ = try await notices.addHook("https://a.example", name: name) }
            == .badName(name))
      }
      let lost = await error {
        _ = try await notices.addHook("https://a.example") { $0.hours.zone = "Moon/Crater" }
      }
      #expect(lost == .badField("zone"))
    }
  }
}

private func error(_ body: () async throws -> Void) async -> NoticeError? {
  await #expect(throws: NoticeError.self) { try await body() }
}
