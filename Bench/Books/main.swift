import Books
import Circulation
import Database
import Desk
import FoundationEssentials
import Glibc
import Synchronization

// The states of many readers' books: what `scripts/bench-books` prints. Fills a SQLite file with
// readers who each have so many loans, asks for the books of one reader at a time, and lets the
// time of all loans pass at once.
//
//     bench-books FOLDER READERS LOANS

let arguments = CommandLine.arguments
guard arguments.count == 4, let readers = Int(arguments[2]), let loans = Int(arguments[3]) else {
  print("usage: bench-books FOLDER READERS LOANS")
  exit(2)
}
let clock = Mutex<Int64>(1_000_000_000_000)
let day: Int64 = 86_400_000
let store = try await Store.open(.sqlite(path: "\(arguments[1])/books.sqlite"))
_ = try await store.migrate([Desk.migrations, MyBooks.migrations], at: 0)
let books = MyBooks(store: store, now: { clock.withLock { $0 } })

func seconds(_ body: () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await body()
  return (ContinuousClock.now - start) / .seconds(1)
}

func card(_ reader: Int) -> Card { Card(AccountID("a\(reader)"), at: LibraryID("l\(reader % 20)")) }

// As a desk that has synced every reader once leaves them.
let filled = try await seconds {
  for first in stride(from: 0, to: readers, by: 500) {
    try await store.write { tx throws(DatabaseError) in
      for reader in first..<min(first + 500, readers) {
        for loan in 0..<loans {
          try tx.execute(
            """
            INSERT INTO desk_loan (account, item, until, formats, renewable, returnable, title,
              authors, as_of)
            VALUES (\("a\(reader)"), \("i\(loan)"), \(1_000_000_000_000 + 86_400_000), '',
              \(false), \(true), \("Book \(loan)"), '', 0)
            """)
        }
      }
    }
  }
}
let followed = try await seconds {
  for reader in 0..<readers {
    _ = try await books.follow([card(reader)], of: PatronID("p\(reader)"))
  }
}
var asks: [Double] = []
for reader in stride(from: 0, to: readers, by: max(1, readers / 500)) {
  asks.append(
    try await seconds {
      let seen = try await books.follow([card(reader)], of: PatronID("p\(reader)")).books
      precondition(seen.count == loans)
    })
}
asks.sort()
clock.withLock { $0 += 2 * day }
var ended = 0
let passed = try await seconds { ended = try await books.passTime().loans.count }
precondition(ended == readers * loans)
await store.close()
print(filled, followed, asks[asks.count / 2], asks[asks.count * 99 / 100], passed)
