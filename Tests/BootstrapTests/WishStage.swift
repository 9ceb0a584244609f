import Catalog
import Circulation
import Foundation
import Items
import JSON
import Log
import Machine
import MockKit
import MockSupport
import Notices
import OverDriveMock
import ReadingLists
import Registry
import Schedule
import Secrets
import Setup
import Synchronization
import TestSupport
import Wishes

@testable import Bootstrap

/// The kinds of database, and not what stands behind commands.
typealias Engine = TestSupport.Engine

/// A calendar that stands still until it is moved. Deadlines run by the machine's own clock: what is
/// behind them is a real connection.
final class Calendar: Sendable {
  private let moment: Mutex<Timestamp>

  init(at moment: Timestamp) { self.moment = Mutex(moment) }

  var now: Timestamp { moment.withLock { $0 } }
  func pass(_ span: Duration) { moment.withLock { $0 += span } }

  var time: Machine.Time {
    let system = Machine.Time.system
    return Machine.Time(
      now: { self.now }, monotonic: system.monotonic, sleepUntil: system.sleepUntil)
  }
}

/// A house with readers, and a library that really lends.
struct WishStage: Sendable {
  let house: House
  let calendar: Calendar
  let world: MockWorld
  let seat: Seat
  private let engine = LinkedEngine()

  static let readers = [
    "ada": ("23000000000001", "1111"), "bruno": ("23000000000002", "2222"),
  ]

  /// So many titles at the library, no copy of any in.
  static func play(
    _ engine: Engine, titles: Int, settings: [String: String] = [:],
    readers: [String] = ["ada"], _ body: (WishStage) async throws -> Void
  ) async throws {
    let start = Machine.Time.system.now()
    let calendar = Calendar(at: start)
    var scenario = Scenario("wishes", "no copy of any title is in")
    scenario.titles = titles
    scenario.arrange = { library, now in
      for id in library.order { library.setCopies(.counted(0), of: id, at: now) }
    }
    let mocks = MockHouse(
      scenario, at: Moment(milliseconds: start.millisecondsSinceEpoch),
      dialects: [OverDriveDialect.dialect])
    try await engine.withAddress { address in
      try await OpenHouse.run(mocks) { open in
        try await withTemporaryFolder { folder in
          let stage = try await WishStage(
            mocks.main, calendar,
            prepared(mocks.main, at: open.base, folder, settings, database: address))
          let result: Result<Void, any Error>
          do {
            for reader in readers { try await stage.link(reader) }
            result = .success(try await body(stage))
          } catch {
            result = .failure(error)
          }
          await stage.house.close()
          try result.get()
        }
      }
    }
  }

  private init(_ world: MockWorld, _ calendar: Calendar, _ seat: Seat) async throws {
    (self.world, self.calendar, self.seat) = (world, calendar, seat)
    house = try await House(seat, time: calendar.time)
  }

  private static func prepared(
    _ world: MockWorld, at base: String, _ folder: TestSupport.TemporaryFolder,
    _ settings: [String: String],
    database: String
  ) throws -> Seat {
    let library = MockHouse.readyLine(world, at: base)["libraries"]?[0] ?? .null
    let endpoints = library["endpoints"] ?? .null
    func value(_ key: String) -> String { endpoints[key]?.string ?? endpoints[key]?.text() ?? "" }
    var text = """
      http:
        allow_hosts: [127.0.0.1]
      libraries:
        city:
          provider: overdrive
          name: City Library
          endpoints:
            discovery: \(value("discovery"))
            patron: \(value("patron"))
            oauth: \(value("oauth"))
            patron_oauth: \(value("patron_oauth"))
          library_id: \(value("library_id"))
          website_id: \(value("website_id"))
          authorization_name: \(value("ils_name"))
          pin_required: \(value("needs_pin"))

      """
    for key in ["client_key", "client_secret"] {
      try folder.write(Array(value(key).utf8), to: key)
      text += "    \(key)_file: \(folder.path(key))\n"
    }
    var flags = settings
    flags["database.url"] = database.hasPrefix("postgres") ? database : "sqlite:\(database)"
    let configuration = try Configuration(
      from: ConfigurationSources(
        flags: flags.sorted { $0.key < $1.key }.map {
          ConfigurationSources.FlagValue("--set", sets: $0.key, to: $0.value)
        }, files: [try SettingsFile(Array(text.utf8), path: folder.path("config.yaml"))]))
    let place = GatewayPlace(
      data: folder.path("data"), state: folder.path("state"), cache: folder.path("cache"),
      environment: [:], processID: 1)
    return Seat(configuration: configuration, place: place, patron: "ada", passphrase: { nil })
  }

  // MARK: - Readers

  func seat(of reader: String) -> Seat {
    Seat(
      configuration: seat.configuration, place: seat.place, patron: reader, passphrase: { nil })
  }

  private func link(_ reader: String) async throws {
    guard let (card, pin) = Self.readers[reader] else { return }
    _ = try await engine.link(
      LinkOrder(
        provider: "overdrive", library: "city", name: "\(reader)-card",
        credentials: .fields(["card": Secret(card), "pin": Secret(pin)])), at: seat(of: reader))
  }

  func harvest() async throws {
    _ = try await engine.harvest(nil, full: true, at: seat) { _ in }
  }

  @discardableResult
  func wish(_ order: WishOrder, as reader: String = "ada") async throws -> [WishItem] {
    try await engine.wish(order, at: seat(of: reader))
  }

  func wishes(of reader: String = "ada") async throws -> [WishItem] {
    try await engine.wishes(.all, at: seat(of: reader))
  }

  func patron(_ reader: String = "ada") async throws -> PatronID {
    try await house.registry.patron(named: reader).id
  }

  /// All titles of the library as wishes of that reader.
  func wishForAll(_ rule: WishRule = .tell, as reader: String = "ada") async throws {
    let patron = try await patron(reader)
    let list = try await house.lists.create(named: "All", for: patron).id
    for title in titles {
      _ = try await house.lists.add(
        ListedBook(work: nil, title: title.name, authors: title.authors), to: list, of: patron)
    }
    try await house.wishes.mark(list, of: patron, rule: rule)
  }

  func told(_ reader: String = "ada") async throws -> [InboxNotice] {
    try await house.notices.inbox(of: try await patron(reader), onlyUnread: false)
  }

  // MARK: - Time

  /// What the gateway does by itself.
  @discardableResult
  func look() async throws -> JobOutcome {
    await DueWork.wishes.perform(house, wholeHouse, .silent)
  }

  /// So long, with a look every few minutes, as the schedule has it.
  func pass(_ span: Duration, every step: Duration = .seconds(300)) async throws {
    let end = calendar.now + span
    while calendar.now < end {
      calendar.pass(step)
      try await look()
    }
  }

  // MARK: - The library

  var titles: [Title] {
    world.withState { state in
      let lending = state.libraries[0].lending
      return lending.order.compactMap { lending.titles[$0] }
    }
  }

  func stock(_ title: Title, copies: Int) {
    world.withState { state in
      let now = state.now
      state.libraries[0].lending.setCopies(.counted(copies), of: title.id, at: now)
    }
  }

  func loans(of reader: String = "ada") -> [String] {
    let card = Self.readers[reader]?.0 ?? ""
    return world.withState { $0.libraries[0].lending.loans(by: card).map(\.title) }
  }

  func holds(of reader: String = "ada") -> [String] {
    let card = Self.readers[reader]?.0 ?? ""
    return world.withState { $0.libraries[0].lending.holds(by: card).map(\.title) }
  }

  /// Questions about copies since the journal was last emptied.
  var questions: Int {
    world.withState { state in
      state.journal.entries.count { $0.operation.lowercased().contains("availability") }
    }
  }

  /// Loans that were asked for since then.
  var borrowings: Int {
    world.withState { state in
      state.journal.entries.count { $0.operation == "checkOut" }
    }
  }

  func clearJournal() { world.withState { $0.journal.clear() } }

  func add(_ fault: Fault) { world.withState { $0.faults.add(fault) } }
  func removeFaults() { world.withState { $0.faults.removeAll() } }
}

extension WishStage {
  /// One copy, which somebody else has.
  func occupy(_ title: Title) {
    stock(title, copies: 1)
    world.withState { state in
      let now = state.now
      var patron = MockKit.Patron(card: "crowd", pin: "", name: "Crowd")
      patron.loanLimit = 100
      state.libraries[0].lending.add(patron)
      _ = try? state.libraries[0].lending.borrow(title.id, by: "crowd", at: now)
    }
  }
}
