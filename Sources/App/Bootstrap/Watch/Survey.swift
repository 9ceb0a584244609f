import Database
import Desk
import Downloads
import Notices
import Registry
import Schedule

/// What a scrape counts in the database. It is counted at most every few seconds, however many ask.
actor Survey {
  struct Figures: Sendable {
    let shelves: ShelfCensus
    let heads: Headcount
    let downloads: [Ticket.State: Int]
    let dueJobs: Int
    let jobs: [JobTally]
    /// In milliseconds since 1970; nil where there was none.
    let lastBackup: Int64?
    let signIns: SignInRate?
    /// Nil where none are sent.
    let shortMessages: ShortMessageDay?
  }

  private static let freshness = Duration.seconds(10)

  private let house: House
  private var known: (at: ContinuousClock.Instant, figures: Figures?)?
  private var asking: Task<Figures?, Never>?

  init(_ house: House) { self.house = house }

  /// Nil while the database does not answer.
  func figures() async -> Figures? {
    if let known, known.at.duration(to: .now) < Self.freshness { return known.figures }
    if let asking { return await asking.value }
    let house = house
    let task = Task { try? await Self.count(house) }
    asking = task
    let figures = await task.value
    asking = nil
    known = (.now, figures)
    return figures
  }

  private static func count(_ house: House) async throws(DatabaseError) -> Figures {
    let kinds = DueWork.all.map(\.kind)
    return Figures(
      shelves: try await house.desk.census(), heads: try await house.registry.headcount(),
      downloads: try await house.storeroom.queue.lengths(),
      dueJobs: try await house.schedule.dueCount(kinds),
      jobs: try await house.schedule.tallies(of: kinds),
      lastBackup: try await house.store.read { tx throws(DatabaseError) in
        try tx.fact(.lastBackup)
      }, signIns: try? await house.registry.signInRate(),
      shortMessages: (try? await house.notices.shortMessageDay()) ?? nil)
  }
}
