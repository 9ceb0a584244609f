import Circulation
import FoundationEssentials
import HTTP
import OPDS
import ProviderKit

/// What a publication means for a reader (§3): a plain acquisition is a loan, a borrow link with a
/// place in line is a hold, and whoever sees neither is a stranger.
enum Translation {
  static func shelf(_ titles: [Publication], in settings: Settings) -> Shelf {
    var shelf = Shelf()
    for title in titles {
      if let loan = title.loan(in: settings) {
        shelf.loans.append(loan)
      } else if let hold = title.hold(in: settings) {
        shelf.holds.append(hold)
      }
    }
    return shelf
  }
}

extension Publication {
  /// What a loan can be turned into.
  var loanWays: [Acquisition] {
    acquisitions.filter { $0.has(.acquisition) || $0.has(.openAccess) }
  }

  /// What gives a loan back, or leaves a line: the link for it, or a DELETE where the hold says so
  /// (§4).
  var revocation: (address: Address, method: HTTP.Method)? {
    if let address = links.first(.revoke)?.address { return (address, .put) }
    let cancellable = all(.borrow).first { $0.isCancellable }?.link.address
    return cancellable.map { ($0, .delete) }
  }

  /// The link to borrow by: a format's own where each has one, else the best to be had.
  func borrowing(as format: Format?) -> Address? {
    var ways = all(.borrow).filter { $0.link.address != nil }
    if let format {
      // One that tells no formats may bring any.
      ways = ways.filter { way in
        let told = Formats.all(of: [way])
        return told.isEmpty || told.contains { $0.id == format.id }
      }
    }
    let free = ways.first { [.available, .ready].contains($0.availability?.state) }
    return (free ?? ways.first)?.link.address
  }

  /// What a shelf tells once holds for each loan on it that Adobe guards.
  func licensed(by licensor: LoanKeys.Licensor?) -> Publication {
    guard let licensor else { return self }
    var title = self
    for index in title.acquisitions.indices where title.acquisitions[index].has(.acquisition) {
      let way = title.acquisitions[index]
      guard way.keys?.licensor == nil,
        Formats.all(of: [way]).contains(where: { $0.protection == .adobe })
      else { continue }
      title.acquisitions[index].keys = LoanKeys(
        passphrase: way.keys?.passphrase, licensor: licensor)
    }
    return title
  }

  // MARK: - The reader's

  /// Both versions call what is on loan by different words; the relation tells (§4).
  func loan(in settings: Settings) -> Loan? {
    let ways = loanWays
    let first = ways.first { $0.has(.acquisition) } ?? ways.first
    // What has left the catalogue has nothing but a way back.
    guard first != nil || (all(.borrow).isEmpty && revocation != nil),
      all(.borrow).allSatisfy({ ![.reserved, .ready].contains($0.availability?.state) })
    else { return nil }
    var loan = Loan(item: settings.item(of: self), until: first?.availability?.until)
    loan.since = first?.availability?.since
    loan.formats = Formats.all(of: ways, areNamedByAddress: document == nil).sorted {
      Formats.rank($0) < Formats.rank($1)
    }
    if ways.count == 1, loan.formats.count == 1, loan.formats[0].locksLoan {
      loan.lockedFormat = loan.formats[0]
    }
    let keys = ways.compactMap(\.keys)
    loan.keys = LoanKeys(
      passphrase: keys.lazy.compactMap(\.passphrase).first,
      licensor: keys.lazy.compactMap(\.licensor).first)
    // A licence may have a way back of its own.
    loan.isReturnable = revocation != nil || loan.formats.contains { $0.protection == .lcp }
    // Whether it will be, only asking tells; an end is what there is to put off.
    loan.isRenewable = loan.until != nil
    (loan.title, loan.authors) = (title, authors)
    return loan
  }

  func hold(in settings: Settings) -> Hold? {
    guard
      let way = all(.borrow).first(where: {
        [.reserved, .ready].contains($0.availability?.state)
      }), let told = way.availability
    else { return nil }
    // A place is not told of what is ready (§3).
    let status: Hold.Status =
      told.state == .ready
      ? .ready(until: told.until)
      : .waiting(position: way.holds?.position, total: way.holds?.total)
    var hold = Hold(item: settings.item(of: self), status: status)
    (hold.since, hold.title, hold.authors) = (told.since, title, authors)
    return hold
  }

  private var authors: [String] {
    contributors.filter { Roles.role($0.role) == .author }.map(\.name)
  }

  func availability(asOf now: Date) -> Circulation.Availability { .init(terms, asOf: now) }

  func edition(in settings: Settings) -> Edition? { edition(named: settings.item(of: self)) }
}
