import Books
import Catalog
import Circulation
import Covers
import Database
import Desk
import Downloads
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPClient
import HTTPServer
import LCP
import Licenses
import Machine
import Membership
import Mirrors
import MockKit
import Notices
import PictureWork
import Profiles
import ProviderKit
import Reading
import ReadingLists
import Registry
import Secrets
import Shelving
import Slips
import StoreSupport
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Web

/// The pages over a real registry, catalogue and desk; only the library itself is made of paper. Ada
/// has a card there.
final class LobbyRoom: Sendable {
  static let day = Date(timeIntervalSince1970: 1_798_761_600)
  static let town = LibraryID("town")
  static let hostile = "<script>alert(1)</script> & \"quotes\""

  let store: Store
  let registry: Registry
  let catalog: Catalog
  let desk: Desk
  let books: MyBooks
  let queue: DownloadQueue
  let files: BookStore
  let lender = PaperLender()
  let lobby: Lobby
  let reading: ReadingStock
  let handler: Handler
  let ada: Account
  let policy: ProxyPolicy
  private let clock: Mutex<Int64>
  let jar = Mutex<[String: String]>([:])

  private init(
    _ store: Store, _ folder: String, isPublic: Bool, wantsCodes: Bool,
    publicURL: ProxyPolicy.PublicAddress?
  ) async throws {
    self.store = store
    policy = ProxyPolicy(publicAddress: publicURL)
    let start = Int64(Self.day.timeIntervalSince1970 * 1000)
    clock = Mutex(start)
    let now: @Sendable () -> Int64 = { start }
    let door = VaultDoor(.keyFile(path: "\(folder)/vault.key"), in: .row(in: store), now: now)
    let registry = Registry(
      store: store, vault: { () throws(VaultError) in try await door.vault() }, now: now,
      ended: { _, _ in })
    self.registry = registry
    catalog = Catalog(store: store, now: now)
    let patron = try await registry.patron(named: "ada")
    ada = try await registry.link(
      patron: patron.id, name: .like("town"), provider: ProviderID("paper"), library: Self.town,
      credentials: Credentials(["card": Secret("21000001"), "pin": Secret("1234")]),
      pinVerified: true,
      request: "r")
    let lender = lender
    let desk = Desk(
      store: store, keyring: Keyring { Secret(Array(32..<64)) }, now: now,
      open: { _, _ in PaperCard(lender: lender) })
    self.desk = desk
    let queue = DownloadQueue(
      store: store, now: now, chance: { 0.5 },
      moved: { tx, ticket, event throws(DatabaseError) in
        let wish = ticket.wish
        try tx.move(wish.item, on: wish.account, of: wish.patron, by: event, at: now())
      })
    self.queue = queue
    files = BookStore(in: "\(folder)/books", store: store, now: now)
    let books = MyBooks(store: store, now: now) { tx, account, item throws(DatabaseError) in
      try queue.withdraw(account, item, in: tx)
    }
    self.books = books
    let shelves = ShelfStock(store: store, registry: registry, desk: desk)
    let stock = Stock(
      catalog: catalog,
      covers: CoverShelf(
        in: CacheFolder("\(folder)/covers"),
        over: { _ in Self.silence }, pictures: .withinThisProcess, now: now),
      lanes: Self.lanes, libraries: [Self.town], nameOfLibrary: { _ in "Town <Library>" },
      admit: { _ in .unknown },
      shelf: { patron throws(StockError) in try await shelves.shelf(of: patron) },
      silent: { () throws(StockError) in [] }, now: now)
    let lending = LendingStock(
      desk: desk,
      slips: SlipBox(
        store: store, now: now,
        key: { () throws(VaultError) in try await door.vault().subkey(SlipBox.keyLabel) }),
      lists: ReadingLists(store: store, now: now), positions: Positions(store: store, now: now),
      doorkeeper: Doorkeeper(registry, libraries: [Self.town: .always]),
      readers: { () throws(StockError) in [:] },
      call: { patron, request in
        Call(patron: patron, deadline: .now + .seconds(10), requestID: request.id.description)
      },
      fulfilFree: { _, _, _, _ throws(DeskError) in
        throw .provider(CirculationError(.titleGone, from: ProviderID("paper"), during: .fulfil))
      },
      fetch: { _, _ throws(Problem) in throw Problem(.badGateway) }, note: { _, _ in })
    reading = ReadingStock(
      files: files, queue: queue, annotations: Annotations(store: store, now: now),
      positions: Positions(store: store, now: now), tastes: Tastes(store: store, now: now),
      licenses: Licenses(
        store: store, over: { _ in Self.silence }, now: now,
        trusted: { LicenseRoots(Self.press.map { [$0.root] } ?? []) },
        key: { Secret(Array(64..<96)) }),
      media: UnpackedMedia(in: "\(folder)/media"),
      ticketKey: { () throws(VaultError) in try await door.vault().subkey(PartTicket.keyLabel) })
    var lobby = Lobby(
      stock, lending, registry: registry, books: books,
      watch: Watch(stock, clock: { .now }), signer: Signer(key: Secret(Array(0..<32))),
      fetching: FetchDesk(
        queue: queue, files: files,
        followed: { accounts, patron throws(DatabaseError) in
          try await books.follow(accounts.map { Card($0.id, at: $0.library) }, of: patron).books
        }),
      pictures: .withinThisProcess, reading: reading,
      LobbySettings(title: "All libraries", isPublic: isPublic, wantsCodes: wantsCodes),
      own: PaperOffice.stock(
        store, registry, lender, now: now,
        key: { () throws(VaultError) in try await door.vault().subkey(Notices.keyLabel) }))
    lobby.office = OfficePaper.office(
      store, registry, catalog, desk, lists: lending.lists, stock.rack, now: now)
    self.lobby = lobby
    var routes = Router<Int>(refuse: WebRoutes.refusal)
    WebRoutes.addAssets(to: &routes, open: 0)
    lobby.add(to: &routes, .init(open: 0, catalog: 1, reader: 2))
    handler = routes.handler
  }

  /// A lender of locked books, whom the house trusts.
  static let press = try? LicensePress()

  /// A network on which nobody answers.
  static let silence = Transport(send: { request throws(TransportError) in
    Reply(head: ReplyHead(status: .notFound, headers: [:]), body: [], address: request.address)
  })

  static let lanes: [Lane] = {
    var mystery = LaneRule()
    mystery.subjects = ["mystery"]
    return [
      Lane(id: "popular", title: "Popular", .rule(LaneRule())),
      Lane(id: "recommended", title: "Recommended", .recommendation(LaneRule())),
      Lane(
        id: "genres", title: "By genre", .group,
        lanes: [Lane(id: "mystery", title: "Mystery", .rule(mystery))]),
    ]
  }()

  static func open(
    _ engine: Engine = .sqlite, isPublic: Bool = true, wantsCodes: Bool = false,
    publicURL: ProxyPolicy.PublicAddress? = nil, _ body: (LobbyRoom) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let tables =
        OfficePaper.tables + [
          Registry.migrations, Catalog.migrations, Desk.migrations, MyBooks.migrations,
          SlipBox.migrations, ReadingLists.migrations, Positions.migrations,
          DownloadQueue.migrations, Licenses.migrations,
        ]
      try await withStore(engine, tables: tables) { store in
        let room = try await LobbyRoom(
          store, folder.path, isPublic: isPublic, wantsCodes: wantsCodes, publicURL: publicURL)
        try await room.fill()
        try await body(room)
      }
    }
  }

  private func fill() async throws {
    var books = (1...40).map { number in
      Self.book("t\(number)", "Volume \(number) of Everything") {
        $0.subjects = number % 4 == 0 ? ["Mystery"] : ["Gardens"]
        if number == 39 { $0.formats = [Self.streamed] }
        if number == 40 { $0.formats = [Self.locked] }
        $0.popularity = Double(100 - number)
      }
    }
    books.append(
      Self.book("hostile", Self.hostile) {
        $0.popularity = 200
        $0.subtitle = "\"><img src=x onerror=alert(2)>"
        $0.languages = ["fr\" onload=x"]
        $0.summary = "<p>First.</p><script>alert(3)</script><p>Second &amp; <b>last</b>.</p>"
      })
    books.append(Self.book("out", "All Copies Out"))
    try await catalog.take(books, of: Self.town, provider: ProviderID("paper"))
    lender.change { state in
      for number in 1...40 { state.copies[ItemID("t\(number)")] = 2 }
      state.copies[ItemID("hostile")] = 1
    }
    let items = books.map(\.item)
    let call = Call(patron: nil, deadline: .now + .seconds(10), requestID: "note")
    try await catalog.note(
      try await PaperCard(lender: lender).availability(of: items, in: call), at: Self.town)
  }

  /// Of the last books: read at the library's page, or with a program of Adobe's.
  static let streamed = Format(id: "read", content: .epub, protection: .streaming)
  static let locked = Format(id: "acsm", content: .epub, protection: .adobe)

  static func book(
    _ item: String, _ title: String, _ change: (inout Edition) -> Void = { _ in }
  ) -> Edition {
    var edition = Edition(item: ItemID(item), title: title)
    edition.contributors = [Contributor(name: "Ada Quill", role: .author)]
    edition.languages = ["en"]
    edition.formats = [Format(id: "epub", content: .epub, protection: .none)]
    change(&edition)
    return edition
  }

  /// The library is asked what stands on the card.
  func sync() async throws {
    let call = Call(patron: nil, deadline: .now + .seconds(10), requestID: "sync")
    for synced in await desk.sync([ada.id], in: call) { _ = try synced.result.get() }
  }
}
