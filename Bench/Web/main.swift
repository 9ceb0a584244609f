import Books
import Catalog
import Circulation
import Covers
import Database
import Desk
import Downloads
import FoundationEssentials
import FrontDesk
import Glibc
import HTTP
import HTTPClient
import HTTPServer
import Machine
import PictureWork
import ProviderKit
import Reading
import ReadingLists
import Registry
import Secrets
import Shelving
import Slips
import Synchronization
import Vault
import Web

// The server side of `scripts/bench-web`: the pages over a database that `bench-catalog fill` made,
// open to strangers and to many readers, each with a card, loans and holds of their own.
//
//     bench-web prepare DATABASE
//     bench-web serve LOOPS DATABASE READERS FOLDER
//
// `serve` writes a pass a line into FOLDER/passes, prints its address, and serves until its input
// closes.

let arguments = CommandLine.arguments
let library = LibraryID("bench")
let now: @Sendable () -> Int64 = { 1_700_000_000_000 }
switch arguments.dropFirst().first {
case "prepare" where arguments.count == 3:
  let store = try await Store.open(try Location(arguments[2]))
  _ = try await store.migrate(
    [
      Registry.migrations, Catalog.migrations, Desk.migrations, MyBooks.migrations,
      DownloadQueue.migrations, SlipBox.migrations, ReadingLists.migrations, Positions.migrations,
    ], at: 0)
  await store.close()
case "serve" where arguments.count == 6:
  guard let loops = Int(arguments[2]), let readers = Int(arguments[4]) else { fallthrough }
  try await serve(loops: loops, arguments[3], readers: readers, in: arguments[5])
default:
  print("usage: bench-web prepare DATABASE | bench-web serve LOOPS DATABASE READERS FOLDER")
  exit(2)
}

/// One card of a reader, with books that are theirs alone.
struct PaperCard: CirculationProvider {
  static let capabilities: Set<Capability> = [.availability, .shelf, .lending]
  let number: Int

  func describe() -> ProviderDescription {
    ProviderDescription(provider: ProviderID("bench"), availabilityBatch: 25)
  }

  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  { [:] }

  func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    let end = Date(timeIntervalSince1970: 1_700_000_000 + 9 * 86_400)
    var shelf = Shelf()
    for place in 1...4 {
      var loan = Loan(item: ItemID("item-\(number * 7 + place)"), until: end)
      loan.since = end.addingTimeInterval(-14 * 86_400)
      shelf.loans.append(loan)
    }
    shelf.holds = [
      Hold(item: ItemID("item-\(number * 7 + 5)"), status: .waiting(position: 2, total: 9))
    ]
    return shelf
  }
}

func serve(loops: Int, _ database: String, readers: Int, in folder: String) async throws {
  let store = try await Store.open(try Location(database))
  let door = VaultDoor(.keyFile(path: "\(folder)/vault.key"), in: .row(in: store), now: now)
  let registry = Registry(
    store: store, vault: { () throws(VaultError) in try await door.vault() }, now: now,
    ended: { _, _ in })
  let catalog = Catalog(store: store, now: now)
  let numbers = Numbers()
  let desk = Desk(
    store: store, keyring: Keyring { Secret(Array(32..<64)) }, now: now,
    open: { account, _ in PaperCard(number: numbers.number(of: account)) })
  let queue = DownloadQueue(
    store: store, now: now, chance: { 0.5 }, moved: { _, _, _ throws(DatabaseError) in })
  let books = MyBooks(store: store, now: now)
  let shelves = ShelfStock(store: store, registry: registry, desk: desk)

  var passes = ""
  var accounts: [AccountID] = []
  for number in 1...readers {
    let patron = try await registry.patron(named: "reader-\(number)")
    let account = try await registry.link(
      patron: patron.id, name: .like("bench"), provider: ProviderID("bench"), library: library,
      credentials: Credentials(["card": Secret("2\(1_000_000 + number)"), "pin": Secret("1")]),
      pinVerified: true, request: "bench")
    numbers.note(account.id, number)
    accounts.append(account.id)
    guard
      let pass = try await registry.newPass(by: .card(account.id), for: .month, request: "bench")
    else { continue }
    pass.revealText { passes += $0 + "\n" }
  }
  let call = Call(patron: nil, deadline: .now + .seconds(300), requestID: "bench")
  for synced in await desk.sync(accounts, in: call) { _ = try synced.result.get() }
  try WholeFile.write(Array(passes.utf8), to: "\(folder)/passes")

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
    lanes: Lane.defaults, libraries: [library], nameOfLibrary: { _ in "Bench Library" },
    admit: { _ in .unknown },
    shelf: { patron throws(StockError) in try await shelves.shelf(of: patron) },
    silent: { () throws(StockError) in try await shelves.silent() }, now: now)
  let lending = LendingStock(
    desk: desk,
    slips: SlipBox(
      store: store, now: now,
      key: { () throws(VaultError) in try await door.vault().subkey(SlipBox.keyLabel) }),
    lists: ReadingLists(store: store, now: now), positions: Positions(store: store, now: now),
    doorkeeper: Doorkeeper(registry, libraries: [library: .always]),
    readers: { () throws(StockError) in [:] },
    call: { patron, request in
      Call(patron: patron, deadline: .now + .seconds(10), requestID: request.id.description)
    },
    fulfilFree: { _, _, _, _ throws(DeskError) in
      throw .provider(CirculationError(.titleGone, from: ProviderID("bench"), during: .fulfil))
    },
    fetch: { _, _ throws(Problem) in throw Problem(.badGateway) }, note: { _, _ in })
  let lobby = Lobby(
    stock, lending, registry: registry, books: books, watch: Watch(stock, clock: { .now }),
    signer: Signer(key: Secret(Array(0..<32))),
    fetching: FetchDesk(
      queue: queue, files: BookStore(in: "\(folder)/books", store: store, now: now),
      followed: { accounts, patron throws(DatabaseError) in
        try await books.follow(accounts.map { Card($0.id, at: $0.library) }, of: patron).books
      }),
    pictures: .withinThisProcess, LobbySettings(title: "All libraries", isPublic: true))
  var router = Router<Void>(refuse: WebRoutes.refusal)
  WebRoutes.addAssets(to: &router, open: ())
  lobby.add(to: &router, .init(open: (), catalog: (), reader: ()))
  let server = Server(ServerSettings([.loopback(port: 0)], loops: loops), router.handler)
  try server.start()
  print(server.addresses[0])
  fflush(nil)
  while readLine() != nil {}
  await server.stop(within: .seconds(2))
  await store.close()
}

/// Which reader an account is of.
final class Numbers: Sendable {
  private let known = Mutex<[AccountID: Int]>([:])

  func note(_ account: AccountID, _ number: Int) { known.withLock { $0[account] = number } }
  func number(of account: AccountID) -> Int { known.withLock { $0[account] ?? 0 } }
}
