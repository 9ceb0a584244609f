import Circulation
import Secrets
import StoreSupport
import TestSupport
import Testing
import Vault

@testable import Slips

@Suite struct `A key that a client gives its request` {
  private let ada = PatronID("ada")
  private let bob = PatronID("bob")
  private let slip = Slip(.giveBack, ItemID("{A-1}/ü"), on: AccountID("city"), of: WorkID("w7"))
  private let other = Slip(.borrow, ItemID("i"), on: AccountID("city"), of: WorkID("w8"))

  private func key(_ patron: PatronID, _ route: String = "revoke", _ request: String = "a")
    -> RequestKey
  {
    RequestKey("0123456789abcdef", of: patron, on: route, asking: request)
  }

  @Test(arguments: Engine.allCases)
  func `an idempotency key stands for one request and its outcome everywhere for a week`(
    engine: Engine
  )
    async throws
  {
    try await withStore(engine) { store, clock in
      let boxes = [0, 1].map { _ in
        SlipBox(store: store, now: { clock.now }, key: { () throws(VaultError) in Secret("k") })
      }
      let key = key(ada)
      #expect(try await boxes[0].slip(of: key) == nil)
      let noted = try await boxes[0].note(slip, as: key, of: ada)
      #expect(noted.slip == slip && noted.outcome == nil && noted.attempt == key.attempt)
      // Who comes later with the same key hears of the first.
      #expect(try await boxes[1].note(other, as: key, of: ada) == noted)
      #expect(try await boxes[1].keep("done", of: noted, from: ada) == "done")
      for box in boxes { #expect(try await box.slip(of: key)?.outcome == "done") }
      clock.advance(by: (7 * 86_400 - 1) * 1000)
      #expect(try await boxes[0].slip(of: key)?.outcome == "done")
      clock.advance(by: 2000)
      #expect(try await boxes[0].slip(of: key) == nil)
      #expect(try await boxes[0].note(other, as: key, of: ada).slip == other)
    }
  }

  @Test(arguments: Engine.allCases)
  func `an idempotency key is refused with another request and is separate by reader and route`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      let box = SlipBox(
        store: store, now: { clock.now }, key: { () throws(VaultError) in Secret("k") })
      _ = try await box.note(slip, as: key(ada), of: ada)
      await #expect(throws: SlipError.keyDiffers) {
        try await box.slip(of: key(ada, "revoke", "b"))
      }
      await #expect(throws: SlipError.keyDiffers) {
        try await box.note(slip, as: key(ada, "revoke", "b"), of: ada)
      }
      #expect(try await box.slip(of: key(bob)) == nil)
      #expect(try await box.slip(of: key(ada, "borrow")) == nil)
    }
  }

  @Test func `A key that a client gives its request has 16 to 255 characters that can be printed`()
  {
    #expect(RequestKey.isFit(String(repeating: "a", count: 16)))
    #expect(RequestKey.isFit(String(repeating: "~", count: 255)))
    let long = String(repeating: "a", count: 256)
    for unfit in ["", "short", long, "0123456789 abcdef", "ü123456789abcdef"] {
      #expect(!RequestKey.isFit(unfit))
    }
  }
}
