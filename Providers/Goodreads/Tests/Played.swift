import Circulation
import FoundationEssentials
import GoodreadsMock
import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport
import ProviderKit
import Secrets
import Synchronization

@testable import Goodreads

/// The adapter in front of the mock, with a clock that stands where the mock's stands unless it is
/// moved.
struct Played: Sendable {
  static let card = "23000000000001"
  static let pin = "1111"

  let open: OpenHouse
  let session: Session
  let gap: Mutexed

  /// How far our clock is from the service's.
  final class Mutexed: Sendable {
    private let seconds = Mutex(0.0)
    var value: Double {
      get { seconds.withLock { $0 } }
      set { seconds.withLock { $0 = newValue } }
    }
  }

  static func run(
    _ scenario: Scenario = .threeCards, quirks: [String] = [],
    _ body: (Played) async throws -> Void
  ) async throws {
    let house = MockHouse(scenario, dialects: [GoodreadsDialect.dialect])
    try await OpenHouse.run(house) { open in
      let gap = Mutexed()
      let clock = SessionClock(
        now: { .now },
        date: {
          let now = house.main.withState { $0.now }
          return Date(timeIntervalSince1970: Double(now.milliseconds) / 1000 + gap.value)
        }, sleep: { _ throws(CancellationError) in })
      let session = Session(
        provider: ProviderID("goodreads"), transport: open.client.transport, clock: clock,
        chance: { 0 })
      let played = Played(open: open, session: session, gap: gap)
      played.set("quirks", .array(quirks.map(JSONValue.string)))
      try await body(played)
    }
  }

  func library(key: String = Furnishing.key) throws -> Library {
    Library(
      id: LibraryID("l"), provider: ProviderID("goodreads"), name: "L",
      endpoints: [
        "api": try Address(open.base + "/goodreads"),
        "feeds": try Address(open.base + "/goodreads"),
      ], secrets: ["key": Secret(key), "secret": Secret(Furnishing.secret)])
  }

  func adapter(pin: String = Played.pin, key: String = Furnishing.key) throws -> GoodreadsProvider {
    let credentials = Credentials([
      "token": Secret(Self.card), "token_secret": Secret(pin),
      "user_id": Secret(Furnishing.userID(of: Self.card)),
    ])
    return GoodreadsProvider(
      settings: try Settings(try library(key: key), credentials), session: session)
  }

  func feed(_ profile: String? = nil, shelves: String? = nil) throws -> GoodreadsFeedProvider {
    var fields = ["profile": Secret(profile ?? Furnishing.userID(of: Self.card))]
    fields["shelves"] = shelves.map { Secret($0) }
    return GoodreadsFeedProvider(
      feeds: try Address(open.base + "/goodreads"), profile: Profile(Credentials(fields)),
      session: session)
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(20), requestID: "r") }

  // MARK: - The other side

  func set(_ name: String, _ value: JSONValue) {
    open.house.main.withState { state in
      _ = state.change("demo", of: "goodreads") { library, _ in library.settings[name] = value }
    }
  }

  func change(_ edit: @Sendable (inout ReadingRoom, Moment) -> Void) {
    open.house.main.withState { state in
      _ = state.change("demo", of: "goodreads") { library, now in edit(&library.reading, now) }
    }
  }

  var room: ReadingRoom {
    open.house.main.withState { $0.library("demo", of: "goodreads")?.reading ?? ReadingRoom() }
  }

  func books(on list: String) -> [String] {
    room.entries(on: list, of: Self.card).map(\.book)
  }

  var operations: [String] {
    open.house.main.withState { $0.journal.entries.map(\.operation) }
  }

  func forget() { open.house.main.withState { $0.journal.clear() } }
}

func reason(_ work: () async throws -> Void) async throws -> CirculationError? {
  do {
    try await work()
    return nil
  } catch let error as CirculationError {
    return error
  }
}
