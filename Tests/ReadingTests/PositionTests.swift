import Circulation
import Database
import StoreSupport
import TestSupport
import Testing

@testable import Reading

private let (ada, bob) = (PatronID("ada"), PatronID("bob"))

private func error(_ body: () async throws -> Void) async -> PositionError? {
  await #expect(throws: PositionError.self) { try await body() }
}

private func at(
  _ progress: Double, in document: String = "d1", on device: String = "kobo", at moment: Int64 = 0,
  place: String = "/body/p[3]"
) -> Position {
  Position(
    document: document, progress: progress, place: place, device: device, deviceID: "id-\(device)",
    at: moment)
}

@Suite struct `The place in a book` {
  @Test(arguments: Engine.allCases)
  func `The place in a book is the one that came last, whichever device it came from`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      let positions = Positions(store: store, now: { clock.now })
      #expect(try await positions.position(in: "d1", of: ada) == nil)
      _ = try await positions.keep(at(0.25), of: ada)
      clock.advance(by: 7)
      let kept = try await positions.keep(at(0.2, on: "phone", at: 5), of: ada)
      #expect(kept.at == 1_000_007)
      #expect(try await positions.position(in: "d1", of: ada) == kept)
      #expect(try await positions.position(in: "d1", of: bob) == nil)
      #expect(try await positions.position(in: "d2", of: ada) == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The place in a book told with its time gives way to a newer one only`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store, clock in
      let positions = Positions(store: store, now: { clock.now })
      let kept = try await positions.keepNewer(at(0.5, at: 900_000), of: ada)
      #expect(kept.at == 900_000)
      #expect(
        await error { _ = try await positions.keepNewer(at(0.6, at: 899_999), of: ada) }
          == .older(than: kept))
      #expect(try await positions.position(in: "d1", of: ada) == kept)
      // The same once more, as after a lost answer.
      #expect(try await positions.keepNewer(at(0.5, at: 900_000), of: ada) == kept)
      let later = try await positions.keepNewer(at(0.1, at: 900_001), of: ada)
      #expect(try await positions.position(in: "d1", of: ada) == later)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The place in a book from a clock that is ahead counts from now`(engine: Engine) async throws
  {
    try await withStore(engine) { store, clock in
      let positions = Positions(store: store, now: { clock.now })
      let kept = try await positions.keepNewer(at(0.5, at: .max), of: ada)
      #expect(kept.at == clock.now)
      clock.advance(by: 1)
      #expect(try await positions.keepNewer(at(0.6, at: clock.now), of: ada).progress == 0.6)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The place in a book is kept for so many books; the longest unopened go first`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      var settings = Positions.Settings()
      settings.mostDocuments = 3
      let positions = Positions(store: store, settings: settings, now: { clock.now })
      for number in 1...5 {
        clock.advance(by: 1)
        _ = try await positions.keep(at(0.5, in: "d\(number)"), of: ada)
        _ = try await positions.keep(at(0.5, in: "d1"), of: bob)
      }
      var left: [String] = []
      for number in 1...5 where try await positions.position(in: "d\(number)", of: ada) != nil {
        left.append("d\(number)")
      }
      #expect(left == ["d3", "d4", "d5"])
      #expect(try await positions.position(in: "d1", of: bob) != nil)
    }
  }

  @Test(arguments: [
    at(1.01), at(-0.1), at(.nan), at(.infinity), at(0.5, in: ""),
    at(0.5, in: String(repeating: "x", count: 257)), at(0.5, in: "a\u{0}"),
    at(0.5, place: String(repeating: "x", count: 4_097)), at(0.5, on: "a\u{0}"),
  ])
  func `The place in a book that no app means is refused`(position: Position) async throws {
    try await withStore(.sqlite) { store, clock in
      let positions = Positions(store: store, now: { clock.now })
      #expect(await error { _ = try await positions.keep(position, of: ada) } == .unsound)
      #expect(await error { _ = try await positions.keepNewer(position, of: ada) } == .unsound)
    }
  }
}
