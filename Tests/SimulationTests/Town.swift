import Axis360Mock
import Circulation
import CloudLibraryMock
import Foundation
import HTTP
import HTTPServer
import JSON
import Log
import Machine
import Membership
import MockKit
import OverDriveMock
import ProviderKit
import Registry
import Secrets
import Setup
import Synchronization
import TestSupport

@testable import Bootstrap

/// A card of one of our readers at one library of the town.
struct TownCard: Sendable {
  let reader: String
  let library: String
  let provider: String
  let number: String
  let pin: String

  var name: String { "\(reader)-\(library)" }
}

/// Three libraries of three vendors, two readers, and the gateway between them as it stood on the
/// evening before: cards linked, nothing borrowed. Each seed begins with a copy of it.
final class Town: Sendable {
  static let libraries = [
    ("city", "overdrive", "4225"), ("quay", "cloudlibrary", "qs7tmf"),
    ("harbor", "axis360", "demo"),
  ]
  /// Numbers and PINs that nothing else in a run can look like.
  static let cards: [TownCard] = [
    TownCard(
      reader: "adalmina", library: "city", provider: "overdrive", number: "29517340886201",
      pin: "7041935826"),
    TownCard(
      reader: "adalmina", library: "quay", provider: "cloudlibrary", number: "29517340886201",
      pin: "7041935826"),
    TownCard(
      reader: "adalmina", library: "harbor", provider: "axis360", number: "29517340886201", pin: ""),
    TownCard(
      reader: "brunhold", library: "city", provider: "overdrive", number: "29684175093302",
      pin: "2680917354"),
    TownCard(
      reader: "brunhold", library: "quay", provider: "cloudlibrary", number: "29684175093302",
      pin: "2680917354"),
  ]
  /// What must never be seen anywhere but on the wire it belongs to.
  static let secrets =
    Array(Set(cards.flatMap { [$0.number, $0.pin] })).filter { !$0.isEmpty }.sorted()

  static let titles = 5

  private let folder: TestSupport.TemporaryFolder
  private let settings: String
  private let databases: TownDatabases?
  let passwords: [String: String]
  private let inMemory: Bool
  /// In which the evening before lies.
  private var evening: String { folder.path("evening") }

  static var scenario: Scenario {
    var scenario = Scenario("town", "two readers, and few copies")
    scenario.titles = 10
    scenario.cards = Set(cards.map(\.reader)).sorted().map { reader in
      let card = cards.first { $0.reader == reader }
      return MockKit.Patron(card: card?.number ?? "", pin: card?.pin ?? "", name: reader)
    }
    scenario.arrange = { library, now in
      for (index, id) in library.order.prefix(titles).enumerated() {
        library.setCopies(.counted(index == 3 ? 2 : 1), of: id, at: now)
      }
      library.add(MockKit.Patron(card: "stranger", pin: "", name: "Stranger"))
      if let first = library.order.first { _ = try? library.borrow(first, by: "stranger", at: now) }
    }
    return scenario
  }

  static func mocks() -> MockHouse {
    MockHouse(
      scenario, at: Moment(milliseconds: SimulatedTime.start.millisecondsSinceEpoch),
      dialects: [
        OverDriveDialect.dialect, CloudLibraryDialect.dialect, Axis360Dialect.dialect,
      ])
  }

  init(on engine: TestSupport.Engine = .sqlite) async throws {
    databases = engine == .postgres ? try await TownDatabases() : nil
    let folder = try TestSupport.TemporaryFolder()
    self.folder = folder
    // Nothing here survives a power cut or has to; where there is a disk in memory it is used.
    inMemory = FileManager.default.isWritableFile(atPath: "/dev/shm")
    let mocks = Self.mocks()
    settings = try Self.settings(mocks.main, folder)
    try await databases?.make("evening")
    let configuration = try Self.configuration(
      settings, in: folder, databases?.address(of: "evening"))
    let time = SimulatedTime()
    let wire = PlayedWire(mocks, time, Fate(seed: 0), cards: [])
    let house = try await Bootstrap.House(
      Self.seat(configuration, folder.path("evening")), time: time.time,
      trial: HouseTrial(transport: wire.transport))
    var passwords: [String: String] = [:]
    for card in Self.cards {
      let patron = try await house.registry.patron(named: card.reader)
      var fields = ["card": Secret(card.number)]
      fields[card.provider == "axis360" ? "email" : "pin"] = Secret(
        card.provider == "axis360" ? "reader@example.org" : card.pin)
      _ = try await house.enrollment.link(
        LibraryID(card.library), of: ProviderID(card.provider), as: .exactly(card.name),
        for: patron.id,
        with: Credentials(fields), by: .operator, in: house.call(patron.id))
      guard passwords[card.reader] == nil else { continue }
      let made = try await house.registry.addDevice(
        named: "app", of: patron.id, scopes: [.read, .lend], request: "town")
      passwords[card.reader] = made.password.revealText { $0 }
    }
    self.passwords = passwords
    await house.close()
  }

  /// A copy of the evening before, for one seed.
  func morning(_ name: String) async throws -> String {
    try await databases?.make("seed-\(name)", from: "evening")
    let own = folder.path("seed-\(name)")
    let path = inMemory ? "/dev/shm/carrel\(own.replacingOccurrences(of: "/", with: "-"))" : own
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: evening, toPath: path)
    return path
  }

  /// Nothing of that seed is left.
  func leave(_ path: String) async {
    try? FileManager.default.removeItem(atPath: path)
    try? await databases?.drop(Self.name(of: path))
  }

  /// All that its database holds, where that is not among its files.
  func rows(of path: String) async throws -> String {
    try await databases?.rows(of: Self.name(of: path)) ?? ""
  }

  private static func name(of path: String) -> String {
    path.firstRange(of: "seed-").map { String(path[$0.lowerBound...]) } ?? ""
  }

  func open(
    _ path: String, _ time: SimulatedTime, _ trial: HouseTrial, _ log: TownLog
  ) async throws -> Bootstrap.House {
    let logger = Logger(
      to: Log(level: .debug, time: { time.now.rfc3339(.milliseconds) }, sink: { log.write($0) }))
    let configuration = try Self.configuration(
      settings, in: folder, databases?.address(of: Self.name(of: path)))
    return try await Bootstrap.House(
      Self.seat(configuration, path), time: time.time, logger: logger, trial: trial)
  }

  func wholeGateway(_ house: Bootstrap.House) async throws -> Gateway {
    let facade = try await house.facade()
    let settings = try ServerSettings(house.configuration, inherited: [])
    return Gateway(
      house.configuration, facade: facade, lending: house.lending,
      lobby: house.lobby(beside: facade), settings: settings,
      fitness: Fitness(settings.readiness) { [] })
  }

  private static func seat(_ configuration: Configuration, _ path: String) -> Seat {
    Seat(
      configuration: configuration,
      place: GatewayPlace(
        data: "\(path)/data", state: "\(path)/state", cache: "\(path)/cache", environment: [:],
        processID: 1), patron: nil, passphrase: { nil })
  }

  private static func configuration(
    _ settings: String, in folder: TestSupport.TemporaryFolder, _ database: String?
  ) throws -> Configuration {
    let text = settings + (database.map { "database:\n  url: \"\($0)\"\n" } ?? "")
    return try Configuration(
      from: ConfigurationSources(
        flags: [], files: [try SettingsFile(Array(text.utf8), path: folder.path("config.yaml"))]))
  }

  private static func settings(_ world: MockWorld, _ folder: TestSupport.TemporaryFolder) throws
    -> String
  {
    var text = "libraries:\n"
    let ready = MockHouse.readyLine(world, at: "http://\(PlayedWire.host)")
    let told = ready["libraries"]?.array ?? []
    for (name, provider, id) in libraries {
      guard let listing = allProviders.first(where: { $0.id.rawValue == provider }),
        let endpoints = told.first(where: {
          $0["provider"]?.string == provider && $0["id"]?.string == id
        })?["endpoints"]?.object
      else { throw TestSupportError("no library \(id)") }
      text += "  \(name):\n    provider: \(provider)\n    name: The \(name) library\n"
      text += "    endpoints:\n"
      for member in endpoints.members {
        guard let address = member.value.string, address.hasPrefix("http://") else { continue }
        text += "      \(member.name): \(address)\n"
      }
      for field in listing.needs.settings {
        guard let value = endpoints[field.name] else { continue }
        let word = value.string ?? value.text()
        if field.isSecret {
          let path = try folder.write(Array(word.utf8), to: "\(name)-\(field.name)")
          text += "    \(field.name)_file: \(path)\n"
        } else {
          text += "    \(field.name): \"\(word)\"\n"
        }
      }
    }
    return text
  }
}

/// What a gateway logs, kept to be searched.
final class TownLog: Sendable {
  private let kept = Mutex<[UInt8]>([])

  var bytes: [UInt8] { kept.withLock { $0 } }
  func clear() { kept.withLock { $0 = [] } }
  func write(_ line: [UInt8]) { kept.withLock { $0 += line } }
}
