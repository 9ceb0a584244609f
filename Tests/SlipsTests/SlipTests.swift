import Circulation
import Crypto
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing
import Vault

@testable import Slips

private let (ada, bob) = (PatronID("ada"), PatronID("bob"))
private let borrow = Slip(
  .borrow, ItemID("{A-1}/ü"), on: AccountID("city"), of: WorkID("w7"), choice: "branch 3")

private func box(
  _ store: Store, _ clock: Clock, key: Secret = Secret("one key of this house")
) -> SlipBox {
  SlipBox(store: store, now: { clock.now }, key: { () throws(VaultError) in key })
}

private func error(_ body: () async throws -> Void) async -> SlipError? {
  await #expect(throws: SlipError.self) { try await body() }
}

@Suite struct `A slip` {
  @Test(arguments: Engine.allCases)
  func `A slip is handed over as it was written`(engine: Engine) async throws {
    try await withStore(engine) { store, clock in
      let box = box(store, clock)
      let plain = Slip(.giveBack, ItemID("i"), on: AccountID("a"), of: WorkID("w"))
      let texts = try await box.write([borrow, plain], for: ada)
      #expect(texts.count == 2)
      for (text, slip) in zip(texts, [borrow, plain]) {
        let handed = try await box.take(text, from: ada)
        #expect(handed.slip == slip && handed.outcome == nil)
        #expect(Address.isPlain(text))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A slip leaves nothing behind until it is handed over`(engine: Engine) async throws {
    try await withStore(engine) { store, clock in
      let texts = try await box(store, clock).write([borrow, borrow], for: ada)
      #expect(Set(texts).count == 2)
      #expect(try await count(store) == 0)
      _ = try await box(store, clock).take(texts[0], from: ada)
      #expect(try await count(store) == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `an action link is one attempt with one outcome, however often and wherever it is used`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      let (here, there) = (box(store, clock), box(store, clock))
      let text = try await here.write([borrow], for: ada)[0]
      let first = try await here.take(text, from: ada)
      let second = try await there.take(text, from: ada)
      #expect(first == second && first.outcome == nil)
      #expect(try await here.keep("lent", of: first, from: ada) == "lent")
      #expect(try await there.keep("in doubt", of: second, from: ada) == "lent")
      // Who did it is heard over who only saw it done, and never the other way round.
      let sure = try await there.keep("sure", of: second, from: ada, over: { $0 == "lent" })
      #expect(sure == "sure")
      #expect(try await here.keep("lent", of: first, from: ada, over: { _ in false }) == "sure")
      _ = try await here.keep("lent", of: first, from: ada, over: { $0 == "sure" })
      #expect(try await there.take(text, from: ada).outcome == "lent")
      // Also when it is too old to be handed over for the first time.
      clock.advance(by: 3_600_000)
      #expect(try await here.take(text, from: ada).outcome == "lent")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A slip of another reader is refused and leaves nothing`(engine: Engine) async throws {
    try await withStore(engine) { store, clock in
      let box = box(store, clock)
      let text = try await box.write([borrow], for: ada)[0]
      #expect(await error { _ = try await box.take(text, from: bob) } == .notYours)
      let handed = try await box.take(text, from: ada)
      _ = try await box.keep("lent", of: handed, from: ada)
      #expect(await error { _ = try await box.take(text, from: bob) } == .notYours)
      #expect(try await box.keep("mine", of: handed, from: bob) == "lent")
      #expect(try await count(store) == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A slip that was written elsewhere or changed on its way is refused`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store, clock in
      let box = box(store, clock)
      let text = try await box.write([borrow], for: ada)[0]
      let foreign = try await SlipBox(
        store: store, now: { clock.now }, key: { () throws(VaultError) in Secret("another key") }
      ).write([borrow], for: ada)[0]
      var texts = ["", "x", "====", String(repeating: "A", count: 5_000), foreign, text + "A"]
      let bytes = try Base64.urlSafe.decode(text)
      for bit in 0..<bytes.count * 8 {
        var changed = bytes
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        texts.append(Base64.urlSafe.encode(changed))
      }
      for text in texts {
        #expect(await error { _ = try await box.take(text, from: ada) } == .notYours)
      }
      #expect(try await count(store) == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A slip is void after some minutes, and when a clock was ahead`(engine: Engine) async throws
  {
    try await withStore(engine) { store, clock in
      let box = box(store, clock)
      let text = try await box.write([borrow], for: ada)[0]
      clock.advance(by: 20 * 60_000)
      #expect(await error { _ = try await box.take(text, from: ada) } == .expired)
      let early = try await box.write([borrow], for: ada)[0]
      clock.advance(by: -7_200_000)
      #expect(await error { _ = try await box.take(early, from: ada) } == .expired)
      #expect(try await count(store) == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A slip is forgotten after a week`(engine: Engine) async throws {
    try await withStore(engine) { store, clock in
      let box = box(store, clock)
      let text = try await box.write([borrow], for: ada)[0]
      let handed = try await box.take(text, from: ada)
      _ = try await box.keep("lent", of: handed, from: ada)
      clock.advance(by: 8 * 86_400_000)
      #expect(await error { _ = try await box.take(text, from: ada) } == .expired)
      #expect(try await count(store) == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A slip taken by many at once is one attempt`(engine: Engine) async throws {
    try await withStore(engine) { store, clock in
      let box = box(store, clock)
      let text = try await box.write([borrow], for: ada)[0]
      let attempts = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<8 { group.addTask { try await box.take(text, from: ada).attempt } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(attempts.count == 1)
      #expect(try await count(store) == 1)
    }
  }

  @Test func `A slip is not written while the vault is locked`() async throws {
    try await withStore(.sqlite) { store, clock in
      let box = SlipBox(
        store: store, now: { clock.now },
        key: { () throws(VaultError) -> Secret in throw .sealed })
      #expect(await error { _ = try await box.write([borrow], for: ada) } == .locked(.sealed))
      #expect(await error { _ = try await box.take("x", from: ada) } == .locked(.sealed))
    }
  }
}

private func count(_ store: Store) async throws -> Int {
  try await store.read { tx throws(DatabaseError) in
    try tx.value("SELECT count(*) FROM slip", as: Int.self)
  }
}

private enum Address {
  /// Whether it can stand in an address as it is.
  static func isPlain(_ text: String) -> Bool {
    text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }
}
