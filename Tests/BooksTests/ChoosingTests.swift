import Circulation
import StoreSupport
import TestSupport
import Testing

@testable import Books

private let emma = BookFace(title: "Emma", authors: ["Jane Austen"])

@Suite struct `What a reader decides` {
  @Test(arguments: Engine.allCases)
  func `What a reader decides: saves a book once, and lets go of it`(engine: Engine) async throws {
    try await Town.play(engine) { town in
      let key = town.key("emma")
      guard case .done(let book) = try await town.books.save(key, emma, of: ada) else {
        Issue.record("not saved")
        return
      }
      #expect(book.state == .saved && book.face == emma)
      guard case .already = try await town.books.save(key, emma, of: ada) else {
        Issue.record("saved twice")
        return
      }
      #expect(try await town.state("emma") == .saved)
      #expect(try await town.books.unsave(key, of: ada).state == BookState.none)
      #expect(try await town.books.follow([city], of: ada).books.isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `What a reader decides: is refused where the table has no such move`(engine: Engine)
    async throws
  {
    try await Town.play(engine) { town in
      try await town.lend("emma", days: 3)
      _ = try await town.books.follow([city], of: ada)
      let key = town.key("emma")
      #expect(try await town.books.save(key, emma, of: ada) == .refused(.notDownloaded))
      #expect(try await town.books.dismiss(key, of: ada) == .refused(.notDownloaded))
      #expect(try await town.books.open(key, of: ada) == .refused(.notDownloaded))
    }
  }

  @Test(arguments: Engine.allCases)
  func `What a reader decides: ignores a book besides whatever else it is`(engine: Engine)
    async throws
  {
    try await Town.play(engine) { town in
      let key = town.key("emma")
      _ = try await town.books.ignore(key, emma, of: ada)
      #expect(try await town.books.ignored(by: ada).map(\.face) == [emma])
      try await town.lend("emma", days: 3)
      #expect(try await town.state("emma") == .notDownloaded)
      #expect(try await town.books.ignored(by: ada).count == 1)
      _ = try await town.books.unignore(key, of: ada)
      #expect(try await town.books.ignored(by: ada).isEmpty)
      #expect(try await town.state("emma") == .notDownloaded)
    }
  }

  @Test(arguments: Engine.allCases)
  func `What a reader decides: is one reader's and no other's`(engine: Engine) async throws {
    try await Town.play(engine) { town in
      _ = try await town.books.save(town.key("emma"), emma, of: ada)
      #expect(try await town.books.follow([], of: PatronID("bob")).books.isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `What a reader decides: keeps what was said of a book when the book is gone`(engine: Engine)
    async throws
  {
    try await Town.play(engine) { town in
      let key = town.key("emma")
      _ = try await town.books.say(key, emma, rating: 4, of: ada)
      town.clock.advance(by: 1)
      let verdict = try await town.books.say(key, emma, finished: "2026-11-22", of: ada)
      #expect(verdict.rating == 4 && verdict.finished == "2026-11-22")
      #expect(try await town.books.verdicts(of: ada) == [verdict])
    }
  }
}
