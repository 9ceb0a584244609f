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
  let books: [KeptBook]
  private let holdings: Holdings
  /// What was heard of the queues lately.
  private var queues: [ItemName: [QueueReading]] = [:]

  init(_ visit: Visit) async throws(ErrorItem) {
    self.visit = visit
    accounts = try await visit.accounts().filter(visit.house.hasBooks)
    books = try await visit.followed(accounts)
    do throws(DeskError) {
      holdings = Holdings(
        loans: try await visit.house.desk.loans(of: accounts.map(\.id)),
        holds: try await visit.house.desk.holds(of: accounts.map(\.id)))
    } catch {
      throw ErrorItem(error)
    }
  }

  var loans: [KeptLoan] { holdings.loans }
  var holds: [KeptHold] { holdings.holds }

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
    Standing.offered(
      ways.map { ($0, holdings.standing(candidate($0))) }, paper: visit.house.paper
    ).sorted { $0.standing < $1.standing }
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
    holdings.loan(of: way.listed.edition.item, on: way.account.id)
  }

  func hold(_ way: Way) -> KeptHold? {
    holdings.hold(on: way.listed.edition.item, of: way.account.id)
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
    if way.listed.edition.isPaper { return "physical" }
    return switch way.availability?.status {
    case .openAccess: "open_access"
    case .queued: "hold"
    default: "loan"
    }
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

  private func movement(_ way: Way) -> Movement? {
    queues[ItemName(way.listed.library, way.listed.edition.item)].map { readings in
      Movement(readings.map { ($0.second, $0.holds) })
    }
  }

  func period(_ account: Account) -> Wait.Period { holdings.period(account.id) }

  private func candidate(_ way: Way) -> Candidate {
    Candidate(
      way.listed.edition, way.availability, on: way.account.card, movement: movement(way),
      name: "\(way.account.name):\(way.listed.edition.item.rawValue)")
  }
}

extension Account {
  fileprivate var card: Candidate.Card {
    Candidate.Card(id, loanLimit: loanLimit, holdLimit: holdLimit)
  }
}
