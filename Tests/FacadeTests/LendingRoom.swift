import Catalog
import Circulation
import Covers
import Crypto
import Database
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPClient
import HTTPServer
import Machine
import OPDS
import PictureWork
import ProviderKit
import Reading
import ReadingLists
import Registry
import Secrets
import Slips
import StoreSupport
import TestSupport
import Testing
import Vault

@testable import Facade

/// Everything that lending by feeds stands on, as it is, but for the library itself: two readers with a
/// card each, and Ada's app passwords.
final class LendingRoom: Sendable {
  let store: Store
  let registry: Registry
  let catalog: Catalog
  let lender: Lender
  private let folder: String
  let handler: Handler
  let routes: Router<ReadingRoom.Access>
  let desk: Desk
  let lists: ReadingLists
  let watch: Watch
  private let signer: Signer
  let ada: Account
  let bob: Account
  let clock: ReadingRoom.SharedState

  /// A gateway of its own; beside another it has the same database and the same library.
  private init(_ store: Store, _ folder: String, beside other: LendingRoom? = nil) async throws {
    (self.store, self.folder) = (store, folder)
    lender = other?.lender ?? Lender()
    let clock = other?.clock ?? ReadingRoom.SharedState()
    self.clock = clock
    let now: @Sendable () -> Int64 = { clock.withLock { $0.now } }
    let door = VaultDoor(
      .keyFile(path: "\(folder)/vault.key"), in: .row(in: store), now: now)
    let registry = Registry(
      store: store, vault: { () throws(VaultError) in try await door.vault() }, now: now,
      ended: { _, _ in })
    self.registry = registry
    catalog = Catalog(store: store, now: now)
    var accounts = other.map { [$0.ada, $0.bob] } ?? []
    for (name, card) in [("ada", "21000001"), ("bob", "21000002")] where other == nil {
      let patron = try await registry.patron(named: name)
      accounts.append(
        try await registry.link(
          patron: patron.id, name: .like("town"), provider: lenderService, library: town,
          credentials: Credentials(["card": Secret(card), "pin": Secret("1234")]),
          pinVerified: true,
          request: "r"))
    }
    (ada, bob) = (accounts[0], accounts[1])
    let lender = lender
    let desk = Desk(
      store: store, keyring: Keyring { Secret(Array(32..<64)) }, now: now,
      open: { account, _ in LenderCard(lender: lender, account: account) })
    self.desk = desk
    lists = ReadingLists(store: store, now: now)
    let keeper = Doorkeeper(registry, libraries: [town: .always])
    let stock = Stock(
      catalog: catalog,
      covers: CoverShelf(
        in: CacheFolder("\(folder)/covers"),
        over: { _ in
          Transport(send: { request throws(TransportError) in
            Reply(
              head: ReplyHead(status: .notFound, headers: [:]), body: [], address: request.address)
          })
        }, pictures: .withinThisProcess, now: now),
      lanes: ReadingRoom.lanes, libraries: [town], nameOfLibrary: { _ in "Town" },
      admit: { request in await Self.admit(request, keeper) },
      shelf: { patron throws(StockError) in try await Self.shelf(patron, registry, desk) },
      silent: { () throws(StockError) in [] },
      curated: { [lists] reader throws(StockError) in
        do { return try await lists.curated(for: reader) } catch { throw StockError("\(error)") }
      }, now: now)
    let facade = Facade(
      stock,
      FacadeSettings(title: "All", isPublic: false, key: Secret(Array(0..<32)), memory: 1 << 20))
    (watch, signer) = (facade.watch, facade.signer)
    let lending = LendingStock(
      desk: desk,
      slips: SlipBox(
        store: store, now: now,
        key: { () throws(VaultError) in try await door.vault().subkey(SlipBox.keyLabel) }),
      lists: lists, positions: Positions(store: store, now: now), doorkeeper: keeper,
      readers: { () throws(StockError) in
        let patrons = (try? await registry.patrons()) ?? []
        return Dictionary(patrons.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
      },
      call: { patron, request in
        Call(patron: patron, deadline: .now + .seconds(10), requestID: request.id.description)
      },
      fulfilFree: { _, item, format, _ throws(DeskError) in
        throw .provider(
          CirculationError(.titleGone, from: lenderService, during: .fulfil))
      },
      fetch: { link, _ throws(Problem) in
        let path = "\(folder)/\(Hex.encode(Chance.system.bytes(4)))"
        do {
          try WholeFile.write(Array("file of \(link.address)".utf8), to: path)
          return FetchedFile(file: try FileBody(path: path))
        } catch { throw Problem(.badGateway) }
      },
      note: { _, _ in })
    var routes = Router<ReadingRoom.Access>()
    let notes = Facade.Notes<ReadingRoom.Access>(open: .open, catalog: .catalog, reader: .reader)
    facade.add(to: &routes, notes)
    LendingRoutes(facade, lending).add(to: &routes, notes)
    (self.routes, handler) = (routes, routes.handler)
  }

  func another() async throws -> LendingRoom {
    try await LendingRoom(store, folder, beside: self)
  }

  private static func admit(_ request: HTTPServer.Request, _ keeper: Doorkeeper) async -> Admission
  {
    guard let pair = request["Authorization"].flatMap({ BasicPair(authorization: $0) }) else {
      return .visitor(.anonymous)
    }
    let answer = try? await keeper.admit(pair.name, pair.word, from: .local, request: "r")
    switch answer {
    case .entered(let entrant):
      return .visitor(
        .reader(
          .init(
            patron: entrant.patron.id,
            profile: ReadingApps.profile(of: request["User-Agent"], entrant.manner),
            scopes: entrant.scopes)))
    case .slowed(let seconds): return .slowed(seconds: seconds)
    case .unreachable(let silence): return .refused(Refusals.silent(silence))
    case .needsLibrary: return .needsLibrary
    case .busy: return .refused(Refusals.busy)
    case .refused, nil: return .unknown
    }
  }

  private static func shelf(
    _ patron: PatronID, _ registry: Registry, _ desk: Desk
  ) async throws(StockError) -> ReaderShelf {
    do {
      let accounts = try await registry.accounts(of: patron)
      let ids = accounts.map(\.id)
      return ReaderShelf(
        accounts: accounts, loans: await desk.withKeys(try await desk.loans(of: ids)),
        holds: try await desk.holds(of: ids), stale: [])
    } catch { throw StockError("\(error)") }
  }

  static func open(
    _ engine: Engine = .sqlite, _ body: (LendingRoom) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let tables = [
        Registry.migrations, Catalog.migrations, Desk.migrations, SlipBox.migrations,
        ReadingLists.migrations, Positions.migrations,
      ]
      try await withStore(engine, tables: tables) { store in
        let room = try await LendingRoom(store, folder.path)
        try await room.fill()
        try await body(room)
      }
    }
  }

  /// One that is there, one that is out, one that the library has given up, one that it was never
  /// asked about.
  private func fill() async throws {
    let isbn = ISBN("9780141439587")
    let books = ["here", "out", "gone", "unasked"].map { name in
      ReadingRoom.book(name, "The \(name.capitalized) Book") {
        $0.formats = [Format(id: "epub", content: .epub, protection: .none)]
        if name == "here" { $0.isbns = [isbn].compactMap(\.self) }
        if name == "here" { $0.samples = ["https://lender.example/here-sample.epub"] }
      }
    }
    try await catalog.take(books, of: town, provider: lenderService)
    lender.stock("here", 2)
    lender.stock("out", 1)
    lender.change(AccountID("somebody")) {
      $0.loans = [Loan(item: ItemID("out"), until: nil)]
    }
    try await note()
  }

  /// The catalogue hears what the library would say.
  func note() async throws {
    let card = LenderCard(lender: lender, account: ada.id)
    let call = Call(patron: nil, deadline: .now + .seconds(10), requestID: "note")
    try await catalog.note(
      try await card.availability(of: ["here", "out"].map { ItemID($0) }, in: call), at: town)
    try await catalog.note(
      [
        ItemID("gone"): Availability(
          .available(.init(total: 1, available: 1)),
          asOf: Date(timeIntervalSince1970: 1_798_761_000))
      ], at: town)
  }

  // MARK: - Asking

  static let adaCard = "21000001:1234"
  static let bobCard = "21000002:1234"

  struct Answer: Sendable {
    let status: Int
    let head: Headers
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var code: String? {
      text.firstMatch(of: /"code":"([^"]*)"/).map { String($0.1) }
    }
    var document: Document? {
      let type = head["Content-Type"].flatMap { MediaType(parsing: $0) }
      return (try? Address("http://localhost/opds")).flatMap {
        try? Document(bytes, type: type, from: $0)
      }
    }
    var feed: Feed? { document?.feed }
    var entry: Publication? { if case .entry(let entry) = document { entry } else { nil } }
  }

  @discardableResult
  func ask(
    _ address: String, _ method: HTTP.Method = .get, as pair: String? = adaCard,
    _ headers: Headers = [:], body: [UInt8] = []
  ) async throws -> Answer {
    var headers = headers
    if let pair {
      headers.set("Authorization", "Basic " + Base64.standard.encode(Array(pair.utf8)))
    }
    let site = "http://localhost"
    let target = address.hasPrefix(site) ? String(address.dropFirst(site.count)) : address
    let request = try HTTPServer.Request(method, target, headers: headers, body: body)
    let response = await handler(request)
    let reply = response.reply(to: request)
    var bytes = reply.bytes ?? []
    if case .file(let file) = response.body { bytes = file.read(0..<file.length) }
    return Answer(status: reply.status.code, head: reply.headers, bytes: bytes)
  }

  func work(named name: String) -> WorkID? {
    Letterhead(site: "http://localhost", version: .atom, signer: signer).work(named: name)
  }

  /// The entry of a title, found by searching.
  func book(_ title: String, _ headers: Headers = [:]) async throws -> Publication {
    let feed = try #require(try await ask("/opds/search?q=\(title)", headers).feed)
    return try #require(feed.everyPublication.first { $0.title == "The \(title) Book" })
  }

  /// The page of actions of a title, for an app that only downloads.
  func actions(_ title: String) async throws -> Feed {
    let feed = try #require(
      try await ask("/opds/search?q=\(title)", Self.downloader).feed)
    let name = "The \(title) Book"
    let mine = feed.publications.first { $0.title == name }?.links.first(.subsection)
    let page = try #require(mine ?? feed.navigation.first { $0.title == name }?.target)
    return try #require(try await ask(page.href, Self.downloader).feed)
  }

  func device(_ scopes: Set<Device.Scope>, of account: Account, _ name: String) async throws
    -> String
  {
    let (_, password) = try await registry.addDevice(
      named: name, of: account.patron, scopes: scopes, request: "r")
    return password.revealText { $0 }
  }

  static let downloader: Headers = ["User-Agent": "KOReader/2026.08"]
}
