import Books
import Catalog
import Circulation
import Desk
import FrontDesk
import OPDS
import Registry
import Slips

/// One thing that can be done with a work, in words, and the slip that does it.
struct ActionOffer: Sendable {
  let slip: Slip
  let title: String
  let summary: String
}

/// Everything that a reader can do with a work, the likeliest first.
struct ActionOffers: Sendable {
  let nameOfLibrary: @Sendable (LibraryID) -> String
  let work: WorkID
  /// Where paper can be picked up.
  let pickups: [BookKey: CopyList]

  func all(_ ways: [Way]) -> [ActionOffer] { ways.flatMap(offers) }

  private func offers(_ way: Way) -> [ActionOffer] {
    guard let account = way.account else { return [] }
    let library = nameOfLibrary(way.listed.library)
    let words = way.words(library)
    func offer(_ action: Slip.Action, _ title: String, _ choice: String? = nil) -> ActionOffer {
      ActionOffer(
        slip: Slip(
          action, way.listed.edition.item, on: account.id, of: work, choice: choice),
        title: title, summary: words)
    }
    if let loan = way.loan {
      let end = loan.until.map { " (until \(PlaceClock.utc.day($0)))" } ?? ""
      // Paper is brought back on foot.
      return (loan.isReturnable && !way.isPaper ? [offer(.giveBack, "Return to \(library)")] : [])
        + (loan.isRenewable ? [offer(.renew, "Renew at \(library)\(end)")] : [])
    }
    if let hold = way.hold {
      let cancel = offer(.cancelHold, "Cancel the hold at \(library)\(place(hold))")
      guard case .ready(let until) = hold.status, !way.isPaper else { return [cancel] }
      let end = until.map { " until \(PlaceClock.utc.day($0))" } ?? ""
      return [offer(.borrow, "Borrow from \(library) (kept ready\(end))"), cancel]
    }
    let pickups = pickups[way.key] ?? CopyList()
    let paper = pickups.pickups.map { branch in
      offer(.placeHold, "Pick up at \(pickups.words(at: branch))", branch.id.rawValue)
    }
    if way.isPaper { return paper }
    switch way.listed.availability?.status {
    case .openAccess: return paper
    case .available: return [offer(.borrow, "Borrow from \(library) (available)")] + paper
    case .queued:
      let wait = way.expectedWait.map { " (about \($0))" } ?? ""
      return [offer(.placeHold, "Hold at \(library)\(wait)")] + paper
    case nil: return [offer(.borrow, "Borrow from \(library)")] + paper
    case .unavailable, .unknownToProvider: return paper
    }
  }

  private func place(_ hold: Hold) -> String {
    guard case .waiting(let place?, let total) = hold.status else { return "" }
    return " (place \(place)" + (total.map { " of \($0))" } ?? ")")
  }
}
