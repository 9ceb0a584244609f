import Circulation
import Crypto
import Database
import Machine
import StoreSupport
import TestSupport
import Testing

@testable import Downloads

@Suite(.timeLimit(.minutes(2))) struct `The store of books` {
  /// Puts bytes on the shelf as a download does.
  private func shelve(
    _ depot: Depot, _ bytes: [UInt8], _ item: String = "i1", patron: String = "ada",
    isOpenAccess: Bool = false, until: Int64? = nil
  ) async throws -> Shelved {
    let ticket = try await depot.ask(
      item, patron: patron, isOpenAccess: isOpenAccess, until: until)
    let claim = try #require(try await depot.queue.claim())
    #expect(claim.ticket.id == ticket.id)
    try Folder.makePrivate(depot.books.incoming)
    let path = "\(depot.books.incoming)/t\(ticket.id).whole-x"
    try WholeFile.write(bytes, to: path)
    let arrival = Arrival(
      path: path, digest: Hex.encode(Digest.sha256.hash(bytes)), size: bytes.count, kind: .epub)
    return try await depot.books.shelve(arrival, for: ticket.wish) {
      tx throws(DatabaseError) in
      try depot.queue.complete(claim, arrival.digest, arrival.size, in: tx)
    }
  }

  private func isStored(_ shelved: Shelved) -> Bool {
    if case .stored = shelved { true } else { false }
  }

  @Test(arguments: Engine.allCases)
  func `The store of books keeps the same bytes once, until the last loan is over`(engine: Engine)
    async throws
  {
    try await withDepot(engine) { depot in
      let bytes = [UInt8](repeating: 7, count: 100)
      _ = try await shelve(depot, bytes)
      _ = try await shelve(depot, bytes, patron: "bob")
      #expect(depot.names("files").count == 1 && depot.names("incoming").isEmpty)
      #expect(try await depot.books.usage() == .init(files: 1, bytes: 100, budget: 1 << 30))
      try await depot.books.release(ItemID("i1"), on: AccountID("ada-card"))
      #expect(try await depot.book() == nil)
      #expect(try await depot.bytes(patron: "bob") == bytes)
      try await depot.books.release(ItemID("i1"), on: AccountID("bob-card"))
      #expect(depot.names("files").isEmpty)
      #expect(try await depot.books.usage().files == 0)
      // Borrowed anew, it is asked for anew.
      #expect(try await depot.ask().state == .running)
    }
  }

  /// A campaign's seeds 1903 and 3921.
  @Test(arguments: Engine.allCases)
  func `The store of books keeps nothing of a loan whose end nobody told`(engine: Engine)
    async throws
  {
    try await withDepot(engine) { depot in
      for (number, name) in ["ada", "bob", "eve"].enumerated() {
        _ = try await shelve(depot, [1, 2, UInt8(number)], patron: name)
      }
      try await depot.store.write { tx throws(DatabaseError) in
        try tx.execute(
          """
          INSERT INTO desk_loan (account, item, formats, renewable, returnable, authors, as_of)
          VALUES ('ada-card', 'i1', '', FALSE, FALSE, '', 0)
          """)
      }
      try await depot.books.releaseLeft(on: [AccountID("ada-card"), AccountID("bob-card")])
      #expect(try await depot.bytes() == [1, 2, 0])
      #expect(try await depot.book(patron: "bob") == nil)
      #expect(try await depot.bytes(patron: "eve") == [1, 2, 2])
      try await depot.books.releaseLeft()
      #expect(depot.names("files").count == 1)
      #expect(try await depot.bytes() == [1, 2, 0])
    }
  }

  @Test(arguments: Engine.allCases)
  func `The store of books keeps what is free for everybody when the loan is over`(engine: Engine)
    async throws
  {
    try await withDepot(engine) { depot in
      _ = try await shelve(depot, [1, 2, 3], isOpenAccess: true)
      try await depot.books.release(ItemID("i1"), on: AccountID("ada-card"))
      #expect(try await depot.bytes() == [1, 2, 3])
      guard case .already = try await depot.queue.ask(depot.wish()) else {
        Issue.record("asked for again")
        return
      }
      // Also when it is borrowed anew.
      try await depot.store.write { tx throws(DatabaseError) in
        try depot.queue.withdraw(AccountID("ada-card"), ItemID("i1"), in: tx)
      }
      guard case .already(let ticket) = try await depot.queue.ask(depot.wish(isOpenAccess: true))
      else {
        Issue.record("asked for anew")
        return
      }
      #expect(ticket.state == .done && ticket.digest == Hex.encode(Digest.sha256.hash([1, 2, 3])))
      #expect(try await depot.moves().suffix(2) == [.downloadStarted, .downloadCompleted])
    }
  }

  @Test(arguments: Engine.allCases)
  func `the book store removes the longest-unread books without a loan to make room`(
    engine: Engine
  ) async throws {
    try await withDepot(engine, budget: 1000) { depot in
      let soon = depot.clock.now + 1000
      for (item, seed) in [("a", 1), ("b", 2), ("c", 3)] {
        _ = try await shelve(
          depot, [UInt8](repeating: UInt8(seed), count: 300), item, until: soon)
        depot.clock.advance(by: 10)
      }
      try await depot.books.opened(try #require(try await depot.book("a")))
      let next = [UInt8](repeating: 4, count: 300)
      // All three are on loan still.
      guard case .noRoom = try await shelve(depot, next, "d") else {
        Issue.record("there was room")
        return
      }
      #expect(depot.names("files").count == 3)
      depot.clock.advance(by: 40_000)
      #expect(isStored(try await shelve(depot, next, "d")))
      #expect(try await depot.book("b") == nil)
      #expect(try await depot.book("a") != nil)
      #expect(try await depot.book("c") != nil)
      #expect(depot.names("files").count == 3)
    }
  }

  @Test func `The store of books lets go of nothing where that would not be enough`() async throws {
    try await withDepot(.sqlite, budget: 1000) { depot in
      _ = try await shelve(
        depot, [UInt8](repeating: 1, count: 300), "a", until: depot.clock.now + 1)
      _ = try await shelve(
        depot, [UInt8](repeating: 2, count: 500), "b", isOpenAccess: true,
        until: depot.clock.now + 1)
      depot.clock.advance(by: 40_000)
      #expect(try await !depot.books.hasRoom(for: 600))
      #expect(depot.names("files").count == 2)
      #expect(try await depot.books.mostFitting() == 500)
      #expect(try await depot.books.hasRoom(for: 500))
      #expect(depot.names("files").count == 1)
      #expect(try await depot.book("b") != nil)
    }
  }

  @Test func `The store of books refuses a download that would not fit, and says so`() async throws
  {
    try await withDepot(.sqlite, budget: 10_000) { depot in
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        Shelf(bytes: Samples.epub()).serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend(server)
      let asked = try await depot.ask()
      await depot.porter().workOff()
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.state == .failed && ticket.reason == "no_room" && !ticket.willBeTriedAgain)
      #expect(depot.names("incoming").isEmpty && depot.names("files").isEmpty)
    }
  }

  @Test func `The store of books learns of a renewal`() async throws {
    try await withDepot(.sqlite, budget: 300) { depot in
      let bytes = [UInt8](repeating: 1, count: 300)
      _ = try await shelve(depot, bytes, until: depot.clock.now + 1)
      try await depot.books.lasts(
        until: depot.clock.now + 100_000, ItemID("i1"), on: AccountID("ada-card"))
      depot.clock.advance(by: 50_000)
      #expect(try await !depot.books.hasRoom(for: 1))
      depot.clock.advance(by: 50_000)
      #expect(try await depot.books.hasRoom(for: 1))
    }
  }

  @Test func `The store of books takes nothing that is no longer wanted`() async throws {
    try await withDepot(.sqlite) { depot in
      let ticket = try await depot.ask()
      let claim = try #require(try await depot.queue.claim())
      _ = try await depot.queue.cancel(of: PatronID("ada"))
      try Folder.makePrivate(depot.books.incoming)
      let path = "\(depot.books.incoming)/t\(ticket.id).whole-x"
      try WholeFile.write([1, 2], to: path)
      let arrival = Arrival(path: path, digest: "ab12", size: 2, kind: .epub)
      let shelved = try await depot.books.shelve(arrival, for: ticket.wish) {
        tx throws(DatabaseError) in
        try depot.queue.complete(claim, arrival.digest, arrival.size, in: tx)
      }
      guard case .unwanted = shelved else {
        Issue.record("\(shelved)")
        return
      }
      #expect(depot.names("files").isEmpty && depot.names("incoming").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The store of books is brought together again after kills and after hands`(engine: Engine)
    async throws
  {
    try await withDepot(engine) { depot in
      _ = try await shelve(depot, [1, 2, 3], "kept")
      _ = try await shelve(depot, [4, 5, 6], "lost")
      _ = try await shelve(depot, [7, 8, 9], "shortened")
      let lost = try #require(try await depot.book("lost"))
      try GuardedFile.remove(depot.books.path(of: lost))
      let shortened = try #require(try await depot.book("shortened"))
      try WholeFile.write([7], to: depot.books.path(of: shortened))
      // Killed between the file and its row.
      try Folder.makePrivate("\(depot.books.folder)/files/ee")
      try WholeFile.write([1], to: "\(depot.books.folder)/files/ee/ee00")
      let swept = try await depot.books.sweep(depot.queue)
      #expect(swept == Swept(strays: 2, lost: 2, parts: 0))
      #expect(try await depot.bytes("kept") == [1, 2, 3])
      #expect(depot.names("files").count == 1)
      #expect(try await depot.book("lost") == nil)
      #expect(try await depot.book("shortened") == nil)
      #expect(try await depot.ask("lost").state == .running)
      #expect(try await depot.books.sweep(depot.queue) == Swept())
    }
  }

  @Test func `The store of books sweeps parts that nobody goes on with, and no others`()
    async throws
  {
    try await withDepot(.sqlite) { depot in
      let (wanted, unwanted) = (try await depot.ask("a"), try await depot.ask("b"))
      _ = try await depot.queue.cancel(unwanted.id, of: PatronID("ada"))
      let incoming = CacheFolder(depot.books.incoming)
      func lay(_ name: String, age: Int64) throws {
        try incoming.write([1], to: name, at: depot.clock.now - age)
      }
      let (minute, day) = (Int64(60_000), Int64(86_400_000))
      try lay("t\(wanted.id).part", age: day)
      try lay("t\(wanted.id).part.note", age: day)
      try lay("t\(unwanted.id).part", age: minute)
      try lay("t999.part", age: minute)
      // Somebody may just be writing to it.
      try lay("t998.part", age: 1000)
      // Looked at by its worker, and left by one that is gone.
      let worker = try #require(try await depot.queue.claim()?.owner)
      try lay("t\(wanted.id).whole-\(worker)", age: minute)
      try lay("t\(wanted.id).whole-x", age: minute)
      try lay("something", age: day)
      let swept = try await depot.books.sweep(depot.queue)
      #expect(swept == Swept(strays: 0, lost: 0, parts: 4))
      let left = ["t998.part", "t\(wanted.id).part", "t\(wanted.id).part.note"]
      #expect(depot.names("incoming") == (left + ["t\(wanted.id).whole-\(worker)"]).sorted())
      depot.clock.advance(by: 8 * day)
      _ = try await depot.queue.claim()
      _ = try await depot.books.sweep(depot.queue)
      #expect(depot.names("incoming").isEmpty)
    }
  }
}
