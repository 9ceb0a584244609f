import Circulation
import FoundationEssentials
import ProviderKit

// From the wire to the domain: pure functions, each quirk where it is met.

extension WirePage {
  /// What is listed but not owned is left out, and what has no metadata is taken as listed (§7).
  func editions(with metadata: [String: WireMetadata]) -> [Edition] {
    products.compactMap { product in
      let edition = (metadata[product.id] ?? WireMetadata(product.json))?.edition()
      return edition?.owned == false ? nil : edition
    }
  }
}

extension WireAvailability {
  /// `advantage` names the child collection whose own stock is meant; nil is the main collection.
  func availability(asOf now: Date, advantage: Int? = nil) -> Availability {
    // The counts of a title without limit are fictitious (§6.1).
    if availabilityType.lowercased() == "alwaysavailable" {
      return Availability(.available(.init()), asOf: now)
    }
    let counted = copies(advantage: advantage)
    let copies = Availability.Copies(
      total: counted.owned, available: counted.available, holds: numberOfHolds)
    // `available` says whether a stranger may borrow now; a copy put aside is not for strangers,
    // so the counts may contradict it and are for show (§6.1).
    if available { return Availability(.available(copies), asOf: now) }
    return Availability(counted.owned > 0 ? .queued(copies) : .unavailable(copies), asOf: now)
  }

  /// Own and shared copies without counting any twice (§6.3). Holds are never split.
  private func copies(advantage: Int?) -> (owned: Int, available: Int) {
    guard !accounts.isEmpty else { return (copiesOwned, copiesAvailable) }
    let mine = accounts.filter { account in
      if let advantage { return account.id == advantage && !account.shared }
      return account.id == -1 || account.shared
    }
    return (
      mine.reduce(0) { $0 + $1.copiesOwned }, mine.reduce(0) { $0 + $1.copiesAvailable }
    )
  }
}

extension WireCheckout {
  func loan(asOf now: Date) -> Loan {
    var loan = Loan(item: ItemID(reserveId), until: expires.flatMap(WireDate.instant))
    loan.since = checkoutDate.flatMap(WireDate.instant)
    loan.formats = formatIDs.map(Formats.named)
    if isFormatLockedIn {
      loan.lockedFormat = formats.lazy.map { Formats.named($0.formatType) }.first(
        where: \.locksLoan)
    }
    loan.isReturnable = earlyReturn != nil || openFormat?.template != nil
    // Renewing is a hold on one's own loan, taken in about the last three days (§8.5).
    loan.isRenewable =
      loan.until.map { $0.timeIntervalSince(now) <= 3 * 86_400 && $0 > now } ?? false
    return loan
  }

  /// The plain file that the loan is bound to. There is a way to give such a loan back although it
  /// is not among the actions (§8.4).
  var openFormat: WireLoanFormat? {
    isFormatLockedIn
      ? formats.first {
        let format = Formats.named($0.formatType)
        return format.protection == .none && format.locksLoan
      } : nil
  }

  /// What can be fetched now, then what can still be chosen (§8.2).
  var formatIDs: [String] {
    var ids = formats.map(\.formatType)
    // Once a format is locked in, the others on offer are history.
    if !isFormatLockedIn {
      for option in lockFormat?.options(of: "formatType") ?? []
      where !ids.contains(option.lowercased()) {
        ids.append(option.lowercased())
      }
    }
    return ids
  }
}

extension WireHold {
  func hold() -> Hold {
    var hold = Hold(item: ItemID(reserveId), status: status)
    hold.since = holdPlacedDate.flatMap(WireDate.instant)
    return hold
  }

  /// Ready is the presence of a way to check out and nothing else: the position stays what it was
  /// when the copy came, and 1 without it is merely next (§10.2).
  private var status: Hold.Status {
    if checkout != nil { return .ready(until: holdExpires.flatMap(WireDate.instant)) }
    // Days are told, but neither counted from a day that is told nor right when they were (§10.5).
    if isSuspended { return .suspended(until: nil) }
    return .waiting(position: holdListPosition, total: numberOfHolds)
  }
}

extension WirePatron {
  func standing() -> AccountStanding {
    var standing = AccountStanding(loanLimit: checkoutLimit, holdLimit: holdLimit)
    standing.lendingPeriods = lendingPeriods.compactMap { period in
      guard let medium = Translation.medium(period.formatType) else { return nil }
      let unit = period.units.hasPrefix("hour") ? 3600 : 86_400
      return .init(medium: medium, seconds: period.lendingPeriod * unit)
    }
    return standing
  }
}

extension WireContentLink {
  /// The type of the link tells what it is, whatever was asked for.
  func fulfilment(asked: Format?, asOf now: Date) -> Fulfilment {
    let type = contentlink.type.prefix { $0 != ";" && $0 != " " }
    let format = formatType.map(Formats.named) ?? asked ?? Formats.delivered(as: String(type))
    var link = Fulfilment.Link(address: Links.clean(contentlink.href), format: format)
    link.singleUse = true
    link.expires = now.addingTimeInterval(60)
    switch type {
    case "application/vnd.adobe.adept+xml": return .licence(link, .adobe)
    case "text/html": return .handOff(link)
    case "application/epub+zip", "application/pdf": return .file(link)
    default: return format.protection == .streaming ? .handOff(link) : .file(link)
    }
  }
}

enum Translation {
  static func medium(_ word: String) -> Medium? {
    switch word.lowercased() {
    case "ebook": .book
    case "audiobook": .audiobook
    case "magazine", "periodicals", "periodical": .magazine
    case "music": .music
    case "video": .video
    case "comic", "comics": .comic
    case "": nil
    default: .other
    }
  }
}
