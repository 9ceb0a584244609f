import Catalog
import Circulation
import Covers
import Database
import Desk
import Facade
import FoundationEssentials
import FrontDesk
import Glibc
import HTTP
import HTTPClient
import HTTPServer
import Machine
import PictureWork
import Registry
import Secrets
import Shelving

// The server side of `scripts/bench-facade`: the catalogue for reading apps over a database that
// `bench-catalog fill` made, open to strangers and to one reader with a shelf. Prints its address and
// serves until its input closes; the line `turn ITEM` lets one book change meanwhile.
//
//     bench-facade LOOPS DATABASE

let arguments = CommandLine.arguments
guard arguments.count == 3, let loops = Int(arguments[1]) else {
  print("usage: bench-facade LOOPS DATABASE")
  exit(2)
}
let library = LibraryID("bench")
let store = try await Store.open(try Location(arguments[2]))
let catalog = Catalog(store: store, now: { 1_700_000_000_000 })
let account = Account(
  id: AccountID("a"), patron: PatronID("reader"), name: "bench", provider: ProviderID("bench"),
  library: library, linkedAt: 0)

let shelf: ReaderShelf = {
  let asOf = Date(timeIntervalSince1970: 1_700_000_000)
  let loans = (1...5).map { number in
    KeptLoan(
      account: account.id, loan: Loan(item: ItemID("item-\(number)"), until: asOf), asOf: asOf)
  }
  let holds = (6...10).map { number in
    KeptHold(
      account: account.id,
      hold: Hold(item: ItemID("item-\(number)"), status: .waiting(position: 2, total: 9)),
      asOf: asOf)
  }
  return ReaderShelf(accounts: [account], loans: loans, holds: holds, stale: [])
}()

let stock = Stock(
  catalog: catalog,
  covers: CoverShelf(
    in: CacheFolder("/nonexistent"),
    over: { _ in
      Transport(send: { request throws(TransportError) in
        Reply(head: ReplyHead(status: .notFound, headers: [:]), body: [], address: request.address)
      })
    }, pictures: .withinThisProcess, now: { 0 }),
  lanes: Lane.defaults, libraries: [library], nameOfLibrary: { _ in "Bench Library" },
  admit: { _ in .visitor(.reader(.init(patron: PatronID("reader")))) },
  shelf: { _ throws(StockError) in shelf }, silent: { () throws(StockError) in [] },
  now: { 1_700_000_000_000 })
let facade = Facade(
  stock, FacadeSettings(title: "All libraries", isPublic: true, key: Secret(Array(0..<32))))
var router = Router<Void>()
facade.add(to: &router, Facade.Notes(open: (), catalog: (), reader: ()))
let server = Server(ServerSettings([.loopback(port: 0)], loops: loops), router.handler)
try server.start()
print(server.addresses[0])
fflush(nil)
var copies = 1
while let line = readLine() {
  guard line.hasPrefix("turn ") else { continue }
  copies += 1
  let answer = Availability(
    .available(.init(total: copies, available: 1)),
    asOf: Date(timeIntervalSince1970: 1_700_000_000 + Double(copies)))
  try await catalog.note([ItemID(String(line.dropFirst(5))): answer], at: library)
}
await server.stop(within: .seconds(2))
await store.close()
