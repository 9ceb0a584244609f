import Books
import Catalog
import Circulation
import Database
import Desk
import FoundationEssentials
import Items
import Registry

/// Every way for one reader to get a work, best first.
struct Offers {
  let visit: Visit
  let accounts: [Account]
  let loans: [KeptLoan]
  let holds: [KeptHold]
  let books: [KeptBook]
  /// What was heard of the queues lately.
  private var queues: [ItemName: [QueueReading]] = [:]

  init(_ visit: Visit) async throws(ErrorItem) {
    self.visit = visit
    accounts = try await visit.accounts()
    books = try await visit.followed(accounts)
    do throws(DeskError) {
      loans = try await visit.house.desk.loans(of: accounts.map(\.id))
      holds = try await visit.house.desk.holds(of: accounts.map(\.id))
    } catch {
      throw ErrorItem(error)
    }
  }

  /// A pair of a card and an edition that its library lists.
  struct Way: Sendable {
    let account: Account
    let listed: ListedEdition
    var availability: Availability?
  }

  /// The same with how the queues for these works have moved.
  func watching(_ entries: [CatalogEntry]) async throws(ErrorItem) -> Offers {
    let queued = entries.flatMap(\.editions).filter { listed in
      if case .queued = listed.availability?.status { true } else { false }
    }
    guard !queued.isEmpty else { return self }
    var offers = self
    offers.queues = try await toldOfDatabase { () throws(DatabaseError) in
      try await visit.house.catalog.queues(
        of: queued.map { ItemName($0.library, $0.edition.item) })
    }
    return offers
  }

  func ways(to entry: CatalogEntry) -> [Way] {
    entry.editions.flatMap { listed in
      accounts.filter { $0.library == listed.library && $0.provider == listed.provider }.map {
        Way(account: $0, listed: listed, availability: listed.availability)
      }
    }
  }

  func work(_ entry: CatalogEntry, ways: [Way]? = nil) -> WorkItem {
    var work = WorkItem(entry)
    let ways = ranked(ways ?? self.ways(to: entry))
    work.offers = ways.map { item($0.way, $0.standing) }
    work.state = books.state(of: entry).rawValue
    return work
  }

  /// The best first.
  func ranked(_ ways: [Way]) -> [(way: Way, standing: Standing)] {
    ways.map { ($0, standing($0)) }.sorted { $0.1 < $1.1 }
  }

  func state(of item: ItemID, on account: Account) -> BookState {
    let key = BookKey(account.library, item)
    return books.first { $0.key == key }?.state ?? .none
  }

  /// Works that the reader does not want to see.
  var hidden: [CatalogItem] {
    books.filter(\.isIgnored).map { CatalogItem(library: $0.key.library, item: $0.key.item) }
  }

  func loan(_ way: Way) -> KeptLoan? {
    loans.first { $0.account == way.account.id && $0.loan.item == way.listed.edition.item }
  }

  func hold(_ way: Way) -> KeptHold? {
    holds.first { $0.account == way.account.id && $0.hold.item == way.listed.edition.item }
  }

  private func item(_ way: Way, _ standing: Standing) -> OfferItem {
    let availability = AvailabilityItem(way.availability, source: way.account.name)
    var item = OfferItem(
      account: way.account.name, provider: way.account.provider.rawValue,
      item: way.listed.edition.item.rawValue, terms: terms(way), availability: availability)
    // What Carrel opens itself comes first.
    item.formats = way.listed.edition.formats.sorted { $0.isReadableHere && !$1.isReadableHere }
      .map { FormatItem($0) }
    item.estimate = standing.wait.map { EstimateItem($0) }
    item.mine =
      switch standing.mine {
      case .loan: "loan"
      case .ready: "ready"
      case .hold: "hold"
      case nil: nil
      }
    item.why = standing.reasons.joined(separator: "; ")
    item.reasons = standing.reasons
    item.isAtLimit = standing.isAtLimit
    return item
  }

  private func terms(_ way: Way) -> String {
    switch way.availability?.status {
    case .openAccess: "open_access"
    case .queued: "hold"
    default: "loan"
    }
  }

  private func wait(_ way: Way) -> Wait? {
    guard case .queued(let copies) = way.availability?.status else { return nil }
    return Wait(
      behind: place(way) ?? copies.holds ?? 0, copies: copies.total, period: period(way.account),
      movement: movement(way))
  }

  /// The same guess for a line of the shelf; nil where no place in the queue is known.
  func estimate(_ kept: KeptHold, on account: Account, _ entry: CatalogEntry?) -> EstimateItem? {
    guard case .waiting(let place?, _) = kept.hold.status, let listed = entry?.editions.first else {
      return nil
    }
    let way = Way(account: account, listed: listed, availability: listed.availability)
    return EstimateItem(
      Wait(
        behind: place - 1, copies: listed.availability?.copies?.total, period: period(account),
        movement: movement(way)))
  }

  /// Readers who come first for somebody who waits already.
  private func place(_ way: Way) -> Int? {
    guard case .waiting(let place?, _) = hold(way)?.hold.status else { return nil }
    return place - 1
  }

  private func movement(_ way: Way) -> Movement? {
    queues[ItemName(way.listed.library, way.listed.edition.item)].map { readings in
      Movement(readings.map { ($0.second, $0.holds) })
    }
  }

  /// The term of the library, as far as the reader's own loans tell it.
  func period(_ account: Account) -> Wait.Period {
    let terms = loans.compactMap { kept -> Int? in
      guard kept.account == account.id, let since = kept.loan.since, let until = kept.loan.until
      else { return nil }
      let days = until.timeIntervalSince(since) / 86_400
      return days >= 1 && days < 400 ? Int(days.rounded()) : nil
    }
    return terms.max().map { Wait.Period(term: $0) } ?? .usual
  }

  private func standing(_ way: Way) -> Standing {
    let account = way.account
    let mine: Standing.Mine? =
      loan(way) != nil ? .loan : hold(way).map { $0.hold.isReady ? .ready : .hold }
    return Standing(
      mine: mine, status: way.availability?.status,
      isReadableHere: way.listed.edition.formats.contains(where: \.isReadableHere),
      wait: wait(way),
      loans: Standing.Room(
        used: loans.count { $0.account == account.id }, limit: account.loanLimit),
      holds: Standing.Room(
        used: holds.count { $0.account == account.id }, limit: account.holdLimit),
      name: "\(account.name):\(way.listed.edition.item.rawValue)")
  }
}
