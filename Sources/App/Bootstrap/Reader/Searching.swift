import Catalog
import Circulation
import Database
import Desk
package import Items
import Registry
package import Setup
import Shelving

extension LinkedEngine {
  package func search(_ order: SearchOrder, at seat: Seat) async throws(ErrorItem) -> SearchAnswer {
    try await visit(seat) { visit throws(ErrorItem) in
      let offers = try await Offers(visit)
      let libraries = try offers.accounts.libraries()
      let troubles = try await visit.askUnharvested(order, offers.accounts)
      var query = CatalogQuery(
        words: order.words, libraries: libraries, onlyAvailable: order.onlyAvailable,
        content: try Self.content(order.format), language: order.language,
        provider: order.provider.map { ProviderID($0.lowercased()) }, limit: order.limit)
      query.hidden = offers.hidden
      let wish = query
      let facets = LaneFacets(order.facets)
      let page = try await visit.page(
        for: offers, onlyNow: order.onlyAvailable || facets.standing == .now
      ) { () throws(DatabaseError) in
        if order.needsShelfList {
          return try await visit.house.catalog.search(wish, facets: facets, order: order.sort)
        }
        var page = LanePage()
        page.entries = try await visit.house.catalog.search(wish)
        page.total = page.entries.count
        return page
      }
      return SearchAnswer(page: page, troubles: troubles, libraries: libraries.count)
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
      let whole = try await visit.lookingUp(offers.accounts, for: { [$0] }) {
        () throws(ErrorItem) in try await Finding(visit, offers).whole(title)
      }
      let ways = await visit.asked(offers.ways(to: whole))
      let watching = try await offers.watching([whole])
      var work = watching.work(whole, ways: ways)
      await visit.tellCopies(of: ways, in: &work)
      work.elsewhere = visit.house.outlooks(try await visit.accounts(), on: whole.face)
      return work
    }
  }

  package func loans(at seat: Seat) async throws(ErrorItem) -> [LoanItem] {
    try await visit(seat) { visit throws(ErrorItem) in try await visit.lent() }
  }

  package func holds(at seat: Seat) async throws(ErrorItem) -> [HoldItem] {
    try await visit(seat) { visit throws(ErrorItem) in try await visit.held().map(\.item) }
  }
}

/// A hold as it is kept, and as a reader sees it.
struct HeldTitle {
  let account: Account
  let kept: KeptHold
  let item: HoldItem
}

extension Visit {
  func lent() async throws(ErrorItem) -> [LoanItem] {
    let offers = try await Offers(self)
    let known = try await entries(
      offers.loans.map { ($0.account, $0.loan.item) }, offers.accounts)
    let stale = try await stale(offers.accounts)
    return zip(offers.loans, known).compactMap { kept, entry in
      offers.accounts.first { $0.id == kept.account }.map {
        LoanItem(
          kept, of: $0, known: entry, isStale: stale.contains($0.id),
          state: offers.state(of: kept.loan.item, on: $0))
      }
    }
  }

  func held() async throws(ErrorItem) -> [HeldTitle] {
    let offers = try await Offers(self)
    let known = try await entries(
      offers.holds.map { ($0.account, $0.hold.item) }, offers.accounts)
    let stale = try await stale(offers.accounts)
    let watching = try await offers.watching(known.compactMap(\.self))
    return zip(offers.holds, known).compactMap { kept, entry in
      guard let account = offers.accounts.first(where: { $0.id == kept.account }) else {
        return nil
      }
      var item = HoldItem(kept, of: account, known: entry, isStale: stale.contains(account.id))
      item.estimate = watching.estimate(kept, on: account, entry) ?? item.estimate
      return HeldTitle(account: account, kept: kept, item: item)
    }
  }
}

extension Visit {
  /// A library that was never harvested is asked itself; what it answers stays in the catalogue.
  /// Returns why some did not: an empty list of titles must not pass for their answer.
  fileprivate func askUnharvested(_ order: SearchOrder, _ accounts: [Account])
    async throws(ErrorItem) -> [ErrorItem]
  {
    var unknown: [Account] = []
    let troubles = await house.seek(order.words, by: accounts) { call($0) }
    let listing = accounts.filter { house.can(.harvest, $0) }
    for account in listing where !unknown.contains(where: { $0.library == account.library }) {
      let isKnown = try await toldOfDatabase { () throws(DatabaseError) in
        try await house.catalog.wasHarvested(account.library)
      }
      if !isKnown { unknown.append(account) }
    }
    guard !unknown.isEmpty else { return troubles }
    let query = SearchQuery(words: order.words, limit: order.limit)
    return await withTaskGroup(of: ErrorItem?.self) { group in
      for account in unknown {
        group.addTask { await self.ask(query, account) }
      }
      var all = troubles
      for await trouble in group { all += [trouble].compactMap(\.self) }
      return all
    }
  }

  private func ask(_ query: SearchQuery, _ account: Account) async -> ErrorItem? {
    let call = call()
    do throws(ErrorItem) {
      let provider = try await provider(of: account, call)
      let editions = try await answered(account) { () throws(CirculationError) in
        try await provider.search(query, in: call)
      }
      guard !editions.isEmpty else { return nil }
      _ = try await toldOfDatabase { () throws(DatabaseError) in
        try await house.catalog.take(editions, of: account.library, provider: account.provider)
      }
      let items = editions.prefix(25).map(\.item)
      // Titles without a word on copies are still worth showing.
      if let answers = try? await provider.availability(of: Array(items), in: call) {
        try? await house.catalog.note(answers, at: account.library)
      }
      return nil
    } catch {
      // A service that cannot be searched has nothing to add, and never had.
      return error.code == "unsupported" ? nil : error
    }
  }

  private func answered<Answer: Sendable>(
    _ account: Account, _ body: () async throws(CirculationError) -> Answer
  ) async throws(ErrorItem) -> Answer {
    do throws(CirculationError) { return try await body() } catch {
      throw ErrorItem(error).about(account, in: house)
    }
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
