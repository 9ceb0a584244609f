import Catalog
import Circulation
import Database
import Desk
import Downloads
package import Items
import ProviderKit
import Registry
package import Setup

extension LinkedEngine {
  package func harvest(
    _ account: String?, full: Bool, at seat: Seat,
    progress: @escaping @Sendable (HarvestProgress) -> Void
  ) async throws(ErrorItem) -> [HarvestItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      var accounts = try await visit.accounts()
      if accounts.isEmpty { throw ErrorItem("no_accounts") }
      // Whoever names one that has no list to read shall hear of it.
      accounts = accounts.filter { visit.can(.harvest, $0) }
      if let account { accounts = [try await visit.account(account)] }
      try await visit.catchUp(progress)
      var items: [HarvestItem] = []
      var seen: Set<LibraryID> = []
      // Several cards at one library share its catalogue.
      for account in accounts where seen.insert(account.library).inserted {
        items.append(await visit.harvested(account, full: full) { progress(.reading($0)) })
      }
      return items
    }
  }

  package func sync(at seat: Seat) async throws(ErrorItem) -> [SyncItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      try await visit.synced(try await visit.accounts().filter { visit.can(.shelf, $0) })
    }
  }
}

extension Visit {
  func can(_ capability: Capability, _ account: Account) -> Bool {
    house.can(capability, account)
  }

  func synced(_ accounts: [Account]) async throws(ErrorItem) -> [SyncItem] {
    let syncs = await house.desk.sync(accounts.map(\.id), in: call())
    var items: [SyncItem] = []
    for (account, sync) in zip(accounts, syncs) { items.append(try await item(sync, account)) }
    let all = try await self.accounts()
    _ = try await followed(all)
    // What cannot be removed now goes with the next sync, or the next sweep.
    try? await house.storeroom.files.releaseLeft(on: all.map(\.id))
    return items
  }

  /// What an older program stored is brought up to date before more comes in.
  func catchUp(_ progress: @Sendable (HarvestProgress) -> Void) async throws(ErrorItem) {
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.catalog.catchUp { renewal in
        switch renewal {
        case .indexing(let left): progress(.indexing(left: left))
        case .matching(let left): progress(.matching(left: left))
        }
      }
    }
  }

  func harvested(
    _ account: Account, full: Bool, _ progress: @Sendable (HarvestItem) -> Void
  ) async -> HarvestItem {
    var item = HarvestItem(
      library: account.library.rawValue, provider: account.provider.rawValue)
    let before = try? await house.catalog.tally(of: account.library)
    let heard = HeardTally()
    do throws(ErrorItem) {
      let call = call()
      let provider = try await provider(of: account, call)
      let template = item
      let listing = try? house.counter.listing(account.provider)
      let tally: HarvestTally
      do throws(HarvestFailure) {
        tally = try await house.catalog.harvest(
          account.library, from: provider, full: full,
          room: await house.room(for: account.library),
          // Each page has a deadline of its own: a catalogue takes as long as it takes.
          call: { house.call(patron.id, limit: listing?.harvestLimit) },
          progress: { tally in
            heard.note(tally)
            progress(template.counted(tally))
          })
      } catch {
        item = item.counted(heard.last)
        throw ErrorItem(error).about(account, in: house)
      }
      item = item.counted(tally)
      item.isComplete = true
      item.trouble = ErrorItem(shrunk: tally, of: before?.editions ?? 0)?
        .about(account, in: house)
    } catch {
      item.trouble = error
    }
    let standing = try? await house.catalog.tally(of: account.library)
    item.editions = standing?.editions ?? 0
    return item
  }

  fileprivate func item(_ sync: Sync, _ account: Account) async throws(ErrorItem) -> SyncItem {
    let known = try await items(of: [account])[0]
    var item = SyncItem(
      account: account.name, state: "fresh", loans: known.loans.used, holds: known.holds.used,
      ready: 0)
    item.lastGoodSync = known.lastGoodSync
    switch sync.result {
    case .success(let shelf):
      item.ready = shelf.holds.count { $0.isReady }
      try await note(.linked, account)
      let titles = try await titles(of: sync.settled.map(\.item), account)
      item.settled = zip(sync.settled, titles).map { Self.sentence($0, $1) }
    case .failure(let error):
      item.state = "stale"
      item.trouble = ErrorItem(error).about(account, in: house)
      if case .provider(let refusal) = error, let status = Account.Status(refusal.reason) {
        try await note(status, account)
      }
    }
    return item
  }

  private func titles(of items: [ItemID], _ account: Account) async throws(ErrorItem) -> [String] {
    let entries = try await toldOfDatabase { () throws(DatabaseError) in
      try await house.catalog.entries(for: items.map { (account.library, $0) })
    }
    return zip(items, entries).map { item, entry in
      entry?.editions.first?.edition.title ?? item.rawValue
    }
  }

  private static func sentence(_ settled: SettledCommand, _ title: String) -> String {
    let deed =
      switch settled.verb {
      case .borrow: "borrowed"
      case .giveBack: "returned"
      case .renew: "renewed"
      case .placeHold: "put on hold"
      case .cancelHold: "taken off hold"
      case .suspendHold: "put to rest"
      case .resumeHold: "woken"
      }
    guard let happened = settled.happened else {
      return "nobody can tell any more whether '\(title)' was \(deed)."
    }
    return happened
      ? "'\(title)' was \(deed) after all." : "'\(title)' was not \(deed); nothing happened."
  }
}

extension HarvestItem {
  func counted(_ tally: HarvestTally) -> HarvestItem {
    var item = self
    item.pages = tally.pages
    item.changed = tally.added + tally.changed
    item.removed = tally.removed + tally.dropped
    (item.missing, item.heldBack) = (tally.missing, tally.heldBack)
    (item.warnings, item.warningCount) = (tally.warnings, tally.warningCount)
    return item
  }
}
