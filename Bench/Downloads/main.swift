import Circulation
import Database
import Desk
import Downloads
import Glibc
import HTTPClient
import Machine

// The queue's side of `scripts/bench-downloads`: asks for a file, fetches it through the line into a
// store of books, and prints the seconds from the asking to the file on its shelf. With a count, for
// `scripts/soak-downloads`: asks for ADDRESS-0, ADDRESS-1 … and works until all are there, however
// often it was killed before, then sweeps.
//
//     bench-downloads ADDRESS FOLDER [COUNT]

let arguments = CommandLine.arguments
guard arguments.count == 3 || arguments.count == 4,
  let count = Int(arguments.dropFirst(3).first ?? "0")
else {
  print("usage: bench-downloads ADDRESS FOLDER [COUNT]")
  exit(2)
}
let (address, folder) = (arguments[1], arguments[2])
let now: @Sendable () -> Int64 = { Time.system.now().millisecondsSinceEpoch }

let store = try await Store.open(.sqlite(path: "\(folder)/carrel.db"))
_ = try await store.migrate([DownloadQueue.migrations], at: now())
var pace = DownloadQueue.Settings()
if count > 0 {
  (pace.atOnce, pace.perLibrary) = (count, count)
  (pace.lease, pace.firstWait) = (.seconds(1), .milliseconds(200))
}
let queue = DownloadQueue(
  store: store, settings: pace, now: now, chance: { 0 },
  moved: { _, _, _ throws(DatabaseError) in })
var room = BookStore.Settings()
room.budget = 64 << 30
let books = BookStore(in: "\(folder)/books", store: store, settings: room, now: now)

var configuration = ClientConfiguration()
configuration.gate = AddressGate(
  allowing: [AddressGate.Allowance("127.0.0.1")].compactMap(\.self))
configuration.connectionsPerHost = 0
let client = try Client(configuration)
let format = Format(id: "mp3", content: .audiobook, protection: .none)
var steps = Porter.Settings()
if count > 0 { steps.look = .milliseconds(100) }
let porter = Porter(
  queue, into: books, over: { _ in client.transport }, time: .system, settings: steps,
  fulfil: { _, item, _, _ throws(DeskError) in
    .file(.init(address: count > 0 ? "\(address)-\(item)" : address, format: format))
  })

func wish(_ number: Int) -> Wish {
  Wish(
    ItemID("\(number)"), on: AccountID("a"), of: LibraryID("l"), for: PatronID("p"),
    title: "Book \(number)")
}

let start = ContinuousClock.now
for number in 0..<max(1, count) { _ = try await queue.ask(wish(number)) }
if count == 0 {
  await porter.workOff()
} else {
  let work = Task { await porter.work() }
  while try await queue.tickets(of: PatronID("p")).contains(where: { $0.state != .done }) {
    try await Task.sleep(for: .milliseconds(100))
  }
  work.cancel()
  await work.value
  // Nobody has written for so long.
  try await Task.sleep(for: pace.lease)
  print(try await books.sweep(queue))
}
let took = start.duration(to: .now) / .seconds(1)
for ticket in try await queue.tickets(of: PatronID("p")) where ticket.state != .done {
  print("not done: \(ticket.reason ?? "no reason")")
  exit(1)
}
print(took)
await client.shutdown()
await store.close()
