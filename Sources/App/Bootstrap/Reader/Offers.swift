import Catalog
import Circulation
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

  init(_ visit: Visit) async throws(ErrorItem) {
    self.visit = visit
    accounts = try await visit.accounts()
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

  func ways(to entry: CatalogEntry) -> [Way] {
    entry.editions.flatMap { listed in
      accounts.filter { $0.library == listed.library && $0.provider == listed.provider }.map {
        Way(account: $0, listed: listed, availability: listed.availability)
      }
    }
  }

  func work(_ entry: CatalogEntry, ways: [Way]? = nil) -> WorkItem {
    var work = WorkItem(entry)
    let ways = (ways ?? self.ways(to: entry)).sorted { rank($0) < rank($1) }
    work.offers = ways.map(item)
    work.state = state(of: ways).rawValue
    return work
  }

  /// A loan somewhere says more than a hold elsewhere.
  private func state(of ways: [Way]) -> BookState {
    if ways.contains(where: { loan($0) != nil }) { return .notDownloaded }
    let mine = ways.compactMap(hold)
    if mine.contains(where: \.hold.isReady) { return .loanOffered }
    return mine.isEmpty ? .none : .waitingForLoan
  }

  func loan(_ way: Way) -> KeptLoan? {
    loans.first { $0.account == way.account.id && $0.loan.item == way.listed.edition.item }
  }

  func hold(_ way: Way) -> KeptHold? {
    holds.first { $0.account == way.account.id && $0.hold.item == way.listed.edition.item }
  }

  private func item(_ way: Way) -> OfferItem {
    let availability = AvailabilityItem(way.availability, source: way.account.name)
    var item = OfferItem(
      account: way.account.name, provider: way.account.provider.rawValue,
      item: way.listed.edition.item.rawValue, terms: terms(way), availability: availability)
    // What Carrel opens itself comes first.
    item.formats = way.listed.edition.formats.sorted { $0.isReadableHere && !$1.isReadableHere }
      .map { FormatItem($0) }
    item.estimate = wait(way).map { EstimateItem($0) }
    item.mine =
      loan(way) != nil ? "loan" : hold(way).map { $0.hold.isReady ? "ready" : "hold" }
    item.why = why(way)
    return item
  }

  private func terms(_ way: Way) -> String {
    switch way.availability?.status {
    case .openAccess: "open_access"
    case .queued: "hold"
    default: "loan"
    }
  }

  func wait(_ way: Way) -> Wait? {
    guard case .queued(let copies) = way.availability?.status else { return nil }
    return Wait(behind: copies.holds ?? 0, copies: copies.total)
  }

  /// Lower is better. What the reader has counts before what can be had, and what can be had now
  /// before what has to be waited for; then what Carrel itself can open, then the shorter wait.
  private func rank(_ way: Way) -> [Int] {
    let isReadable = way.listed.edition.formats.contains(where: \.isReadableHere)
    let days = wait(way).map { $0.lowDays + $0.highDays } ?? 0
    return [standing(way), isReadable ? 0 : 1, days]
  }

  private func standing(_ way: Way) -> Int {
    if loan(way) != nil { return 0 }
    if hold(way)?.hold.isReady == true { return 1 }
    switch way.availability?.status {
    case .openAccess: return 2
    case .available: return 3
    case .queued: return 4
    case nil: return 5
    case .unavailable: return 6
    case .unknownToProvider: return 7
    }
  }

  private func why(_ way: Way) -> String {
    switch standing(way) {
    case 0: "you have it on loan here"
    case 1: "it is kept ready for you"
    case 2: "free for everybody"
    case 3: "a copy can be borrowed now"
    case 4: "there is a queue"
    case 5: "not asked yet"
    case 6: "no copy, and no queue to join"
    default: "the library no longer lists it"
    }
  }
}

/// Lists of numbers compared place by place.
private func < (one: [Int], other: [Int]) -> Bool {
  one.lexicographicallyPrecedes(other)
}
