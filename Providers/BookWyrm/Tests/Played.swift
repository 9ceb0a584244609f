import BookWyrmMock
import Circulation
import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport
import ProviderKit
import Secrets

@testable import BookWyrm

/// The adapter in front of the mock, for a reader who gave an address.
struct Played: Sendable {
  static let card = "23000000000001"
  static let dialects = [BookWyrmDialect.dialect]
  static let name = Furnishing.user(of: card)

  let open: OpenHouse
  let session: Session

  static func run(
    _ scenario: Scenario = .threeCards, quirks: [String] = [],
    _ body: (Played) async throws -> Void
  ) async throws {
    let house = MockHouse(scenario, dialects: dialects)
    try await OpenHouse.run(house) { open in
      let session = Session(
        provider: BookWyrmProvider.listing.id, transport: open.client.transport, chance: { 0 })
      let played = Played(open: open, session: session)
      played.set("quirks", .array(quirks.map { .string($0) }))
      try await body(played)
    }
  }

  var home: String { open.base + "/bookwyrm" }
  var address: String { "\(home)/user/\(Self.name)" }

  /// As in one run.
  func adapter(_ profile: String? = nil, shelves: String? = nil) throws -> BookWyrmProvider {
    var fields = ["profile": Secret(profile ?? address)]
    fields["shelves"] = shelves.map { Secret($0) }
    let library = Library(
      id: LibraryID("bookwyrm"), provider: BookWyrmProvider.listing.id, name: "BookWyrm",
      endpoints: [:])
    return BookWyrmProvider(
      settings: try Settings(library, Credentials(fields)), session: session)
  }

  func whole(_ list: String, _ adapter: BookWyrmProvider? = nil) async throws -> WholeList {
    try await (adapter ?? self.adapter()).wholeList(ListID(list), in: call)
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(20), requestID: "r") }

  // MARK: - The other side

  func set(_ name: String, _ value: JSONValue) {
    open.house.main.withState { state in
      _ = state.change("demo", of: BookWyrmDialect.name) { library, _ in
        library.settings[name] = value
      }
    }
  }

  func books(on list: String) -> [String] {
    open.house.main.withState {
      $0.library("demo", of: BookWyrmDialect.name)?.reading.entries(on: list, of: Self.card)
        .map { "\(home)/book/\($0.book)" } ?? []
    }
  }

  func title(_ item: ItemID) -> Title? {
    let number = item.rawValue.split(separator: "/").last.map(String.init) ?? ""
    return open.house.main.withState {
      $0.library("demo", of: BookWyrmDialect.name)?.lending.titles[number]
    }
  }

  func asked(_ operation: String) -> Int {
    open.house.main.withState { $0.journal.entries.count { $0.operation == operation } }
  }

  func arm(_ kind: Fault.Kind, _ count: Fault.Count = .always, on operation: String) {
    var fault = Fault(name: "down", kind: kind)
    (fault.operation, fault.count) = (operation, count)
    open.house.main.withState { $0.faults.add(fault) }
  }

  func mend() { open.house.main.withState { $0.faults.removeAll() } }
}

func refusal(_ work: () async throws -> Void) async throws -> CirculationError? {
  do {
    try await work()
    return nil
  } catch let error as CirculationError {
    return error
  }
}
