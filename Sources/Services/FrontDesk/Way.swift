package import Catalog
package import Circulation
package import Desk
import FoundationEssentials
import Phrasebook
package import Registry

/// One edition that can be had, with what the reader has of it.
package struct Way: Sendable {
  package let listed: ListedEdition
  /// Nil for strangers.
  package let account: Account?
  package let loan: Loan?
  package let hold: Hold?
  /// Its place among the others.
  package let standing: Standing

  /// All of a work, the best first, by one card at each library.
  package static func ranked(_ entry: CatalogEntry, for shelf: ReaderShelf?) -> [Way] {
    let ways = entry.editions.compactMap { best(of: $0, for: shelf) }
    let gettable = ways.filter(\.isGettable)
    let all = gettable.isEmpty ? ways : gettable
    return Standing.offered(all.map { ($0, $0.standing) }, paper: shelf?.paper ?? .otherwise)
      .map(\.way).sorted { $0.standing < $1.standing }
  }

  /// Of several cards at one library the one that has the book, or waits for it, or else the one
  /// that has room for it.
  private static func best(of listed: ListedEdition, for shelf: ReaderShelf?) -> Way? {
    guard let shelf else { return Way(listed, nil, Holdings(loans: [], holds: [])) }
    let ways = shelf.accounts.filter {
      $0.library == listed.library && $0.provider == listed.provider
    }.map { Way(listed, $0, shelf.holdings) }
    let mine = ways.filter { $0.loan != nil || $0.hold != nil }
    return (mine.isEmpty ? ways : mine).min { $0.standing < $1.standing }
  }

  private init(_ listed: ListedEdition, _ account: Account?, _ holdings: Holdings) {
    let card = account.map {
      Candidate.Card($0.id, loanLimit: $0.loanLimit, holdLimit: $0.holdLimit)
    }
    let names = [listed.library.rawValue, listed.edition.item.rawValue, account?.name]
    let candidate = Candidate(
      listed.edition, listed.availability, on: card,
      name: names.compactMap(\.self).joined(separator: ":"))
    (self.listed, self.account) = (listed, account)
    (loan, hold) = (holdings.loan(candidate)?.loan, holdings.hold(candidate)?.hold)
    standing = holdings.standing(candidate)
  }

  private var isGettable: Bool {
    if loan != nil || hold != nil { return true }
    switch listed.availability?.status {
    case .unavailable, .unknownToProvider: return false
    case .openAccess, .available, .queued, nil: return listed.edition.owned != false
    }
  }

  package var canBeGivenUp: Bool { loan?.isReturnable ?? (hold != nil) }

  package var wait: Wait? { standing.wait }

  /// Whether a copy on paper may be asked for: of what is listed as a file nobody knows.
  package var canBePutAside: Bool {
    guard isPaper else { return true }
    switch listed.availability?.status {
    case .unavailable, .unknownToProvider: return false
    case .openAccess, .available, .queued, nil: return true
    }
  }

  /// Whether a copy is fetched at a branch and never opened.
  package var isPaper: Bool { standing.isPaper }

  // MARK: - In words

  package func telling(_ library: String) -> Telling {
    if let loan { return told(loan, library) }
    switch hold?.status {
    case .ready(let until): return ready(until, library)
    case .waiting(let place?, let total?):
      return Telling(said("On hold at \(library): place \(place) of \(total)."))
    case .waiting(let place?, nil): return Telling(said("On hold at \(library): place \(place)."))
    case .waiting(nil, _): return Telling(said("On hold at \(library)."))
    case .suspended: return Telling(said("On hold at \(library), suspended."))
    case .expired, nil: return Telling(standing(at: library))
    }
  }

  private func told(_ loan: Loan, _ library: String) -> Telling {
    guard let until = loan.until else {
      return Telling(
        isPaper ? said("On loan on paper from \(library).") : said("On loan from \(library)."))
    }
    return isPaper
      ? .said("On loan on paper from \(library) until \(day: until).")
      : .said("On loan from \(library) until \(day: until).")
  }

  private func ready(_ until: Date?, _ library: String) -> Telling {
    let place = hold?.branch.map { "\(library), \($0)" } ?? library
    guard let until else { return Telling(said("Kept ready at \(place).")) }
    return hold?.branch == nil
      ? .said("Kept ready at \(place) until \(day: until).")
      : .said("Kept ready at \(place), until \(day: until).")
  }

  private func standing(at library: String) -> String {
    switch listed.availability?.status {
    case .openAccess: return said("Free at \(library).")
    case .available(let copies):
      guard let total = copies.total, let left = copies.available else {
        return isPaper
          ? said("\(library): on the shelf, on paper.") : said("\(library): available now.")
      }
      return isPaper
        ? counted(
          total, one: "\(library): \(left) of \(total) copy on paper on the shelf.",
          many: "\(library): \(left) of \(total) copies on paper on the shelf.")
        : counted(
          total, one: "\(library): \(left) of \(total) copy available.",
          many: "\(library): \(left) of \(total) copies available.")
    case .queued(let copies):
      let parts = [
        said("all copies are out"),
        copies.holds.flatMap { count in
          count == 0
            ? nil : counted(count, one: "\(count) reader waiting", many: "\(count) readers waiting")
        }, wait.map { said("about \(Words.span($0))") },
      ]
      return "\(library): \(parts.compactMap(\.self).joined(separator: ", "))."
    case .unavailable: return said("\(library): not available.")
    case .unknownToProvider: return said("\(library) no longer lists it.")
    case nil: return said("\(library): not asked yet.")
    }
  }

  package func words(_ library: String, by clock: PlaceClock = .utc) -> String {
    telling(library).text(by: clock)
  }

  /// `3 weeks`; nil where nobody has to wait, or nobody knows.
  package var expectedWait: String? { wait.map(Words.span) }

  /// What a button would say, in a feed.
  package func invitation(_ library: String) -> String {
    if loan != nil { return "On loan from \(library)" }
    switch hold?.status {
    case .ready where isPaper: return "Waits for you at \(hold?.branch ?? library)"
    case .ready: return "Borrow from \(library), kept ready"
    case .waiting, .suspended: return "On hold at \(library)"
    case .expired, nil: break
    }
    switch listed.availability?.status {
    case .available where isPaper, nil where isPaper:
      return "Have it put aside at \(library), on paper"
    case .queued:
      return "Place a hold at \(library)" + (wait.map { ", about \(Words.span($0))" } ?? "")
    case .unavailable, .unknownToProvider: return "Not available at \(library)"
    case .openAccess, .available, nil: return "Borrow from \(library)"
    }
  }
}

extension Hold {
  /// Where it waits, in words.
  package var branch: String? { pickupName ?? pickup?.rawValue }
}
