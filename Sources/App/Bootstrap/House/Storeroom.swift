import Books
import Circulation
import Database
import Desk
import Downloads
import Licenses
import Machine
import Registry
import Setup

/// The line of downloads and the files that came of it.
struct Storeroom: Sendable {
  let queue: DownloadQueue
  let files: BookStore

  init(
    _ configuration: Configuration, _ folder: String, _ store: Store,
    _ now: @escaping @Sendable () -> Int64, _ chance: @escaping @Sendable () -> Double
  ) {
    var line = DownloadQueue.Settings()
    line.atOnce = configuration.downloads.atOnce
    line.perLibrary = configuration.downloads.perLibrary
    queue = DownloadQueue(
      store: store, settings: line, now: now,
      chance: chance,
      moved: { tx, ticket, event throws(DatabaseError) in
        let wish = ticket.wish
        try tx.move(wish.item, on: wish.account, of: wish.patron, by: event, at: now())
      })
    var shelf = BookStore.Settings()
    shelf.budget = configuration.downloads.budget
    files = BookStore(in: "\(folder)/books", store: store, settings: shelf, now: now)
  }
}

extension House {
  /// A reader's books with the shelves followed up to now, by the clocks of their libraries. What was
  /// downloaded of a loan that is over goes with it.
  func followed(
    _ accounts: [Account], of patron: PatronID
  ) async throws(DatabaseError) -> [KeptBook] {
    for (library, ahead) in counter.clocksAhead {
      try await books.note(clockOf: library, ahead: ahead)
    }
    let following = try await books.follow(
      accounts.map { Card($0.id, at: $0.library) }, of: patron)
    await release(following.left)
    return following.books
  }

  /// The files of loans that are over. One that cannot be removed now goes with the next sweep.
  func release(_ loans: [EndedLoan]) async {
    for loan in loans { try? await storeroom.files.release(loan.item, on: loan.account) }
  }

  /// Somebody to fetch what stands in the line.
  func porter(_ tell: @escaping @Sendable (Downloads.Porter.News) -> Void = { _ in })
    -> Downloads.Porter
  {
    let (desk, licenses, outward) = (desk, licenses, outward)
    return Downloads.Porter(
      storeroom.queue, into: storeroom.files, over: { outward.transport(for: $0) }, time: time,
      disk: disk,
      sentry: sentry,
      tell: tell,
      trusting: { licenses.roots },
      fulfil: { account, item, format, call throws(DeskError) in
        try await desk.fulfil(item, as: format, on: account, in: call)
      })
  }
}
