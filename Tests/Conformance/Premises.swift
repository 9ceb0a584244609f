import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import HTTPServer
import JSON
import Lines
import Machine
import MockKit
import MockSupport
import ProviderKit
import Synchronization

/// One visit: a mock on a free port, a library behind it that really lends, and adapters that reach
/// it over a real connection. Fakes stand at the far end of the wire and nowhere nearer.
struct Premises: Sendable {
  let house: House
  let world: MockWorld
  let client: Client
  let wire: Wire
  let time: VirtualTime
  let ledger: Ledger
  /// One for all readers, as in the gateway.
  let session: Session
  private let base: String
  private let lines: LineClient?
  /// Where large files are kept, over restarts, too.
  private let cache: TemporaryFolder?

  private init(_ house: House, _ world: MockWorld, base: String, _ client: Client) {
    (self.house, self.world, self.base, self.client) = (house, world, base, client)
    time = VirtualTime(world)
    wire = Wire(client, time)
    ledger = Ledger()
    cache = TemporaryFolder()
    lines = house.lines.map { _ in LineClient(client.configuration) }
    session = Self.session(house, wire, time, ledger, cache, lines)
  }

  private static func session(
    _ house: House, _ wire: Wire, _ time: VirtualTime, _ ledger: Ledger, _ cache: TemporaryFolder?,
    _ lines: LineClient?
  ) -> Session {
    // Room between requests passes by the clock of the test. Whoever waits for one of the places waits
    // for a real connection, and for real.
    let pace = house.listing.pace
    return Session(
      provider: house.listing.id, transport: wire.transport,
      pacer: Pacer(pace, clock: pace.spacing > .zero ? time.clock : .system),
      cache: cache.map { $0.path + "/kept" }, lines: lines,
      clock: time.clock, chance: { 1 }, journal: { ledger.write($0) })
  }

  static func open(_ house: House, _ body: (Premises) async throws -> Void) async throws {
    var scenario = Scenario("conformance", "readers, and shelves that each promise fills")
    (scenario.titles, scenario.cards) = (0, Reader.known)
    let mocks = MockHouse(scenario, dialects: [house.dialect] + [house.lines].compactMap(\.self))
    try await OpenHouse.run(mocks) { open in
      let desk = try house.lines.map { lines in
        let desk = try LineDesk(
          mocks.main, provider: house.dialect.name, library: house.mockLibrary)
        mocks.main.withState { desk.announce(as: lines.name, in: &$0) }
        return desk
      }
      let premises = Premises(house, mocks.main, base: open.base, open.client)
      let result: Result<Void, any Error>
      do { result = .success(try await body(premises)) } catch { result = .failure(error) }
      await premises.session.fittings.close()
      await premises.session.lines?.shutdown()
      await desk?.stop()
      try result.get()
    }
  }
}

// MARK: - Who asks

extension Premises {
  var ada: any CirculationProvider { get throws { try desk(.ada) } }
  var bruno: any CirculationProvider { get throws { try desk(.bruno) } }
  var chinua: any CirculationProvider { get throws { try desk(.chinua) } }

  /// The adapter, bound to that reader's card.
  func desk(_ reader: Reader) throws -> any CirculationProvider {
    try desk(reader, in: session)
  }

  /// As after a restart of the gateway: nothing is known of tokens, pace or failures.
  func afterRestart(_ reader: Reader) throws -> any CirculationProvider {
    try desk(reader, in: Self.session(house, wire, time, ledger, cache, lines))
  }

  private func desk(_ reader: Reader, in session: Session) throws -> any CirculationProvider {
    let mock = world.withState { $0.library(house.mockLibrary, of: house.dialect.name) }
    guard let mock else { throw NoSuchLibrary(name: house.mockLibrary) }
    let credentials = Credentials(house.credentials(reader.card, reader.pin))
    return try house.listing.make(try house.library(told(of: mock)), credentials, session)
  }

  /// What the mock tells whoever wants to reach it, as words.
  private func told(of mock: MockLibrary) -> [String: String] {
    var told = ["id": mock.id, "name": mock.name]
    for member in mock.endpoints(base).members {
      switch member.value {
      case .string(let text): told[member.name] = text
      case .integer(let number): told[member.name] = String(number)
      case .bool(let flag): told[member.name] = String(flag)
      default: break
      }
    }
    return told
  }

  private struct NoSuchLibrary: Error { let name: String }

  var call: Call { call(for: .seconds(20)) }

  func call(for time: Duration) -> Call {
    Call(patron: nil, deadline: self.time.now + time, requestID: "conformance")
  }

  func declares(_ capability: Capability) -> Bool {
    house.listing.capabilities.contains(capability) && !house.lacking.contains(capability)
  }
}

// MARK: - What stands on the shelves

extension Premises {
  /// The library as it is, whatever anybody says of it.
  var truth: LendingLibrary {
    world.withState {
      $0.library(house.mockLibrary, of: house.dialect.name)?.lending ?? LendingLibrary()
    }
  }

  /// Does something at the library itself, not over the wire.
  @discardableResult
  func inside<R: Sendable>(_ act: (inout LendingLibrary, Moment) throws -> R) throws -> R {
    let result = world.withState { state in
      state.change(house.mockLibrary, of: house.dialect.name) { library, now in
        Result { try act(&library.lending, now) }
      }
    }
    guard let result else { throw NoSuchLibrary(name: house.mockLibrary) }
    return try result.get()
  }

  /// The lists as they are.
  var lists: ReadingRoom {
    world.withState {
      $0.library(house.mockLibrary, of: house.dialect.name)?.reading ?? ReadingRoom()
    }
  }

  /// Does something to readers' lists at the service itself.
  func inLists(_ act: (inout ReadingRoom, Moment) -> Void) throws {
    let done: Void? = world.withState { state in
      state.change(house.mockLibrary, of: house.dialect.name) { act(&$0.reading, $1) }
    }
    guard done != nil else { throw NoSuchLibrary(name: house.mockLibrary) }
  }

  /// The first titles stand on that reader's list.
  func list(_ numbers: ClosedRange<Int> = 1...1, on list: ListID? = nil, of reader: Reader = .ada)
    throws
  {
    try inLists { room, now in
      for number in numbers {
        room.put(
          house.titleID(number), on: (list ?? house.lists.here).rawValue, of: reader.card,
          at: now + Int64(number - numbers.upperBound) * 1000)
      }
    }
  }

  /// What the service knows of that reader's dealings with a title.
  func listed(_ number: Int = 1, by reader: Reader = .ada) -> ReadingRoom.Entry? {
    lists.entry(of: house.titleID(number), by: reader.card)
  }

  func stands(_ number: Int = 1, on list: ListID, of reader: Reader = .ada) -> Bool {
    listed(number, by: reader)?.since[list.rawValue] != nil
  }

  /// How the adapter spells a title's name.
  func item(_ title: String) -> ItemID { house.item(title, base) }

  /// Puts a title of its own on the shelves, added some days ago.
  func title(
    _ number: Int = 1, copies: Copies = .counted(1), _ change: (inout Title) -> Void = { _ in }
  ) throws -> ItemID {
    let id = house.titleID(number)
    try inside { library, now in
      var title = Title(
        id: id, name: "The Quillon Ledger \(number)", authors: ["Marit Ostrander"],
        copies: copies, added: now + -5 * LendingRules.day)
      title.isbn = Self.isbn(number)
      (title.medium, title.formats) = (house.medium, house.openFormats)
      change(&title)
      library.add(title)
    }
    return item(id)
  }

  func titles(_ numbers: ClosedRange<Int>, copies: Copies = .counted(1)) throws -> [ItemID] {
    try numbers.map { try title($0, copies: copies) }
  }

  /// What the library calls the title numbered so.
  func id(_ number: Int = 1) -> String { house.titleID(number) }

  /// What others know the title numbered so by.
  func numbers(_ number: Int = 1) -> BookNumbers {
    BookNumbers(isbns: [ISBN(Self.isbn(number))].compactMap(\.self))
  }

  /// A name of the right make that no title has.
  var unknown: ItemID { item(house.titleID(999_999)) }

  /// Readers whom nobody signs in take what there is, and wait for what there is not.
  func crowd(_ count: Int, borrows number: Int = 1) throws {
    try inside { library, now in
      for card in Scenario.crowd(count, into: &library) {
        _ = try library.borrow(house.titleID(number), by: card, at: now)
      }
    }
  }

  func crowd(_ count: Int, waitsFor number: Int) throws {
    try inside { library, now in
      for place in 0..<count {
        let card = "waiting-\(place)"
        library.add(Patron(card: card, pin: "", name: card))
        _ = try library.placeHold(on: house.titleID(number), by: card, at: now)
      }
    }
  }

  /// The first of the crowd brings the title back.
  func crowdReturns(_ number: Int = 1) throws {
    try inside { library, now in
      try library.giveBack(house.titleID(number), by: "crowd-0", at: now)
    }
  }

  func loan(_ reader: Reader = .ada, of number: Int = 1) -> MockKit.Loan? {
    truth.loan(of: house.titleID(number), by: reader.card)
  }

  func hold(_ reader: Reader = .ada, on number: Int = 1) -> MockKit.Hold? {
    truth.hold(on: house.titleID(number), by: reader.card)
  }

  static func isbn(_ number: Int) -> String {
    let digits = String(number)
    let body = "979" + String(repeating: "0", count: 9 - digits.count) + digits
    let sum = body.enumerated().reduce(0) {
      $0 + ($1.element.wholeNumberValue ?? 0) * ($1.offset.isMultiple(of: 2) ? 1 : 3)
    }
    return body + String((10 - sum % 10) % 10)
  }
}

// MARK: - What goes wrong

extension Premises {
  func arm(_ kind: Fault.Kind, _ count: Fault.Count = .always, on operation: String = "") {
    var fault = Fault(name: "conformance", kind: kind)
    (fault.operation, fault.count) = (operation, count)
    // Where two dialects speak for one library, either may be struck.
    fault.provider = house.lines == nil ? house.dialect.name : ""
    world.withState { $0.faults.add(fault) }
  }

  func mend() {
    world.withState { $0.faults.removeAll() }
    wire.isOpen = true
  }

  /// What has reached the service.
  var requests: [MockKit.JournalEntry] { world.withState { $0.journal.entries } }
}

/// What the session told of its exchanges.
final class Ledger: Sendable {
  private let lines = Mutex<[ProviderKit.JournalEntry]>([])

  var entries: [ProviderKit.JournalEntry] { lines.withLock { $0 } }

  func write(_ entry: ProviderKit.JournalEntry) { lines.withLock { $0.append(entry) } }
}

extension Moment {
  var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
