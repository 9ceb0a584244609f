import Catalog
import Circulation
import Desk
import FoundationEssentials
import OPDS
import Registry

/// One edition that can be had, with what the reader has of it.
struct Way: Sendable {
  let listed: ListedEdition
  /// Nil for strangers.
  var account: Account?
  var loan: Loan?
  var hold: Hold?

  /// All of a work, the best first. Of several cards at one library the one counts that has the
  /// book, or else the first.
  static func ranked(_ entry: CatalogEntry, for shelf: ReaderShelf?) -> [Way] {
    let ways = entry.editions.compactMap { listed -> Way? in
      guard let shelf else { return Way(listed: listed) }
      let cards = shelf.accounts.filter {
        $0.library == listed.library && $0.provider == listed.provider
      }
      let item = listed.edition.item
      for card in cards {
        if let kept = shelf.loans.first(where: { $0.account == card.id && $0.loan.item == item }) {
          return Way(listed: listed, account: card, loan: kept.loan)
        }
        if let kept = shelf.holds.first(where: { $0.account == card.id && $0.hold.item == item }) {
          return Way(listed: listed, account: card, hold: kept.hold)
        }
      }
      return cards.first.map { Way(listed: listed, account: $0) }
    }
    let gettable = ways.filter(\.isGettable)
    return (gettable.isEmpty ? ways : gettable).map { ($0, $0.standing) }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  private var isGettable: Bool {
    if loan != nil || hold != nil { return true }
    switch listed.availability?.status {
    case .unavailable, .unknownToProvider: return false
    case .openAccess, .available, .queued, nil: return listed.edition.owned != false
    }
  }

  var canBeGivenUp: Bool { loan?.isReturnable ?? (hold != nil) }

  private var standing: Standing {
    let mine: Standing.Mine? =
      loan != nil ? .loan : hold.map { $0.isReady ? .ready : .hold }
    let room = Standing.Room(used: 0, limit: nil)
    return Standing(
      mine: mine, status: listed.availability?.status,
      isReadableHere: listed.edition.formats.contains(where: \.isReadableHere), wait: wait,
      loans: room, holds: room,
      name: "\(listed.library.rawValue):\(listed.edition.item.rawValue)")
  }

  private var wait: Wait? {
    guard case .queued(let copies) = listed.availability?.status else { return nil }
    if case .waiting(let place?, _) = hold?.status {
      return Wait(behind: place - 1, copies: copies.total)
    }
    return Wait(behind: copies.holds ?? 0, copies: copies.total)
  }

  // MARK: - As a feed tells it (§3)

  var availability: OPDS.Acquisition.Availability? {
    if let loan { return .init(.available, since: loan.since, until: loan.until) }
    if let hold {
      switch hold.status {
      case .ready(let until): return .init(.ready, since: hold.since, until: until)
      case .waiting: return .init(.reserved, since: hold.since, until: expected)
      case .suspended(let until): return .init(.reserved, since: hold.since, until: until)
      case .expired: break
      }
    }
    switch listed.availability?.status {
    case .openAccess, .available: return .init(.available)
    case .queued: return .init(.unavailable, until: expected)
    case .unavailable, .unknownToProvider: return .init(.unavailable)
    case nil: return nil
    }
  }

  /// When it may be had, counted from when the library was asked and not from now: a feed changes
  /// only when something did.
  private var expected: Date? {
    guard let wait, let asked = listed.availability?.asOf else { return nil }
    return asked.addingTimeInterval(Double(wait.highDays) * 86_400)
  }

  var copies: OPDS.Acquisition.Copies? {
    guard let copies = listed.availability?.copies, let total = copies.total else { return nil }
    return .init(total: total, available: min(total, copies.available ?? 0))
  }

  var holds: OPDS.Acquisition.Holds? {
    let total = listed.availability?.copies?.holds
    guard let hold else { return total.map { .init(total: $0, position: nil) } }
    switch hold.status {
    case .waiting(let place, let length):
      return .init(total: length ?? total ?? place, position: place)
    case .ready: return .init(total: max(1, total ?? 1), position: nil)
    case .suspended, .expired: return total.map { .init(total: $0, position: nil) }
    }
  }

  // MARK: - In words

  func words(_ library: String) -> String {
    if let loan {
      return loan.until.map { "On loan from \(library) until \(Words.day($0))." }
        ?? "On loan from \(library)."
    }
    switch hold?.status {
    case .ready(let until):
      return until.map { "Kept ready at \(library) until \(Words.day($0))." }
        ?? "Kept ready at \(library)."
    case .waiting(let place?, let total):
      return "On hold at \(library): place \(place)" + (total.map { " of \($0)." } ?? ".")
    case .waiting(nil, _): return "On hold at \(library)."
    case .suspended: return "On hold at \(library), suspended."
    case .expired, nil: break
    }
    switch listed.availability?.status {
    case .openAccess: return "Free at \(library)."
    case .available(let copies):
      guard let total = copies.total, let left = copies.available else {
        return "\(library): available now."
      }
      return "\(library): \(left) of \(Words.count(total, "copy", "copies")) available."
    case .queued(let copies):
      let waiting = copies.holds.map { ", \(Words.count($0, "reader", "readers")) waiting" } ?? ""
      let time = wait.map { ", about \(Words.span($0))" } ?? ""
      return "\(library): all copies are out\(waiting)\(time)."
    case .unavailable: return "\(library): not available."
    case .unknownToProvider: return "\(library) no longer lists it."
    case nil: return "\(library): not asked yet."
    }
  }

  /// `3 weeks`; nil where nobody has to wait, or nobody knows.
  var expectedWait: String? { wait.map(Words.span) }

  /// What a button would say.
  func invitation(_ library: String) -> String {
    if loan != nil { return "On loan from \(library)" }
    switch hold?.status {
    case .ready: return "Borrow from \(library), kept ready"
    case .waiting, .suspended: return "On hold at \(library)"
    case .expired, nil: break
    }
    switch listed.availability?.status {
    case .queued:
      return "Place a hold at \(library)" + (wait.map { ", about \(Words.span($0))" } ?? "")
    case .unavailable, .unknownToProvider: return "Not available at \(library)"
    case .openAccess, .available, nil: return "Borrow from \(library)"
    }
  }
}
