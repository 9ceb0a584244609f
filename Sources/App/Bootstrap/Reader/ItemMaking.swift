import Catalog
import Circulation
import Desk
import FoundationEssentials
import Items
import Machine
import Registry

// The domain's values as the contract's items.

extension Date {
  var rfc3339: String {
    let milliseconds = Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? 0
    return Timestamp(millisecondsSinceEpoch: milliseconds).rfc3339()
  }
}

extension AvailabilityItem {
  init(_ availability: Availability?, source: String) {
    self.init(status: availability?.word ?? "unknown")
    total = availability?.copies?.total
    available = availability?.copies?.available
    holds = availability?.copies?.holds
    self.source = source
    asOf = availability?.asOf.rfc3339
  }
}

extension FormatItem {
  init(_ format: Format) {
    self.init(
      id: format.id, format: format.content.rawValue, drm: format.protection.rawValue,
      isReadableHere: format.isReadableHere)
    opensWith = format.opener
  }
}

extension EstimateItem {
  init(_ wait: Wait) {
    self.init(lowDays: wait.lowDays, highDays: wait.highDays, basis: wait.basis)
  }
}

extension WorkItem {
  /// What the editions say of the book; offers are added by who knows the cards.
  init(_ entry: CatalogEntry) {
    self.init(id: entry.work.rawValue, entry.face)
  }

  init(id: String, _ edition: Edition) {
    self.init(id: id, title: edition.title)
    subtitle = edition.subtitle
    authors = edition.authors
    series = edition.series.map { SeriesItem(name: $0.name, position: $0.position) }
    languages = edition.languages
    subjects = edition.subjects
    summary = edition.summary.map(PlainSummary.text)
    cover = edition.covers.large ?? edition.covers.small
    isbns = edition.isbns.map { "\($0)" }
    published = edition.published?.description
  }
}

extension LoanItem {
  init(
    _ kept: KeptLoan, of account: Account, known: CatalogEntry?, isStale: Bool,
    state: BookState = .notDownloaded
  ) {
    let loan = kept.loan
    self.init(
      title: loan.title ?? known?.editions.first?.edition.title ?? loan.item.rawValue,
      account: account.name, provider: account.provider.rawValue, item: loan.item.rawValue,
      state: state.rawValue)
    work = known?.work.rawValue
    authors = loan.authors.isEmpty ? known?.editions.first?.edition.authors ?? [] : loan.authors
    since = loan.since?.rfc3339
    until = loan.until?.rfc3339
    format = (loan.lockedFormat ?? loan.formats.first)?.content.rawValue
    isRenewable = loan.isRenewable
    isReturnable = loan.isReturnable
    asOf = kept.asOf.rfc3339
    self.isStale = isStale
  }
}

extension HoldItem {
  init(_ kept: KeptHold, of account: Account, known: CatalogEntry?, isStale: Bool) {
    let hold = kept.hold
    self.init(
      title: hold.title ?? known?.editions.first?.edition.title ?? hold.item.rawValue,
      account: account.name, provider: account.provider.rawValue, item: hold.item.rawValue,
      status: hold.word)
    work = known?.work.rawValue
    authors = hold.authors.isEmpty ? known?.editions.first?.edition.authors ?? [] : hold.authors
    since = hold.since?.rfc3339
    switch hold.status {
    case .waiting(let place, let length):
      (position, total) = (place, length)
      let copies = known?.editions.first?.availability?.copies?.total
      if let place {
        estimate = EstimateItem(Wait(behind: place - 1, copies: copies))
      }
    case .ready(let end), .suspended(let end): until = end?.rfc3339
    case .expired: break
    }
    pickup = hold.pickupName ?? hold.pickup?.rawValue
    asOf = kept.asOf.rfc3339
    self.isStale = isStale
  }
}
