import Circulation
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPClient
import Lines
import Log
import Machine
import ProviderKit
import Registry
import Secrets
import Setup
import Synchronization

/// Hands out adapters: the libraries of the settings, and one session for each, so that all
/// accounts at a library share its pace, its circuit and its tokens.
final class Counter: Sendable {
  let libraries: [LibrarySettings]
  private let endpoints: EndpointsFile
  private let outward: OutwardClients
  private let lines: LineClient
  private let logger: Logger
  private let meter: Meter?
  private let limit: Duration
  private let cache: String
  private let clock: SessionClock
  /// The libraries of accounts that were opened.
  private let homes = Mutex<[AccountID: LibraryID]>([:])
  private let sessions = Mutex<[SessionName: ProviderKit.Session]>([:])
  private let clocks: [LibraryID: PlaceClock]

  init(
    _ configuration: Configuration, _ outward: OutwardClients, _ lines: LineClient, cache: String,
    time: Machine.Time = .system, logger: Logger, meter: Meter? = nil
  ) {
    clock = SessionClock(
      now: time.monotonic,
      date: { Date(milliseconds: time.now().millisecondsSinceEpoch) },
      sleep: { until throws(CancellationError) in try await time.sleep(until: until) })
    libraries = configuration.libraries + Self.open(besides: configuration.libraries)
    clocks = Dictionary(
      libraries.compactMap { settings in
        settings.timeZone.flatMap { Zone(named: $0.value) }.map {
          (LibraryID(settings.id), PlaceClock($0))
        }
      }, uniquingKeysWith: { first, _ in first })
    limit = configuration.http.deadline
    self.cache = cache
    endpoints = configuration.endpoints
    (self.outward, self.lines) = (outward, lines)
    (self.logger, self.meter) = (logger, meter)
  }

  /// Those that are there for everybody, unless the settings have one of the kind.
  static func open(besides named: [LibrarySettings]) -> [LibrarySettings] {
    allProviders.compactMap { listing in
      guard let id = listing.commonLibrary,
        !named.contains(where: { settings in
          settings.provider.value == listing.id.rawValue || settings.id == id.rawValue
        })
      else { return nil }
      return LibrarySettings(open: id.rawValue, at: listing.id.rawValue, name: listing.title)
    }
  }

  func listing(_ id: ProviderID) throws(HouseError) -> ProviderListing {
    guard let listing = allProviders.first(where: { $0.id == id }) else {
      throw .unknownProvider(id)
    }
    return listing
  }

  func libraries(of provider: ProviderID) -> [LibrarySettings] {
    libraries.filter { $0.provider.value == provider.rawValue }
  }

  /// The library as its adapter wants it, with what is secret read from its files.
  func library(_ id: LibraryID) throws(HouseError) -> ProviderKit.Library {
    guard let settings = libraries.first(where: { $0.id == id.rawValue }) else {
      if let given = Self.library(givenAs: id.rawValue) { return given }
      throw .library(id, "an entry under 'libraries'")
    }
    let listing = try listing(ProviderID(settings.provider.value))
    return try LibraryReading(settings, listing, endpoints).library()
  }

  /// By which a library's loans end, for people.
  func wallClock(of id: LibraryID) -> PlaceClock { clocks[id] ?? .here }

  func name(of id: LibraryID) -> String {
    if let name = libraries.first(where: { $0.id == id.rawValue })?.name { return name }
    return Self.library(givenAs: id.rawValue)?.name ?? id.rawValue
  }

  /// A library that stands in no settings: a reader gave its address, which is all there is to know.
  /// Nobody who runs the gateway wrote it down, so it may lead to no private network.
  static func library(givenAs text: String) -> ProviderKit.Library? {
    guard let address = try? Address(text), ["http", "https"].contains(address.scheme),
      let listing = allProviders.first(where: { $0.needs.addressEndpoint != nil }),
      let endpoint = listing.needs.addressEndpoint
    else { return nil }
    return ProviderKit.Library(
      id: LibraryID(address.withoutFragment.text), provider: listing.id, name: address.authority,
      endpoints: [endpoint: address.withoutFragment])
  }

  func provider(
    at library: LibraryID, with credentials: Credentials?, isEarlier: Bool = false
  ) throws(HouseError) -> any CirculationProvider {
    let described = try self.library(library)
    let listing = try listing(described.provider)
    do throws(SettingsFault) {
      let session =
        session(of: described, isEarlier: isEarlier && listing.needs.hostsArePatrons)
      return try listing.make(described, credentials, session)
    } catch {
      // What a card lacks is no fault of the settings.
      guard listing.needs.knows(error.key) else {
        throw .library(library, "\(error.key), which \(error.what)")
      }
      throw HouseError(error)
    }
  }

  func provider(
    of account: AccountID, _ registry: Registry, request: String
  ) async throws(HouseError) -> any CirculationProvider {
    let (known, kept) = try await Self.kept(account, registry)
    homes.withLock { $0[account] = known.library }
    // A service that replaces a secret makes the old one void: the new one is kept at once.
    let credentials = Credentials(kept.fields) { field, value in
      let fields = kept.fields.merging([field: value]) { $1 }
      _ = try? await registry.replaceCredentials(
        of: account, with: Credentials(fields), pinVerified: nil, request: request)
    }
    return try provider(
      at: known.library, with: credentials,
      isEarlier: known.linkedAt < outward.earlierEnd)
  }

  private static func kept(
    _ account: AccountID, _ registry: Registry
  ) async throws(HouseError) -> (Account, Credentials) {
    do throws(RegistryError) {
      let known = try await registry.account(account)
      let credentials = try await registry.credentials(of: account, for: .library)
      return (known, credentials)
    } catch {
      throw .registry(error)
    }
  }

  /// How far the clock of an account's library is ahead of ours; nought before it said anything.
  func clockAhead(of account: AccountID) -> Int64 {
    guard let library = homes.withLock({ $0[account] }) else { return 0 }
    return opened(library)?.clockAhead ?? 0
  }

  /// How far the clocks of libraries that were asked by this program are ahead of ours.
  var clocksAhead: [LibraryID: Int64] {
    let ahead = sessions.withLock { sessions in
      sessions.compactMap { name, session in session.clockAhead.map { (name.library, $0) } }
    }
    return Dictionary(ahead) { first, _ in first }
  }

  /// Nil before anything was asked of its service.
  func standing(of library: LibraryID) -> SessionStanding? {
    opened(library)?.standing
  }

  private func opened(_ library: LibraryID) -> ProviderKit.Session? {
    sessions.withLock {
      $0[SessionName(library: library)] ?? $0[SessionName(library: library, isEarlier: true)]
    }
  }

  /// Lets go of what adapters kept open.
  func close() async {
    for session in sessions.withLock({ Array($0.values) }) { await session.fittings.close() }
    await lines.shutdown()
  }

  /// Accounts of before there was `http.patron_hosts` have a session of their own where patrons name the hosts.
  private struct SessionName: Hashable {
    let library: LibraryID
    var isEarlier = false
  }

  func session(
    of library: ProviderKit.Library, isEarlier: Bool = false
  ) -> ProviderKit.Session {
    let name = SessionName(library: library.id, isEarlier: isEarlier)
    return sessions.withLock { sessions in
      if let session = sessions[name] { return session }
      var settings = ProviderKit.Session.Settings()
      settings.tryLimit = limit
      let (logger, meter, provider) = (logger, meter, library.provider)
      let listing = allProviders.first { $0.id == provider }
      let hostsArePatrons = listing?.needs.hostsArePatrons == true
      settings.hidesNetwork = hostsArePatrons || library.id.isAddress
      let session = ProviderKit.Session(
        provider: provider,
        transport: hostsArePatrons
          ? outward.transport(besides: Array(library.endpoints.values), isEarlier: isEarlier)
          : outward.transport(for: library.id),
        settings: settings, pacer: Pacer(listing?.pace ?? Pacer.Settings()),
        cache: "\(cache)/\(library.id.rawValue)", lines: lines, clock: clock,
        journal: { entry in
          meter?.note(entry, of: provider)
          Self.write(entry, of: library.id, at: provider, to: logger)
        })
      sessions[name] = session
      return session
    }
  }

  private static func write(
    _ entry: JournalEntry, of library: LibraryID, at provider: ProviderID, to logger: Logger
  ) {
    let result: Pair =
      switch entry.result {
      case .status(let code): .pair("status", code)
      case .fault(let kind): .pair("fault", kind)
      }
    logger.debug(
      "library asked",
      [
        .pair("request_id", entry.requestID), .pair("provider", provider.rawValue),
        .pair("library", library.rawValue), .pair("operation", entry.operation),
        .pair("attempt", entry.attempt), result, .pair("dur_ms", entry.took),
      ])
  }
}
