import Conformance
import Testing

@testable import Goodreads

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `Goodreads keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: GoodreadsProvider.self))
  func `Goodreads keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .goodreads)
  }

  @Test(arguments: Cell.all(for: GoodreadsProvider.self))
  func `Goodreads keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .goodreads)
  }
}

@Suite(.serialized) struct `Feeds of Goodreads keep the circulation contract` {
  @Test(arguments: Clause.all(binding: GoodreadsFeedProvider.self))
  func `Feeds of Goodreads keep the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .goodreadsFeed)
  }

  @Test(arguments: Cell.all(for: GoodreadsFeedProvider.self))
  func `Feeds of Goodreads keep the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .goodreadsFeed)
  }
}
