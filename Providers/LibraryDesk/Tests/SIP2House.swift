import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import LibraryDeskMock
import Lines
import Machine
import MockKit
import ProviderKit
import Secrets
import Synchronization

@testable import LibraryDesk

/// One maker's server on a free port, and a desk that talks to it.
struct SIP2House: Sendable {
  let house: MockHouse
  let line: LineDesk
  let session: Session
  let journal: Ledger
  let library: Library

  final class Ledger: Sendable {
    private let held = Mutex<[ProviderKit.JournalEntry]>([])
    var entries: [ProviderKit.JournalEntry] { held.withLock { $0 } }
    func write(_ entry: ProviderKit.JournalEntry) { held.withLock { $0.append(entry) } }
  }

  static let titles = 24

  static func open(
    _ maker: String, _ settings: [String: String] = [:], cards: [Patron] = SIP2House.readers,
    tls: LineServer.TLS? = nil, _ body: (SIP2House) async throws -> Void
  ) async throws {
    var scenario = Scenario("desk", "readers of every kind")
    scenario.cards = cards
    scenario.titles = titles
    let mocks = MockHouse(scenario, dialects: [SIP2Dialect.dialect])
    let line = try LineDesk(mocks.main, provider: SIP2Dialect.name, library: maker, tls: tls)
    let open = try SIP2House(mocks, line, maker, settings, isSecure: tls != nil)
    let result: Result<Void, any Error>
    do { result = .success(try await body(open)) } catch { result = .failure(error) }
    await open.close()
    try result.get()
  }

  private init(
    _ house: MockHouse, _ line: LineDesk, _ maker: String, _ settings: [String: String],
    isSecure: Bool
  ) throws {
    (self.house, self.line) = (house, line)
    let ledger = Ledger()
    journal = ledger
    library = try Self.library(
      at: "\(isSecure ? "sip2s" : "sip2")://127.0.0.1:\(line.port)", maker, settings)
    session = try Self.session(ledger, at: house.main)
  }

  /// By the clock of the mock, on which its dates stand.
  static func session(_ ledger: Ledger, at world: MockWorld? = nil) throws -> Session {
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    let client = try Client(configuration)
    let clock = SessionClock(
      now: { .now },
      date: {
        guard let world else { return Date() }
        let milliseconds = world.withState { $0.now.milliseconds }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      }, sleep: SessionClock.system.sleep)
    return Session(
      provider: LibraryDeskProvider.listing.id, transport: client.transport,
      lines: LineClient(configuration), clock: clock, journal: { ledger.write($0) })
  }

  static func library(
    at address: String, _ maker: String, _ settings: [String: String],
    login: (user: String, password: String) = SIP2Dialect.login
  ) throws -> Library {
    var told = [
      "sign_in": "sip2", "holds": "sip2", "sip2_maker": maker, "sip2_login": login.user,
      "sip2_institution": "MAIN", "branches": "CPL = Central; MTH = Mott Haven",
      "sip2_answer_seconds": "1",
    ]
    for (key, value) in settings { told[key] = value.isEmpty ? nil : value }
    return Library(
      id: LibraryID("house"), provider: LibraryDeskProvider.listing.id, name: "House",
      endpoints: ["sip2": try Address(address)], settings: told,
      secrets: ["sip2_password": Secret(login.password)], zone: Zone(named: "UTC"))
  }

  func close() async {
    await session.fittings.close()
    await session.lines?.shutdown()
    await line.stop()
  }

  // MARK: - Who comes

  static let readers: [Patron] = {
    var readers = Scenario.threeReaders
    func add(
      _ card: String, _ pin: String, _ name: String, _ change: (inout Patron) -> Void = { _ in }
    ) {
      var patron = Patron(card: card, pin: pin, name: name)
      change(&patron)
      readers.append(patron)
    }
    add("23000000000004", "44440044", "LE CARRÉ, JOËL")
    add("23000000000005", "55550055", "Late, Lena") { $0.expires = MockKit.Moment(milliseconds: 0) }
    add("23000000000006", "66660066", "Loser, Lou") { $0.block = .lost }
    add("23000000000007", "77770077", "Debtor, Dan") { $0.block = .fines }
    add("23000000000008", "88880088", "Odd | Name, Olga")
    return readers
  }()

  func desk(_ card: String = "23000000000001", _ pin: String = "1111") throws
    -> any CirculationProvider
  {
    try LibraryDeskProvider.listing.make(
      library, Credentials(["card": Secret(card), "pin": Secret(pin)]), session)
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(10), requestID: "test") }

  // MARK: - What the mock knows

  /// The first copy of a title.
  func item(_ number: Int) -> ItemID { ItemID("copy-39000000\(8000 + number)00") }

  /// What the mock calls it.
  func title(_ number: Int) -> String { "\(8000 + number)" }

  var holds: [String] {
    house.main.withState { state in
      state.library(library.settings["sip2_maker"] ?? "", of: SIP2Dialect.name)?.lending.holds
        .map { "\($0.title) \($0.card)" } ?? []
    }
  }

  func asked(_ operation: String) -> Int {
    house.main.withState { $0.journal.entries.count { $0.operation == operation } }
  }

  func fault(_ kind: Fault.Kind, of operation: String = "", count: Fault.Count = .first(1)) {
    var fault = Fault(name: "\(kind)", kind: kind)
    (fault.operation, fault.count) = (operation, count)
    let made = fault
    house.main.withState { $0.faults.add(made) }
  }

  func change(_ edit: @Sendable (inout MockLibrary, MockKit.Moment) -> Void) {
    let maker = library.settings["sip2_maker"] ?? ""
    house.main.withState { state in _ = state.change(maker, of: SIP2Dialect.name, edit) }
  }
}

func failure(_ work: () async throws(CirculationError) -> Void) async -> CirculationError? {
  do throws(CirculationError) {
    try await work()
    return nil
  } catch { return error }
}
