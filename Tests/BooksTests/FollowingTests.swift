import Circulation
import Database
import FoundationEssentials
import StoreSupport
import TestSupport
import Testing

@testable import Books
@testable import Desk

let ada = PatronID("ada")
let city = Card(AccountID("a1"), at: LibraryID("city"))
let day: Int64 = 86_400_000

/// A reader's books over a shelf that the test writes as the desk would.
struct Town {
  let books: MyBooks
  let store: Store
  let clock: Clock

  static func play(_ engine: Engine, _ body: (Town) async throws -> Void) async throws {
    try await withStore(engine, tables: [Desk.migrations, MyBooks.migrations]) { store in
      let clock = Clock(at: 1_000 * day)
      let books = MyBooks(store: store, now: { clock.now })
      try await body(Town(books: books, store: store, clock: clock))
    }
  }

  func key(_ item: String) -> BookKey { BookKey(city.library, ItemID(item)) }

  func lend(_ item: String, days: Int64?, on card: Card = city) async throws {
    var loan = Loan(
      item: ItemID(item), until: days.map { Date(milliseconds: clock.now + $0 * day) })
    loan.title = "Title of \(item)"
    let (taken, now) = (loan, clock.now)
    try await store.write { tx throws(DatabaseError) in
      try tx.keep(taken, of: card.account, asOf: now)
      try tx.dropHold(on: taken.item, on: card.account)
    }
  }

  func queue(_ item: String, _ status: Hold.Status) async throws {
    let now = clock.now
    try await store.write { tx throws(DatabaseError) in
      try tx.keep(Hold(item: ItemID(item), status: status), of: city.account, asOf: now)
    }
  }

  func clear(_ item: String) async throws {
    try await store.write { tx throws(DatabaseError) in
      try tx.dropLoan(of: ItemID(item), on: city.account)
      try tx.dropHold(on: ItemID(item), on: city.account)
    }
  }

  func move(_ item: String, _ event: BookEvent) async throws -> Bool {
    let now = clock.now
    return try await store.write { tx throws(DatabaseError) in
      try tx.move(ItemID(item), on: city.account, of: ada, by: event, at: now)
    }
  }

  /// Where a book stands once the shelf was followed.
  func state(_ item: String, _ cards: [Card] = [city]) async throws -> BookState {
    try await books.follow(cards, of: ada).books.first { $0.key == key(item) }?.state ?? .none
  }
}

@Suite struct `The books of a reader` {
  @Test(arguments: Engine.allCases)
  func `The books of a reader follow a hold to its offer, its loan and its return`(engine: Engine)
    async throws
  {
    try await Town.play(engine) { town in
      try await town.queue("emma", .waiting(position: 3, total: 5))
      #expect(try await town.state("emma") == .waitingForLoan)
      try await town.queue("emma", .suspended(until: nil))
      #expect(try await town.state("emma") == .waitingForLoan)
      try await town.queue("emma", .ready(until: Date(milliseconds: town.clock.now + 3 * day)))
      #expect(try await town.state("emma") == .loanOffered)
      try await town.lend("emma", days: 21)
      #expect(try await town.state("emma") == .notDownloaded)
      let book = try #require(try await town.books.follow([city], of: ada).books.first)
      #expect(book.until == town.clock.now + 21 * day && book.account == city.account)
      try await town.clear("emma")
      #expect(try await town.state("emma") == .none)
      #expect(try await town.books.follow([city], of: ada).books.isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The books of a reader are shown though they were borrowed elsewhere`(engine: Engine)
    async throws
  {
    try await Town.play(engine) { town in
      try await town.lend("emma", days: 14)
      let books = try await town.books.follow([city], of: ada).books
      #expect(books.map(\.state) == [.notDownloaded])
      #expect(books.map(\.face.title) == ["Title of emma"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a loan ends by the clock while its library is silent, and a later answer corrects it`(
    engine: Engine
  ) async throws {
    try await Town.play(engine) { town in
      try await town.lend("emma", days: 21)
      try await town.queue("dune", .ready(until: Date(milliseconds: town.clock.now + 3 * day)))
      _ = try await town.books.follow([city], of: ada)
      town.clock.advance(by: 21 * day)
      let ended = try await town.books.passTime()
      #expect(ended.loans == [EndedLoan(patron: ada, account: city.account, item: ItemID("emma"))])
      #expect(ended.offers == 1)
      #expect(try await town.state("emma") == .loanExpired)
      #expect(try await town.state("dune") == .loanOfferExpired)
      #expect(try await town.books.passTime().loans.isEmpty)
      // It had been renewed.
      try await town.lend("emma", days: 7)
      #expect(try await town.state("emma") == .notDownloaded)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The books of a reader end by the library's clock where that differs from ours`(
    engine: Engine
  ) async throws {
    try await Town.play(engine) { town in
      try await town.books.note(clockOf: city.library, ahead: 22 * day)
      try await town.lend("emma", days: 21)
      #expect(try await town.state("emma") == .loanExpired)
      try await town.books.note(clockOf: city.library, ahead: 0)
      #expect(try await town.state("emma") == .notDownloaded)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a loan that left the shelf counts as expired by the library's own clock`(engine: Engine)
    async throws
  {
    try await Town.play(engine) { town in
      try await town.lend("emma", days: 21)
      _ = try await town.books.follow([city], of: ada)
      try await town.books.note(clockOf: city.library, ahead: 22 * day)
      try await town.clear("emma")
      #expect(try await town.state("emma") == .loanExpired)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The books of a reader that ended and vanished were not returned`(engine: Engine)
    async throws
  {
    try await Town.play(engine) { town in
      try await town.lend("emma", days: 21)
      _ = try await town.books.follow([city], of: ada)
      town.clock.advance(by: 22 * day)
      try await town.clear("emma")
      #expect(try await town.state("emma") == .loanExpired)
      #expect(try await town.books.dismiss(town.key("emma"), of: ada).state == BookState.none)
      #expect(try await town.state("emma") == .none)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The books of a reader that were put away do not come back until they are lent anew`(
    engine: Engine
  )
    async throws
  {
    try await Town.play(engine) { town in
      try await town.lend("emma", days: 1)
      _ = try await town.books.follow([city], of: ada)
      town.clock.advance(by: 2 * day)
      // The library still lists what is over.
      #expect(try await town.state("emma") == .loanExpired)
      #expect(try await town.books.dismiss(town.key("emma"), of: ada).state == BookState.none)
      #expect(try await town.state("emma") == .none)
      try await town.lend("emma", days: 14)
      #expect(try await town.state("emma") == .notDownloaded)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The books of a reader tell of a missed offer, also where the reader waits on`(
    engine: Engine
  ) async throws {
    try await Town.play(engine) { town in
      try await town.queue("emma", .ready(until: Date(milliseconds: town.clock.now + day)))
      #expect(try await town.state("emma") == .loanOffered)
      town.clock.advance(by: 2 * day)
      try await town.queue("emma", .waiting(position: 4, total: 9))
      #expect(try await town.state("emma") == .loanOfferExpired)
      #expect(try await town.books.dismiss(town.key("emma"), of: ada).state == BookState.none)
      #expect(try await town.state("emma") == .waitingForLoan)
      try await town.queue("emma", .expired)
      #expect(try await town.state("emma") == .loanOfferExpired)
      #expect(try await town.books.dismiss(town.key("emma"), of: ada).state == BookState.none)
      #expect(try await town.state("emma") == .none)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The books of a reader are moved by their downloads, by moves of the table only`(
    engine: Engine
  ) async throws {
    try await Town.play(engine) { town in
      try await town.lend("emma", days: 21)
      _ = try await town.books.follow([city], of: ada)
      let moves: [(BookEvent, Bool, BookState)] = [
        (.downloadCompleted, false, .notDownloaded), (.queued, true, .downloadQueued),
        (.downloadStarted, true, .downloading), (.downloadFailed, true, .downloadFailed),
        (.queued, true, .downloadQueued), (.downloadCancelled, true, .notDownloaded),
        (.downloadStarted, true, .downloading), (.downloadCompleted, true, .downloadCompleted),
      ]
      for (event, isMade, state) in moves {
        #expect(try await town.move("emma", event) == isMade)
        #expect(try await town.state("emma") == state)
      }
      #expect(try await town.books.open(town.key("emma"), of: ada).state == .opened)
      #expect(try await town.state("emma") == .opened)
      town.clock.advance(by: 30 * day)
      #expect(try await town.books.passTime().loans.count == 1)
      #expect(try await town.state("emma") == .loanExpired)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The books of a reader under download are broken off when their time is over`(engine: Engine)
    async throws
  {
    try await Town.play(engine) { town in
      for item in ["a", "b"] { try await town.lend(item, days: 1) }
      _ = try await town.books.follow([city], of: ada)
      #expect(try await town.move("a", .queued))
      #expect(try await town.move("b", .downloadStarted))
      town.clock.advance(by: day)
      #expect(try await town.books.passTime(batch: 1).loans.count == 2)
      #expect(try await town.state("a") == .loanExpired)
      #expect(try await town.state("b") == .loanExpired)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a hold and a loan of one title on two cards are one book, and the loan counts`(
    engine: Engine
  )
    async throws
  {
    let other = Card(AccountID("a2"), at: city.library)
    try await Town.play(engine) { town in
      try await town.queue("emma", .waiting(position: 1, total: 1))
      try await town.lend("emma", days: 3, on: other)
      let books = try await town.books.follow([city, other], of: ada).books
      #expect(books.map(\.state) == [.notDownloaded])
      #expect(books.map(\.account) == [other.account])
    }
  }

  @Test(arguments: Engine.allCases)
  func `The books of a reader go with the card that is unlinked`(engine: Engine) async throws {
    try await Town.play(engine) { town in
      try await town.lend("emma", days: 3)
      _ = try await town.books.follow([city], of: ada)
      _ = try await town.books.save(
        town.key("dune"), BookFace(title: "Dune", authors: []), of: ada)
      try await town.store.write { tx throws(DatabaseError) in
        try MyBooks.forget(city.account, in: tx)
      }
      let left = try await town.books.follow([], of: ada).books
      #expect(left.map(\.face.title) == ["Dune"])
    }
  }
}

extension Choice {
  var state: BookState? {
    switch self {
    case .done(let book), .already(let book): book.state
    case .refused, .full: nil
    }
  }
}
