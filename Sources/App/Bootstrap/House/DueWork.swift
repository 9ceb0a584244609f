import Books
import Catalog
import Circulation
import Database
import Desk
import Downloads
import FoundationEssentials
import Items
import Log
import Machine
import Mirrors
import ReadingLists
import Registry
import Schedule
import Setup

/// A kind of work that a gateway does by itself, when it is due.
struct DueWork: Sendable {
  let kind: JobKind
  /// How long one job of it may take.
  var limit = Duration.seconds(600)
  /// How many jobs of it one gateway does at once; nil for no limit but that of all work.
  var atOnce: Int?
  /// For whom there is something to do, and how often; asked again every few minutes, since readers
  /// and cards come and go.
  let plans: @Sendable (House) async throws -> [Plan]
  /// One job of it: what the plan says as its subject.
  let perform: @Sendable (House, String, Logger) async -> JobOutcome

  /// All there is. Who brings more work adds it here.
  static let all: [DueWork] = [
    .roster, .settling, .syncing, .harvesting, .catalogs, .lists, .pacing, .expiring, .sweeping,
    .watching,
    .wishes, .notices, .revocations, .signIns,
  ]
}

extension JobKind {
  static let roster: JobKind = "roster"
  static let settling: JobKind = "settling"
  static let syncing: JobKind = "sync"
  static let harvesting: JobKind = "harvest"
  static let pacing: JobKind = "pacing"
  static let expiring: JobKind = "expiry"
  static let sweeping: JobKind = "sweep"
}

/// The subject of work that is done for everybody at once.
let wholeHouse = "house"

extension DueWork {
  /// Sees for whom there is work.
  static let roster = DueWork(
    kind: .roster,
    plans: { _ in [Plan(.roster, of: wholeHouse, every: .seconds(300))] },
    perform: { house, _, _ in
      do {
        return .done(note: Counted.jobs(try await house.planDueWork()))
      } catch {
        return JobOutcome(failed: error)
      }
    })

  /// Commands that a crash left open, or that were in doubt: their libraries are the only ones asked. A
  /// gateway is sooner by itself (`settleUnconfirmed`); this is for a house without one.
  static let settling = DueWork(
    kind: .settling,
    plans: { _ in [Plan(.settling, of: wholeHouse, every: .seconds(60))] },
    perform: { house, _, logger in
      do throws(DeskError) {
        let accounts = try await house.desk.accountsInDoubt()
        let syncs = await house.desk.sync(accounts, in: house.call(nil))
        let count = syncs.reduce(0) { $0 + $1.settled.count }
        if count > 0 { logger.info("open commands settled", [.pair("count", count)]) }
        return .done(note: accounts.isEmpty ? nil : "\(count) settled")
      } catch {
        return JobOutcome(failed: error)
      }
    })

  /// Each reader's shelf.
  static let syncing = DueWork(
    kind: .syncing,
    plans: { house in
      let every = house.configuration.schedule.syncEvery
      let readers = try await house.readers { $0.can(.shelf, $1) }
      let heard = try await house.desk.freshness(of: readers.flatMap { $0.1.map(\.id) })
      let times = Dictionary(
        heard.map { ($0.account, $0.goodAt?.milliseconds ?? 0) }, uniquingKeysWith: max)
      return readers.map { patron, accounts in
        // Who asked lately by hand need not ask again at once.
        let last = accounts.map { times[$0.id] ?? 0 }.min() ?? 0
        return Plan(
          .syncing, of: patron.id.rawValue, every: every, firstAt: last + every.milliseconds)
      }
    },
    perform: { house, subject, _ in
      await house.visiting(subject) { visit throws(ErrorItem) in
        let accounts = try await visit.accounts().filter { visit.can(.shelf, $0) }
        if accounts.isEmpty { return .over(note: "no card is linked") }
        return JobOutcome(try await visit.synced(accounts))
      }
    })

  /// Each library of the operator at which patrons have cards; several cards share its catalog.
  static let harvesting = DueWork(
    kind: .harvesting, limit: .seconds(6 * 3600),
    plans: { house in
      let every = house.configuration.schedule.harvestEvery
      var plans: [Plan] = []
      let libraries = Set(try await house.harvestable().map(\.account.library))
      for library in libraries.sorted() where !library.isAddress {
        let last = try await house.catalog.tally(of: library).ended ?? 0
        plans.append(
          Plan(.harvesting, of: library.rawValue, every: every, firstAt: last + every.milliseconds))
      }
      return plans
    },
    perform: { house, subject, _ in
      // An older program read them here.
      if LibraryID(subject).isAddress { return .over(note: "read with its patron's catalogs") }
      do {
        let cards = try await house.harvestable().filter {
          $0.account.library.rawValue == subject
        }
        // Rather with a card that the library took last time.
        guard let card = cards.first(where: { $0.account.status == .linked }) ?? cards.first else {
          return .over(note: "nobody has a card there")
        }
        if let locked = await house.vaultTrouble() { return JobOutcome(failed: [locked]) }
        let visit = Visit(house: house, patron: card.patron, seat: house.seat)
        let harvest = await visit.harvested(card.account, full: false) { _ in }
        // What came to the catalogue may be what stands on a list.
        try await house.recognizeLists()
        try await house.catalog.gatherWords()
        return JobOutcome(harvest)
      } catch {
        return JobOutcome(failed: error)
      }
    })
}

extension DueWork {
  /// The holds of each reader who has rules for them, or had.
  static let pacing = DueWork(
    kind: .pacing,
    plans: { house in
      let paced = try await house.desk.paced()
      return try await house.readers { $0.can(.holds, $1) }.compactMap { patron, accounts in
        guard
          paced.patrons.contains(patron.id)
            || accounts.contains(where: { paced.accounts.contains($0.id) })
        else { return nil }
        return Plan(.pacing, of: patron.id.rawValue, every: house.configuration.schedule.syncEvery)
      }
    },
    perform: { house, subject, _ in
      await house.visiting(subject) { visit throws(ErrorItem) in
        let kept = try await visit.kept()
        if kept.isEmpty { return .over(note: "no rules for the pace of holds") }
        let planned = try await visit.pacing(mostReady: kept.mostReady)
        return JobOutcome(await visit.carriedOut(planned.filter { $0.step.deed != .leave }))
      }
    })
}

extension DueWork {
  /// Loans and offers whose time is over, also where their libraries are silent.
  static let expiring = DueWork(
    kind: .expiring,
    plans: { _ in [Plan(.expiring, of: wholeHouse, every: .seconds(60))] },
    perform: { house, _, logger in
      do throws(DatabaseError) {
        let ended = try await house.books.passTime()
        await house.release(ended.loans)
        let count = ended.loans.count + ended.offers
        if count > 0 { logger.info("loans and offers ended", [.pair("count", count)]) }
        return .done(note: count == 0 ? nil : "\(count) ended")
      } catch {
        return JobOutcome(failed: error)
      }
    })

  /// Files without a loan, and months of the audit log that need not be kept.
  static let sweeping = DueWork(
    kind: .sweeping, limit: .seconds(3600),
    plans: { _ in [Plan(.sweeping, of: wholeHouse, every: .seconds(6 * 3600))] },
    perform: { house, _, _ in
      do throws(RegistryError) {
        try await house.registry.keepAudit(months: house.configuration.audit.months)
      } catch {
        return JobOutcome(failed: error)
      }
      do throws(MirrorError) { try await house.mirrors.forgetFriends() } catch {
        return JobOutcome(failed: error)
      }
      do throws(DatabaseError) { try await house.lists.sweepRecognized() } catch {
        return JobOutcome(failed: error)
      }
      do throws(StoreTrouble) {
        try await house.storeroom.files.releaseLeft()
        if let sentry = house.sentry {
          try await house.storeroom.files.examineLeft(by: sentry)
        }
        let swept = try await house.storeroom.files.sweep(house.storeroom.queue)
        return .done(note: "\(swept.strays) strays, \(swept.lost) lost, \(swept.parts) parts")
      } catch {
        return .failed(note: "\(error)", reason: "\(error)")
      }
    })
}

private enum Counted {
  static func jobs(_ count: Int) -> String { count == 1 ? "1 job" : "\(count) jobs" }
}
