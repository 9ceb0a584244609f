import Circulation
import FoundationEssentials
import ProviderKit

// From the wire to the domain: pure functions, each quirk where it is met.

extension WireTitle {
  var item: ItemID { ItemID(titleId) }
  var formats: [Format] { Formats.all(availability.availableFormats) }

  func availability(asOf now: Date) -> Availability {
    availability.availability(asOf: now)
  }

  /// Nil for what is not borrowed. Titles that were given back linger for a while (§12.22).
  func loan() -> Loan? {
    guard availability.isCheckedout else { return nil }
    var loan = Loan(
      item: item, until: availability.checkoutEndDate.flatMap(WireMoment.instant))
    loan.since = availability.checkoutStartDate.flatMap(WireMoment.instant)
    loan.lockedFormat = availability.checkoutFormat.flatMap(Formats.named)
    loan.formats = loan.lockedFormat.map { [$0] } ?? []
    loan.isRenewable = availability.isButtonRenew != false
    loan.title = productTitle
    loan.authors = authorNames
    return loan
  }

  func hold() -> Hold? {
    guard !availability.isCheckedout, let status = availability.holdStatus else { return nil }
    var hold = Hold(item: item, status: status)
    hold.title = productTitle
    hold.authors = authorNames
    return hold
  }

  private var authorNames: [String] {
    contributors.filter { $0.role == .author }.map(\.name)
  }

  /// Nil where the loan is bound to a program of the vendor's, or nothing to fetch is named.
  func fulfilment() -> Fulfilment? {
    guard let format = availability.checkoutFormat.flatMap(Formats.named),
      format.protection == .adobe, let address = availability.downloadUrl
    else { return nil }
    // Escaped twice, so it is still escaped when it has been read (§12.11).
    var link = Fulfilment.Link(
      address: address.replacing("&amp;", with: "&"), format: format)
    link.singleUse = true
    link.expires = availability.checkoutEndDate.flatMap(WireMoment.instant)
    return .licence(link, .adobe)
  }
}

extension WireAvailability {
  func availability(asOf now: Date) -> Availability {
    let (total, available) = (totalCopies ?? availableCopies, availableCopies)
    // Simultaneous use comes without notice, as a number that no library owns (§5.2).
    if (total ?? 0) >= Self.unlimited || (available ?? 0) >= Self.unlimited {
      return Availability(.available(.init()), asOf: now)
    }
    let copies = Availability.Copies(total: total, available: available, holds: holdsQueueSize)
    if available.map({ $0 > 0 }) ?? isAvailable ?? false {
      return Availability(.available(copies), asOf: now)
    }
    return Availability(total ?? 0 > 0 ? .queued(copies) : .unavailable(copies), asOf: now)
  }

  private static let unlimited = 9000

  /// The first that is true counts (§6). A ready hold says position 1 and may say that it waits for
  /// nothing (§12.7).
  fileprivate var holdStatus: Hold.Status? {
    if isReserved { return .ready(until: reservedEndDate.flatMap(WireMoment.instant)) }
    guard isInHoldQueue else { return nil }
    if isHoldSuspended { return .suspended(until: nil) }
    return .waiting(position: holdsQueuePosition, total: holdsQueueSize)
  }
}

extension WireCheckout {
  var until: Date? { expirationDate.flatMap(WireMoment.instant) }

  func loan(of item: ItemID, as format: Format?) -> Loan {
    var loan = Loan(item: item, until: until)
    loan.lockedFormat = format
    loan.formats = format.map { [$0] } ?? []
    return loan
  }
}

extension WirePlacedHold {
  func hold(on item: ItemID) -> Hold {
    Hold(item: item, status: .waiting(position: holdsQueuePosition, total: nil))
  }
}

extension WireHold {
  func hold() -> Hold {
    var hold = Hold(item: ItemID(titleID), status: status)
    hold.title = bookTitle
    return hold
  }

  private var status: Hold.Status {
    if isAvailable { return .ready(until: reservedEndDate.flatMap(WireMoment.instant)) }
    if isSuspended { return .suspended(until: nil) }
    return .waiting(position: holdPosition, total: totalHoldSize)
  }
}

extension Loan {
  /// One answer counts seconds and the other cuts them off, so less than a minute is no renewal
  /// (§12.32).
  func isLonger(than other: Loan) -> Bool {
    guard let until, let before = other.until else { return false }
    return until.timeIntervalSince(before) > 60
  }
}

extension WireFulfilment {
  /// For a program of the vendor's: Carrel opens neither (§8).
  func fulfilment() -> Fulfilment {
    let format = kind == .audio ? Formats.acoustik : Formats.axisNow
    var link = Fulfilment.Link(address: adobeFullfillmentUrl ?? "", format: format)
    link.expires = expirationDate.flatMap(WireMoment.instant)
    return kind == .audio ? .manifest(link) : .licence(link, .vendorApp)
  }
}

extension WireAudiobook {
  func fulfilment() -> Fulfilment {
    .manifest(Fulfilment.Link(address: "", format: Formats.acoustik))
  }
}

extension WireLicence {
  func fulfilment() -> Fulfilment {
    var link = Fulfilment.Link(address: "", format: Formats.axisNow)
    link.expires = end.flatMap(WireMoment.instant)
    return .licence(link, .vendorApp)
  }
}

enum Translation {
  static func shelf(_ titles: [WireTitle]) -> Shelf {
    Shelf(loans: titles.compactMap { $0.loan() }, holds: titles.compactMap { $0.hold() })
  }
}
