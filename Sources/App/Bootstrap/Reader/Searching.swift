import Catalog
import Circulation
import Database
import Desk
package import Items
import Registry
package import Setup

extension LinkedEngine {
  package func search(_ order: SearchOrder, at seat: Seat) async throws(ErrorItem) -> [WorkItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let offers = try await Offers(visit)
      if offers.accounts.isEmpty { throw ErrorItem("no_accounts") }
      try await visit.askUnharvested(order, offers.accounts)
      var libraries: [LibraryID] = []
      for account in offers.accounts where !libraries.contains(account.library) {
        libraries.append(account.library)
      }
      let query = CatalogQuery(
        words: order.words, libraries: libraries, onlyAvailable: order.onlyAvailable,
        content: try Self.content(order.format), language: order.language,
        provider: order.provider.map { ProviderID($0.lowercased()) }, limit: order.limit)
      let entries = try await toldOfDatabase { () throws(DatabaseError) in
        try await visit.house.catalog.search(query)
      }
      return entries.map { offers.work($0) }
    }
  }

  private static func content(_ word: String?) throws(ErrorItem) -> Format.Content? {
    guard let word else { return nil }
    guard let content = Format.Content(rawValue: word.lowercased()) else {
      var error = ErrorItem("bad_value")
      error.detail =
        "--format must be one of "
        + Format.Content.allCases.map(\.rawValue).joined(separator: ", ")
      throw error
    }
    return content
  }

  package func show(_ title: String, at seat: Seat) async throws(ErrorItem) -> WorkItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let offers = try await Offers(visit)
      let found = try await Finding(visit, offers).one(title)
      let ways = await visit.asked(offers.ways(to: found.entry))
      return offers.work(found.entry, ways: ways)
    }
  }

  package func loans(at seat: Seat) async throws(ErrorItem) -> [LoanItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let offers = try await Offers(visit)
      let known = try await visit.entries(
        offers.loans.map { ($0.account, $0.loan.item) }, offers.accounts)
      let stale = try await visit.stale(offers.accounts)
      return zip(offers.loans, known).compactMap { kept, entry in
        offers.accounts.first { $0.id == kept.account }.map {
          LoanItem(kept, of: $0, known: entry, isStale: stale.contains($0.id))
        }
      }
    }
  }

  package func holds(at seat: Seat) async throws(ErrorItem) -> [HoldItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let offers = try await Offers(visit)
      let known = try await visit.entries(
        offers.holds.map { ($0.account, $0.hold.item) }, offers.accounts)
      let stale = try await visit.stale(offers.accounts)
      return zip(offers.holds, known).compactMap { kept, entry in
        offers.accounts.first { $0.id == kept.account }.map {
          HoldItem(kept, of: $0, known: entry, isStale: stale.contains($0.id))
        }
      }
    }
  }
}

extension Visit {
  /// A library that was never harvested is asked itself; what it answers stays in the catalogue.
  fileprivate func askUnharvested(_ order: SearchOrder, _ accounts: [Account])
    async throws(ErrorItem)
  {
    var unknown: [Account] = []
    for account in accounts where !unknown.contains(where: { $0.library == account.library }) {
      let tally = try await toldOfDatabase { () throws(DatabaseError) in
        try await house.catalog.tally(of: account.library)
      }
      if tally.started == nil { unknown.append(account) }
    }
    guard !unknown.isEmpty else { return }
    let query = SearchQuery(words: order.words, limit: order.limit)
    await withTaskGroup(of: Void.self) { group in
      for account in unknown {
        group.addTask { await self.ask(query, account) }
      }
    }
  }

  /// One that does not answer has nothing to add: what the others have is still shown.
  private func ask(_ query: SearchQuery, _ account: Account) async {
    let call = call()
    guard let provider = try? await provider(of: account, call),
      let editions = try? await provider.search(query, in: call), !editions.isEmpty
    else { return }
    _ = try? await house.catalog.take(
      editions, of: account.library, provider: account.provider)
    let items = editions.prefix(25).map(\.item)
    if let answers = try? await provider.availability(of: Array(items), in: call) {
      try? await house.catalog.note(answers, at: account.library)
    }
  }

  /// The same ways with what each library says now; one that does not answer keeps what was known.
  func asked(_ ways: [Offers.Way]) async -> [Offers.Way] {
    await withTaskGroup(of: (Int, Availability?).self) { group in
      for (index, way) in ways.enumerated() {
        group.addTask { (index, await self.ask(way)) }
      }
      var ways = ways
      for await (index, answer) in group {
        if let answer { ways[index].availability = answer }
      }
      return ways
    }
  }

  private func ask(_ way: Offers.Way) async -> Availability? {
    let call = call()
    let item = way.listed.edition.item
    guard let provider = try? await provider(of: way.account, call),
      let answers = try? await provider.availability(of: [item], in: call)
    else { return nil }
    try? await house.catalog.note(answers, at: way.account.library)
    return answers[item]
  }

  func entries(_ items: [(AccountID, ItemID)], _ accounts: [Account])
    async throws(ErrorItem) -> [CatalogEntry?]
  {
    let libraries = Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0.library) })
    let pairs = items.map { (libraries[$0.0] ?? LibraryID(""), $0.1) }
    return try await toldOfDatabase { () throws(DatabaseError) in
      try await house.catalog.entries(for: pairs)
    }
  }

  /// Accounts whose library did not answer when it was asked last.
  func stale(_ accounts: [Account]) async throws(ErrorItem) -> Set<AccountID> {
    do throws(DeskError) {
      let freshness = try await house.desk.freshness(of: accounts.map(\.id))
      return Set(freshness.filter { $0.trouble != nil }.map(\.account))
    } catch {
      throw ErrorItem(error)
    }
  }
}
