import Catalog
import Circulation
import Database
import Items
import Machine
import Registry
import Schedule
import Setup

extension JobKind {
  static let catalogs: JobKind = "catalogs"
}

extension DueWork {
  /// Catalogs that patrons named by their addresses: one patron's one after the other, and one patron
  /// at a time in each gateway, so that they leave room for the operator's libraries and all other work.
  /// Under `wholeHouse`, what catalogs have left that no patron has any longer.
  static let catalogs = DueWork(
    kind: .catalogs, limit: .seconds(3 * 3600), atOnce: 1,
    plans: { house in
      let every = house.configuration.schedule.harvestEvery
      let named = try await house.namedCatalogs()
      let hasNamed = try await house.catalog.hasNamed()
      guard !named.isEmpty || hasNamed else { return [] }
      var plans = [Plan(.catalogs, of: wholeHouse, every: .seconds(300))]
      let standings = try await house.catalog.standings(
        of: named.flatMap { $0.1.map(\.library) })
      for (patron, accounts) in named {
        let next = accounts.map { NamedHarvest.dueAt(standings[$0.library], every: every) }.min()
        // One that was linked just now waits for no other.
        if accounts.contains(where: { standings[$0.library]?.isBegun != true }) {
          try await house.schedule.hasten(.catalogs, of: patron.rawValue)
        }
        plans.append(Plan(.catalogs, of: patron.rawValue, every: every, firstAt: next))
      }
      return plans
    },
    perform: { house, subject, _ in
      do {
        guard subject != wholeHouse else {
          let linked = Set(try await house.registry.accounts().map(\.library))
          let count = try await house.catalog.deleteNamed(besides: linked)
          return .done(note: count == 0 ? nil : "\(count) deleted")
        }
        return try await house.harvestNamed(of: PatronID(subject))
      } catch {
        return JobOutcome(failed: error)
      }
    })
}

/// When a catalog that a patron named is read again.
enum NamedHarvest {
  private static let longest = Duration.seconds(7 * 24 * 3600)

  /// As other catalogs are; after each harvest in a row that left something out, twice as long, up to a
  /// week. In milliseconds since 1970.
  static func dueAt(_ standing: HarvestStanding?, every: Duration) -> Int64 {
    guard let standing, !standing.isUnderWay, let ended = standing.ended else { return 0 }
    let wait = min(every * (1 << min(standing.cutShort, 16)), max(every, longest))
    return ended + wait.milliseconds
  }
}

extension House {
  /// Accounts at catalogs that can be harvested, by patron, each catalog once.
  func namedCatalogs() async throws(RegistryError) -> [(PatronID, [Account])] {
    try await readers { $1.library.isAddress && $0.can(.harvest, $1) }.map { patron, accounts in
      var seen: Set<LibraryID> = []
      return (patron.id, accounts.filter { seen.insert($0.library).inserted })
    }
  }

  /// How many editions of a library may be kept: nothing bounds those of the operator. A catalog that
  /// several patrons named counts for the one who has the most room.
  func room(for library: LibraryID) async -> Int {
    guard library.isAddress, let named = try? await namedCatalogs() else {
      return NamedCatalogs.mostTitlesInSum
    }
    var most = 0
    for (_, accounts) in named where accounts.contains(where: { $0.library == library }) {
      let others = accounts.map(\.library).filter { $0 != library }
      guard let held = try? await catalog.held(at: others) else { continue }
      most = max(most, NamedCatalogs.mostTitlesInSum - held)
    }
    return most
  }

  fileprivate func harvestNamed(of patron: PatronID) async throws -> JobOutcome {
    let every = configuration.schedule.harvestEvery
    guard let known = try await registry.patron(patron),
      let accounts = try await namedCatalogs().first(where: { $0.0 == patron })?.1
    else { return .over(note: "no catalog of the patron's own") }
    if let locked = await vaultTrouble() { return JobOutcome(failed: [locked]) }
    let visit = Visit(house: self, patron: known, seat: seat)
    var harvests: [HarvestItem] = []
    // What is left then is done after the catalogs of others.
    let end = time.monotonic() + .seconds(1800)
    for account in accounts where !Task.isCancelled && time.monotonic() < end {
      let standing = try await catalog.standings(of: [account.library])[account.library]
      // The schedule is early by a tenth of its period at most.
      let due = NamedHarvest.dueAt(standing, every: every) - (every / 5).milliseconds
      guard due <= time.now().millisecondsSinceEpoch else { continue }
      harvests.append(await visit.harvested(account, full: false) { _ in })
    }
    if harvests.isEmpty { return .done(note: nil) }
    try await recognizeLists()
    try await catalog.gatherWords()
    let failed = harvests.compactMap(\.trouble).filter { $0.code != "catalogue_shrunk" }
    guard failed.isEmpty else { return JobOutcome(failed: failed) }
    let changed = harvests.reduce(0) { $0 + $1.changed }
    return .done(note: "\(harvests.count) read, \(changed) new or changed")
  }
}
