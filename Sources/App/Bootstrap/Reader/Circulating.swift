import Catalog
import Circulation
import Desk
import FoundationEssentials
package import Items
import Registry
package import Setup

extension LinkedEngine {
  package func circulate(_ order: ShelfOrder, at seat: Seat)
    async throws(ErrorItem) -> ReceiptItem
  {
    try await visit(seat) { visit throws(ErrorItem) in try await visit.circulate(order) }
  }
}

extension Visit {
  func circulate(_ order: ShelfOrder) async throws(ErrorItem) -> ReceiptItem {
    let offers = try await Offers(self)
    if offers.accounts.isEmpty { throw ErrorItem("no_accounts") }
    return try await Circulating(visit: self, offers: offers, order: order).receipt()
  }
}

/// One command about one title: which title, which card, what the desk made of it.
private struct Circulating {
  let visit: Visit
  let offers: Offers
  let order: ShelfOrder

  func receipt() async throws(ErrorItem) -> ReceiptItem {
    switch order.verb {
    case .borrow(let offer, let format, let dryRun):
      let way = try await bestWay(offer)
      if way.listed.edition.isPaper { throw visit.onPaper(way) }
      return try await carriedOut(way) { way throws(DeskError) in
        try await borrow(way, format, dryRun ? .look : .take)
      }
    case .acceptHold:
      let way = try await wayOnHold()
      return try await carriedOut(way) { way throws(DeskError) in
        try await borrow(way, nil, .take)
      }
    case .giveBack, .renew:
      let way = try await wayOnLoan()
      return try await carriedOut(way) { way throws(DeskError) in
        order.verb == .renew ? try await renew(way) : try await giveBack(way)
      }
    case .placeHold(let email, let day, let branch):
      let way = try await bestWay(nil, onPaper: branch != nil)
      if day != nil { try visit.checkRest(way) }
      let place = try await visit.pickup(way, at: branch)
      let receipt = try await carriedOut(way) { way throws(DeskError) in
        try await placeHold(way, email, place)
      }
      guard let day else { return receipt }
      return try await visit.resting(receipt, way, until: Int(day))
    case .cancelHold, .declineHold, .suspendHold, .resumeHold:
      let way = try await wayOnHold()
      return try await carriedOut(way) { way throws(DeskError) in try await change(way) }
    }
  }

  private enum Depth { case look, take }

  // MARK: - Which card

  /// A card, or `ACCOUNT:ITEM` where the card has the work more than once.
  private func bestWay(_ offer: String?, onPaper: Bool = false) async throws(ErrorItem)
    -> Offers.Way
  {
    let found = try await Finding(visit, offers).one(order.title)
    var ways = offers.ways(to: found.entry)
    if let account = found.account { ways = ways.filter { $0.account.id == account.id } }
    if let offer { ways = try await chosen(offer, ways) }
    if onPaper { ways = ways.filter(\.listed.edition.isPaper) }
    // With one card there is nothing to compare, and the desk asks once more anyway.
    if ways.count > 1 { ways = await visit.asked(ways) }
    let watching = try await offers.watching([found.entry])
    guard let best = watching.ranked(ways).first?.way else {
      var error = ErrorItem("no_licenses")
      error.title = found.entry.lead.edition.title
      error.library = offer ?? "no library of yours"
      throw error
    }
    return best
  }

  private func chosen(
    _ offer: String, _ ways: [Offers.Way]
  ) async throws(ErrorItem) -> [Offers.Way] {
    let exact = ways.filter { way in
      offer.lowercased()
        == "\(way.account.name):\(way.listed.edition.item.rawValue)".lowercased()
    }
    if !exact.isEmpty { return exact }
    let account = try await visit.account(
      offer.firstIndex(of: ":").map { String(offer[..<$0]) } ?? offer)
    return offer.contains(":") ? [] : ways.filter { $0.account.id == account.id }
  }

  private func wayOnLoan() async throws(ErrorItem) -> Offers.Way {
    try await way(among: offers.loans.map { ($0.account, $0.loan.item, $0.loan.title) })
  }

  private func wayOnHold() async throws(ErrorItem) -> Offers.Way {
    try await way(among: offers.holds.map { ($0.account, $0.hold.item, $0.hold.title) })
  }

  private func way(among items: [(AccountID, ItemID, String?)])
    async throws(ErrorItem) -> Offers.Way
  {
    let finding = Finding(visit, offers)
    if let found = try await finding.onShelf(order.title, items), let account = found.account {
      return Offers.Way(account: account, listed: found.entry.editions[0], availability: nil)
    }
    // Named exactly it may be asked for although the shelf here does not know it.
    let found = try await finding.one(order.title)
    let ways = offers.ways(to: found.entry).filter {
      found.account == nil || $0.account.id == found.account?.id
    }
    let held = ways.filter { way in
      items.contains { $0.0 == way.account.id && $0.1 == way.listed.edition.item }
    }
    if held.count > 1 {
      var error = ErrorItem("several_matches")
      error.detail = order.title
      error.choices = held.map { way in
        "\(way.account.name):\(way.listed.edition.item.rawValue)  \(way.listed.edition.title)"
      }
      throw error
    }
    if let way = held.first ?? ways.first { return way }
    var error = ErrorItem("unknown_title")
    error.detail = order.title
    throw error
  }

  // MARK: - What the desk makes of it

  private func carriedOut(
    _ way: Offers.Way, _ body: (Offers.Way) async throws(DeskError) -> ReceiptItem
  ) async throws(ErrorItem) -> ReceiptItem {
    do throws(DeskError) {
      let receipt = try await body(way)
      // What was done is done; where its state stands the next look tells as well.
      _ = try? await visit.followed(offers.accounts)
      return receipt
    } catch {
      if case .provider(let refusal) = error, let status = Account.Status(refusal.reason) {
        try await visit.note(status, way.account)
      }
      throw ErrorItem(error).about(way.account, in: visit.house, title: title(way))
    }
  }

  private func title(_ way: Offers.Way) -> String { way.listed.edition.title }

  private func borrow(_ way: Offers.Way, _ format: String?, _ depth: Depth)
    async throws(DeskError) -> ReceiptItem
  {
    let item = way.listed.edition.item
    let wanted = format.flatMap { word in
      way.listed.edition.formats.first { $0.content.rawValue == word || $0.id == word }
    }
    if let format, wanted == nil {
      throw .provider(
        CirculationError(
          .formatUnavailable, from: way.account.provider, during: .checkOut, providerSays: format))
    }
    let outcome: Borrowing?
    switch depth {
    case .look:
      outcome = try await visit.house.desk.foresee(
        borrowing: item, on: way.account.id, in: visit.call())
    case .take:
      outcome = try await visit.house.desk.borrow(
        item, as: wanted, on: way.account.id, attempt: House.requestID(), in: visit.call())
    }
    guard let outcome else { return way.receipt(.wouldBorrow) }
    switch outcome {
    case .lent(let loan): return way.receipt(.borrowed, loan)
    case .had(let loan): return way.receipt(.alreadyBorrowed, loan)
    case .waiting(let hold): return way.receipt(.alreadyWaiting, hold)
    case .allOut(let availability, let canWait):
      var receipt = way.receipt(.allOut)
      var way = way
      way.availability = availability
      receipt.offer =
        offers.work(
          CatalogEntry(work: WorkID(""), editions: [way.listed]), ways: [way]
        ).offers.first
      receipt.canWait = canWait
      return receipt
    case .inDoubt(let error): return way.doubt(error)
    }
  }

  private func giveBack(_ way: Offers.Way) async throws(DeskError) -> ReceiptItem {
    let outcome = try await visit.house.desk.giveBack(
      way.listed.edition.item, on: way.account.id, attempt: House.requestID(), in: visit.call())
    switch outcome {
    case .done: return way.receipt(.returned)
    case .already: return way.receipt(.alreadyReturned)
    case .inDoubt(let error): return way.doubt(error)
    }
  }

  private func renew(_ way: Offers.Way) async throws(DeskError) -> ReceiptItem {
    let outcome = try await visit.house.desk.renew(
      way.listed.edition.item, on: way.account.id, attempt: House.requestID(), in: visit.call())
    switch outcome {
    case .done(.borrowed(let loan)), .already(.borrowed(let loan)):
      return way.receipt(.renewed, loan)
    case .done(.waiting(let hold)), .already(.waiting(let hold)):
      return way.receipt(.renewed, hold)
    case .inDoubt(let error): return way.doubt(error)
    }
  }

  private func placeHold(_ way: Offers.Way, _ email: String?, _ branch: BranchID?)
    async throws(DeskError) -> ReceiptItem
  {
    let outcome = try await visit.house.desk.placeHold(
      on: way.listed.edition.item, options: HoldOptions(email: email, pickup: branch),
      on: way.account.id,
      attempt: House.requestID(), in: visit.call())
    return way.receipt(of: outcome, .waiting, .alreadyWaiting)
  }

  private func change(_ way: Offers.Way) async throws(DeskError) -> ReceiptItem {
    let desk = visit.house.desk
    let (item, account) = (way.listed.edition.item, way.account.id)
    let attempt = House.requestID()
    switch order.verb {
    case .suspendHold(let days):
      try await desk.note(rest: HeldItem(account, item), isOurs: false)
      return way.receipt(
        of: try await desk.suspendHold(
          on: item, days: days, on: account, attempt: attempt, in: visit.call()),
        .suspended, .suspended)
    case .resumeHold:
      try await desk.note(rest: HeldItem(account, item), isOurs: false)
      return way.receipt(
        of: try await desk.resumeHold(on: item, on: account, attempt: attempt, in: visit.call()),
        .resumed, .resumed)
    default:
      let outcome = try await desk.cancelHold(
        on: item, on: account, attempt: attempt, in: visit.call())
      switch outcome {
      case .done: return way.receipt(order.verb == .declineHold ? .declined : .cancelled)
      case .already: return way.receipt(.alreadyCancelled)
      case .inDoubt(let error): return way.doubt(error)
      }
    }
  }
}
