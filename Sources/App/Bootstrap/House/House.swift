import Adobe
import Books
import Catalog
import Circulation
import Console
import Covers
import Database
import Desk
import Downloads
import Facade
import FrontDesk
import HTTPClient
import Items
import LCP
import Licenses
import Lines
import Log
import Machine
import Membership
import Mirrors
import Notices
import Phrasebook
import Pictures
import Profiles
import ProviderKit
import Reading
import ReadingLists
import ReadingRoom
import Registry
import Schedule
import Setup
import Slips
import Vault
import Wishes

/// Everything that stands behind one command or one gateway, opened once: the database with its
/// services, the way out to the network, and the libraries that are configured.
final class House: Sendable {
  let seat: Seat
  let store: Store
  let registry: Registry
  let catalog: Catalog
  let inquiries: Inquiries
  let desk: Desk
  let books: MyBooks
  let storeroom: Storeroom
  /// Nil where nobody looks for malware.
  let sentry: Sentry?
  let licenses: Licenses
  let doorkeeper: Doorkeeper
  let slips: SlipBox
  let lists: ReadingLists
  let mirrors: Mirrors
  let wishes: Wishes
  let positions: Positions
  let annotations: Annotations
  let tastes: Tastes
  let profiles: Profiles
  let counter: Counter
  let enrollment: Enrollment
  /// Nil where no library of this gateway is a member of Adobe's vendor.
  let adobe: AdobeDesk?
  let covers: CoverShelf
  let pictureProgram: PictureProgram
  let schedule: Schedule
  /// The lanes that are shown; the office may exchange them.
  let rack: LaneRack
  let notices: Notices
  private let outlets: Outlets
  let door: VaultDoor
  let time: Time
  /// Where the key is kept that locks the vault, if it is kept in a file.
  let keyFile: String
  let outward: OutwardClients
  /// When the certificates of the servers end that were asked.
  let certificates = CertificateEnds()
  private let trial: HouseTrial
  /// Where files pass through on their way to a reader.
  let passage: String
  /// Held together with others for as long as the house stands.
  private let presence: ProcessLock

  var configuration: Configuration { seat.configuration }
  var disk: Download.DiskTrial? { trial.disk }

  /// The tables of all services, in the order in which they are made.
  static let tables = [
    Registry.migrations, Catalog.migrations, Inquiries.migrations, Desk.migrations,
    MyBooks.migrations, DownloadQueue.migrations, SlipBox.migrations, ReadingLists.migrations,
    Mirrors.migrations, Positions.migrations, GatewayKey.migrations, Schedule.migrations,
    Notices.migrations, Wishes.migrations, Tastes.migrations, Profiles.migrations,
    Licenses.migrations, AdobeDesk.migrations, PageVisits.migrations, GatewayFacts.migrations,
  ]

  init(
    _ seat: Seat, time: Time = .system, logger: Logger = .silent, meter: Meter? = nil,
    trial: HouseTrial = HouseTrial()
  ) async throws(HouseError) {
    let configuration = seat.configuration
    self.seat = seat
    self.time = time
    self.trial = trial
    let now: @Sendable () -> Int64 = { time.now().millisecondsSinceEpoch }
    let data = try DataFolder(configuration, seat.place)
    let folder = data.path
    presence = try data.join()
    keyFile = configuration.vault.keyFile ?? "\(folder)/vault.key"
    let store = try await Self.store(
      configuration, data, now(), SlowLog(logger, meter), trial.store)
    self.store = store
    let door = VaultDoor(
      Self.rootSource(configuration, keyFile, seat), in: Self.keyTable(data, store), now: now)
    self.door = door
    let registry = Registry(
      store: store,
      vault: { () throws(VaultError) in try await Self.vault(door, seat) }, now: now,
      ended: { tx, ended throws(DatabaseError) in
        try tx.endPush(
          of: ended.patron, sessions: ended.sessions.map(\.text),
          successor: ended.successor?.text, isEverywhere: ended.isEverywhere)
        guard ended.also.contains(.adobe) else { return }
        try AdobeDesk.forget(ended.patron, at: nil, now: now(), in: tx)
      })
    self.registry = registry
    slips = SlipBox(
      store: store, now: now,
      key: { () throws(VaultError) in
        try await Self.vault(door, seat).subkey(SlipBox.keyLabel)
      })
    lists = ReadingLists(store: store, now: now)
    mirrors = Mirrors(store: store, now: now)
    wishes = Wishes(store: store, now: now)
    let storeroom = Storeroom(configuration, folder, store, now, trial.chance)
    self.storeroom = storeroom
    sentry = Sentry(configuration, logger, meter)
    books = MyBooks(store: store, now: now) { tx, account, item throws(DatabaseError) in
      try storeroom.queue.withdraw(account, item, in: tx)
    }
    positions = Positions(store: store, now: now)
    annotations = Annotations(store: store, now: now)
    tastes = Tastes(store: store, now: now)
    let profiles = Profiles(store: store, now: now)
    self.profiles = profiles
    adobe = AdobeVendor(configuration, logger).map { AdobeDesk($0, store: store, now: now) }
    catalog = Catalog(store: store, now: now)
    inquiries = Inquiries(store: store, now: now)
    schedule = Schedule(store: store, now: now)
    rack = LaneRack(configuration.lanes.shown)
    let outward = try await Self.outward(seat, store, certificates, trial.transport)
    self.outward = outward
    let client = ClientConfiguration(configuration, seat.place.environment)
    outlets = Outlets(configuration, outward, trust: client.trust)
    notices = Notices(
      store: store, ways: outlets.ways, settings: outlets.settings, now: now,
      tongue: { (try? await profiles.tongue(of: $0)) ?? .english },
      key: { () throws(VaultError) in
        try await Self.vault(door, seat).subkey(Notices.keyLabel)
      })
    let counter = Counter(
      configuration, outward, LineClient(client),
      cache: configuration.paths.cache ?? seat.place.cache,
      time: time, logger: logger, meter: meter)
    licenses = Licenses(
      store: store, over: { $0.map(outward.transport) ?? outward.patrons }, now: now,
      trusted: { Self.roots(configuration, logger) },
      key: { try? await Self.vault(door, seat).subkey(Licenses.keyLabel) })
    passage = "\(configuration.paths.cache ?? seat.place.cache)/passage"
    self.counter = counter
    pictureProgram = PictureProgram(Self.picturesBeside(Process.executable))
    covers = CoverShelf(
      in: CacheFolder("\(configuration.paths.cache ?? seat.place.cache)/covers"),
      over: { outward.transport(for: $0) }, pictures: pictureProgram.maker,
      settings: CoverShelf.Settings(
        capacity: configuration.covers.cacheSize, patience: configuration.http.deadline),
      now: now)
    var settings = Desk.Settings()
    settings.accountLimit = configuration.http.deadline
    let keyring = Keyring {
      // A vault that stays locked keeps readers from nothing but being spared a question.
      guard let vault = try? await Self.vault(door, seat) else { return nil }
      return try? vault.subkey(Keyring.label)
    }
    desk = Desk(
      store: store, settings: settings, keyring: keyring, now: now, clock: time.monotonic,
      run: trial.run ?? .present(time), ahead: { counter.clockAhead(of: $0) },
      isLinked: { snapshot, account throws(DatabaseError) in try snapshot.isLinked(account) },
      open: { id, call throws(DeskError) in
        do throws(HouseError) {
          return try await counter.provider(of: id, registry, request: call.requestID)
        } catch {
          if case .registry(.noSuchAccount) = error { throw .unlinked }
          throw .unopened(error)
        }
      })
    let houses = counter.houses(registry)
    enrollment = Enrollment(houses, registry: registry) { tx, account throws(DatabaseError) in
      try storeroom.queue.forget(account.id, in: tx)
      try AdobeDesk.forget(account.patron, at: account.library, now: now(), in: tx)
    }
    let limit = configuration.http.deadline
    let arrivals = Arrivals(houses, registry: registry) { request in
      Call(patron: nil, deadline: time.monotonic() + limit, requestID: request)
    }
    let checks = Dictionary(
      houses.all.map { ($0.id, $0.pinCheck ?? .never) }, uniquingKeysWith: { first, _ in first })
    doorkeeper = Doorkeeper(registry, libraries: checks) {
      knock, request throws(RegistryError) in
      try await arrivals.answer(knock, request: request)
    }
  }

  func close() async {
    // A count that cannot be kept is no reason to fail what was done.
    try? await door.leave()
    await counter.close()
    await outward.close()
    await outlets.close()
    await store.close()
  }

  /// One request of one reader; its end is fixed here and nowhere later.
  func call(_ patron: PatronID?, limit: Duration? = nil) -> Call {
    Call(
      patron: patron, deadline: time.monotonic() + (limit ?? configuration.http.deadline),
      requestID: Self.requestID())
  }

  /// Of the request that is being answered, or a new one where there is none.
  static func requestID() -> String {
    if let scope = LogScope.current { return scope.requestID }
    let text = String(Chance.system.next(), radix: 32)
    return "r" + text
  }

  /// Without them locked books are handed on and not opened; nothing else fails.
  private static func roots(_ configuration: Configuration, _ logger: Logger) -> LicenseRoots {
    do throws(ErrorItem) {
      let lcp = configuration.lcp
      return try LicenseRoots(lcp.rootsFile, lcp.revokedFile, mayLack: lcp.revokedURL != nil)
    } catch {
      logger.warn("the certificates of lcp cannot be read", [.pair("why", error.detail ?? "")])
      return LicenseRoots()
    }
  }
}

/// Why there is no house to work in, or an account in it cannot be used.
enum HouseError: Error {
  case folder(FileError)
  /// Somebody puts a backup back at this moment.
  case inUse(String)
  /// A newer program upgraded the database; there may be a copy of how it was before.
  case newerDatabase(migration: String, copy: FormerCopy?)
  case database(DatabaseError)
  case registry(RegistryError)
  case network(String)
  /// A library that an account names is not configured, or not rightly.
  case library(LibraryID, String)
  /// A library whose settings have this fault, as one sentence with its place.
  case faulty(LibraryID, String)
  case unknownProvider(ProviderID)
}
