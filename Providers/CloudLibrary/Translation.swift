import Circulation
import FoundationEssentials
import ProviderKit

// From the wire to the domain: pure functions, each quirk where it is met.

extension WireItem {
  /// The flags speak of a stranger, which is what is asked (§4.2). A title whose copies are not
  /// counted at all has no limit; one whose free copies alone are missing has none free.
  func availability(asOf now: Date) -> Availability {
    guard let total = totalCopies else {
      let copies = Availability.Copies(available: availableCopies, holds: onHoldCount)
      let isFree = canCheckout ?? ((availableCopies ?? 0) > 0)
      return Availability(status(isFree, copies, canBeWaitedFor: canHold == true), asOf: now)
    }
    let free = availableCopies ?? 0
    // A flag that is at odds with the counts says nothing of waiting either.
    let isAtOdds = canCheckout == true && free == 0
    return Availability(
      status(
        canCheckout != false && free > 0, .init(total: total, available: free, holds: onHoldCount),
        canBeWaitedFor: isAtOdds ? total > 0 : canHold ?? (total > 0)), asOf: now)
  }

  private func status(
    _ isFree: Bool, _ copies: Availability.Copies, canBeWaitedFor: Bool
  ) -> Availability.Status {
    isFree ? .available(copies) : canBeWaitedFor ? .queued(copies) : .unavailable(copies)
  }
}

extension WireCirculation {
  func availability(asOf now: Date) -> Availability {
    let (owned, free) = (total ?? 0, available ?? 0)
    let copies = Availability.Copies(total: owned, available: free, holds: holds)
    return Availability(
      free > 0 ? .available(copies) : owned > 0 ? .queued(copies) : .unavailable(copies), asOf: now)
  }
}

extension WireSummary {
  /// Copies of other libraries are counted apart and left out.
  func availability(asOf now: Date) -> Availability {
    let free = max(0, totalCopies - totalLoanCopies)
    let copies = Availability.Copies(total: totalCopies, available: free, holds: totalHoldCopies)
    return Availability(
      free > 0 ? .available(copies) : totalCopies > 0 ? .queued(copies) : .unavailable(copies),
      asOf: now)
  }
}

extension WireStatus {
  func availability(asOf now: Date) -> Availability {
    switch status {
    case "CAN_LOAN", "RESERVATION", "LOAN": Availability(.available(.init()), asOf: now)
    case "CAN_HOLD", "HOLD": Availability(.queued(.init()), asOf: now)
    default: Availability(.unavailable(.init()), asOf: now)
    }
  }
}

/// How loans of one library end.
struct Terms: Sendable {
  let renewsByReturn: Bool

  /// §7: offered in about the last three days.
  func isRenewable(until end: Date?, asOf now: Date) -> Bool {
    guard renewsByReturn, let end else { return false }
    return end > now && end.timeIntervalSince(now) <= 3 * 86_400
  }
}

extension WireShelf {
  /// `items` brings what the shelf itself does not tell of its titles.
  func shelf(with items: [WireItem] = [], _ terms: Terms, asOf now: Date) -> Shelf {
    let known = Dictionary(items.map { ($0.itemID, $0) }) { first, _ in first }
    return Shelf(
      loans: checkouts.map { $0.loan(known[$0.itemID], terms, asOf: now) },
      // What is ready stands first where a title should be in both lists.
      holds: reserves.map { $0.readyHold(known[$0.itemID]) }
        + holds.filter { hold in !reserves.contains { $0.itemID == hold.itemID } }
        .map { $0.waitingHold(known[$0.itemID]) })
  }
}

extension WireEntry {
  func loan(_ item: WireItem?, _ terms: Terms, asOf now: Date) -> Loan {
    var loan = Loan(item: ItemID(itemID), until: end.flatMap(WireDate.instant))
    loan.since = start.flatMap(WireDate.instant)
    loan.isRenewable = terms.isRenewable(until: loan.until, asOf: now)
    if let edition = item?.edition() {
      (loan.title, loan.authors, loan.formats) = (edition.title, edition.authors, edition.formats)
    }
    return loan
  }

  /// Its end is a guess when a copy may come, and is often past: no deadline (§6).
  func waitingHold(_ item: WireItem?) -> Hold {
    let place = position.flatMap { $0 > 0 ? $0 : nil }
    let length = item?.onHoldCount.flatMap { $0 >= place ?? 1 ? $0 : nil }
    return hold(.waiting(position: place, total: length), item)
  }

  /// It says to be the first in line and stands in none any more.
  func readyHold(_ item: WireItem?) -> Hold {
    hold(.ready(until: end.flatMap(WireDate.instant)), item)
  }

  private func hold(_ status: Hold.Status, _ item: WireItem?) -> Hold {
    var hold = Hold(item: ItemID(itemID), status: status)
    hold.since = start.flatMap(WireDate.instant)
    if let edition = item?.edition() {
      (hold.title, hold.authors) = (edition.title, edition.authors)
    }
    return hold
  }
}

extension WireCheckout {
  func loan(_ terms: Terms, asOf now: Date) -> Loan {
    var loan = Loan(item: ItemID(itemID), until: due.flatMap(WireDate.instant))
    loan.isRenewable = terms.isRenewable(until: loan.until, asOf: now)
    return loan
  }
}

extension WirePlacedHold {
  /// The place is not told here.
  var hold: Hold { Hold(item: ItemID(itemID), status: .waiting(position: nil, total: nil)) }
}

extension WireLicence {
  func fulfilment(as format: Format) -> Fulfilment {
    var link = Fulfilment.Link(
      address: InlineDocument.address(of: document, "application/vnd.adobe.adept+xml"),
      format: format)
    link.expires = expiration.flatMap(WireDate.instant)
    link.length = document.count
    return .licence(link, .adobe)
  }
}

extension WireAudioLicence {
  func fulfilment(as format: Format) -> Fulfilment {
    var link = Fulfilment.Link(
      address: InlineDocument.address(of: document, "application/json"), format: format)
    link.length = document.count
    return .manifest(link)
  }
}
