import Circulation
import ProviderKit
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Registry

/// Somebody who has time, many addresses and a list of cards, against every gateway of a house.
@Suite struct `Whoever attacks the door` {
  /// Knows one card, and notes when it was asked for which.
  private final class Library: Sendable {
    let asked = Mutex<[(card: String, at: Int64)]>([])

    func keeper(_ house: House, _ settings: Doorkeeper.Settings = .init()) -> Doorkeeper {
      let registry = house.registry()
      return Doorkeeper(registry, settings) { knock, request throws(RegistryError) in
        let card = knock.card.revealText { $0 }
        self.asked.withLock { $0.append((card, house.clock.now)) }
        guard card == Self.card, knock.pin.matches(Secret(Self.pin)) else { return .success(nil) }
        return .success(
          try await registry.welcome(
            Member(
              of: LibraryID("town"), at: someProvider, identity: Secret("p-17"),
              credentials: Credentials(["card": knock.card, "pin": knock.pin]), keepsPIN: false),
            request: request))
      }
    }

    static let card = "21234000000018"
    static let pin = "4711"

    /// The most that fell into any stretch of this length.
    func most(in span: Int64) -> Int {
      let times = asked.withLock { $0.map(\.at) }
      return times.map { start in times.count { $0 >= start && $0 < start + span } }.max() ?? 0
    }
  }

  private static let day: Int64 = 86_400_000

  @Test(arguments: Engine.allCases)
  func `guessing PINs for one card reaches its library at most twenty times a day`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let library = Library()
      let keepers = [library.keeper(house), library.keeper(house)]
      var longest = 0
      // A word every five minutes, for nearly three days, each from somewhere else and in another way.
      for number in 0..<860 {
        let name = [Library.card, "2123 4000 0000 18", "town/\(Library.card)"][number % 3]
        let answer = try await keepers[number % 2].admit(name, "\(number)", from: "h\(number)")
        if case .slowed(let seconds) = answer { longest = max(longest, seconds) }
        house.clock.advance(by: 300_000)
      }
      #expect(library.most(in: Self.day) == 20)
      #expect(longest > 20 * 3_600 && longest <= 86_400)
      // Nor is there another way to the library by linking the card to one's own account.
      for (card, isTried) in [(Library.card, false), ("31234000000018", true)] {
        let trial = Doorkeeper.CardTrial(
          of: PatronID("mallory"), at: LibraryID("town"), number: Secret(card), pin: Secret("0000"),
          cookie: DeviceCookie(nil))
        let answer = await keepers[0].trying(trial, from: ClientAddress("x")) { .wrong }
        #expect((answer == .judged) == isTried)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a right PIN takes back nothing of the day, and a locked card is open again after a day`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let library = Library()
      let keeper = library.keeper(house)
      func guess(_ count: Int) async throws {
        for number in 0..<count {
          if number % 10 == 9 { house.clock.advance(by: 900_000) }
          _ = try await keeper.admit(Library.card, "\(number)", from: "h\(number)")
        }
      }
      try await guess(19)
      house.clock.advance(by: 900_000)
      #expect(try await keeper.admit(Library.card, Library.pin, from: "x").patron != nil)
      try await guess(2)
      #expect(library.most(in: Self.day) == 21, "nineteen, the right one, and one more")
      house.clock.advance(by: 900_000)
      let other = library.keeper(house)
      guard case .slowed(let seconds) = try await other.admit(Library.card, Library.pin) else {
        return #expect(Bool(false), "twenty-one words were heard")
      }
      #expect(seconds > 60_000)
      house.clock.advance(by: Int64(seconds) * 1000)
      #expect(try await other.admit(Library.card, Library.pin).patron != nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `wrong sign-ins from one address reach libraries at most thirty times an hour`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let library = Library()
      let keepers = [library.keeper(house), library.keeper(house)]
      for number in 0..<360 {
        _ = try await keepers[number % 2].admit("9\(number)000", "0000", from: "h")
        house.clock.advance(by: 10_000)
      }
      #expect(library.asked.withLock { $0.count } == 30)
    }
  }

  @Test(arguments: Engine.allCases)
  func `the sign-in limits hold in any hour and quarter of an hour, wherever it begins`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let library = Library()
      let keepers = [library.keeper(house), library.keeper(house)]
      // One word, and then many: just before the hour of the first is over, and again just after.
      _ = try await keepers[0].admit("90000", "0000", from: "h")
      for minutes in [59, 2, 57, 3, 30, 31] {
        house.clock.advance(by: Int64(minutes) * 60_000)
        for number in 0..<40 {
          let card = "\(minutes)\(house.clock.now / 60_000)00\(number)"
          _ = try await keepers[number % 2].admit(card, "0000", from: "h")
        }
      }
      #expect(library.most(in: 3_600_000) == 30)
      // Nor are more than ten words for one card heard in any quarter of an hour.
      let one = Library()
      let keeper = one.keeper(house)
      for minutes in [0, 14, 2] {
        house.clock.advance(by: Int64(minutes) * 60_000)
        let words = minutes == 0 ? 1 : 12
        for number in 0..<words {
          _ = try await keeper.admit(
            Library.card, "\(minutes)-\(number)", from: "p\(minutes)\(number)")
        }
      }
      #expect(one.most(in: 900_000) == 10)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a hundred sign-ins at once for one card reach its library at most ten times`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let library = Library()
      let keepers = [library.keeper(house), library.keeper(house)]
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            _ = try? await keepers[number % 2].admit(
              Library.card, "\(number)", from: "h\(number)")
          }
        }
      }
      #expect(library.asked.withLock { $0.count } <= 10)
    }
  }

  @Test(arguments: Engine.allCases)
  func `sign-in refuses known and unknown cards alike and after the same time`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      _ = try await registry.link(ada, "21234000000018")
      var settings = Doorkeeper.Settings()
      settings.wrongWordsPerName = 100_000
      settings.wrongWordsPerDay = 100_000
      settings.wrongWordsPerPlace = 100_000
      settings.wrongWordsPerNetwork = 100_000
      let keeper = Doorkeeper(registry, settings)
      let clock = ContinuousClock()
      var known: [Duration] = []
      var unknown: [Duration] = []
      // In turn, so that what the machine does meanwhile falls on both alike; the slowest tenth of
      // each is the machine's own.
      for number in 0..<200 {
        for (card, isKnown) in [("21234000000018", true), ("31234000000018", false)] {
          let started = clock.now
          #expect(try await keeper.admit(card, "x\(number)", from: "h") == .refused)
          let took = clock.now - started
          if isKnown { known.append(took) } else { unknown.append(took) }
        }
      }
      let (one, other) = (Self.mean(known), Self.mean(unknown))
      #expect(abs(one - other) < 5, "\(one) ms and \(other) ms")
    }
  }

  /// In milliseconds, of the quickest nine tenths.
  private static func mean(_ times: [Duration]) -> Double {
    let kept = times.sorted().prefix(times.count * 9 / 10)
    return kept.reduce(0) { $0 + $1 / .milliseconds(1) } / Double(kept.count)
  }
}
