import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport
import OpenLibraryMock
import ProviderKit
import Secrets
import Synchronization

@testable import OpenLibrary

/// The adapter in front of the mock, whose clock it shares.
struct Played: Sendable {
  static let card = "23000000000001"
  static let keys = Credentials(["access": Secret(card), "secret": Secret("1111")])

  let open: OpenHouse
  let session: Session
  private let paths: Paths

  private final class Paths: Sendable {
    let seen = Mutex<[String]>([])
  }

  static func run(_ scenario: Scenario = .threeCards, _ body: (Played) async throws -> Void)
    async throws
  {
    let house = MockHouse(scenario, dialects: [OpenLibraryDialect.dialect])
    try await OpenHouse.run(house) { open in
      let clock = SessionClock(
        now: { .now },
        date: {
          Date(
            timeIntervalSince1970: Double(house.main.withState { $0.now.milliseconds }) / 1000)
        }, sleep: { _ throws(CancellationError) in })
      let paths = Paths()
      let session = Session(
        provider: ProviderID("open-library"), transport: open.client.transport, clock: clock,
        chance: { 0 }, journal: { entry in paths.seen.withLock { $0.append(entry.path) } })
      try await body(Played(open: open, session: session, paths: paths))
    }
  }

  func adapter(_ credentials: Credentials? = Played.keys) throws -> OpenLibraryProvider {
    let library = Library(
      id: LibraryID("l"), provider: ProviderID("open-library"), name: "L",
      endpoints: ["api": try Address(open.base + "/openlibrary")],
      settings: ["contact": "librarian@example.org"])
    return OpenLibraryProvider(
      settings: try Settings(library, credentials), session: session)
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(20), requestID: "r") }
  var journal: [String] { paths.seen.withLock { $0 } }

  var requests: [MockRequest] {
    open.house.main.withState { $0.journal.entries.map(\.request) }
  }

  func set(_ name: String, _ value: JSONValue) {
    open.house.main.withState { state in
      _ = state.change("demo", of: "open-library") { library, _ in library.settings[name] = value }
    }
  }

  /// Does something to Ada's lists at the service itself.
  func inLists(_ act: (inout ReadingRoom, Moment) -> Void) {
    open.house.main.withState { state in
      _ = state.change("demo", of: "open-library") { act(&$0.reading, $1) }
    }
  }

  func books(on list: String) -> [String] {
    open.house.main.withState {
      $0.library("demo", of: "open-library")?.reading.list(list, of: Self.card)?.books ?? []
    }
  }

  func listed(_ book: String) -> ReadingRoom.Entry? {
    open.house.main.withState {
      $0.library("demo", of: "open-library")?.reading.entry(of: book, by: Self.card)
    }
  }

  /// All cookies given out so far are good for nothing any more.
  func forgetVisitors() {
    open.house.main.withState { state in
      for text in state.tokens.handedOut { state.tokens.revoke(text) }
    }
  }
}

func reason(_ work: () async throws -> Void) async throws -> CirculationError.Reason? {
  do {
    try await work()
    return nil
  } catch let error as CirculationError {
    return error.reason
  }
}

extension ListID {
  static let wanted = ListID("want-to-read")
  static let reading = ListID("currently-reading")
  static let read = ListID("already-read")
  static let own = ListID("OL101L")
}
