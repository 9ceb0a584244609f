import Circulation
import FoundationEssentials
import JSON
import Machine
import ProviderKit

// What the interface's lists hold, and what it means.

/// One title with its copies and with those who wait for it.
struct KohaTitle: Sendable {
  var items: [KohaItem] = []
  var holds: [KohaHold] = []

  /// Copies that lie on the shelf of holds, or are on the way there: no copy says so itself.
  var setAside: [Int: KohaHold.State] {
    Dictionary(
      holds.compactMap { hold in
        guard let item = hold.copy, hold.state != .queued else { return nil }
        return (item, hold.state)
      }, uniquingKeysWith: { first, _ in first })
  }

  func state(of item: KohaItem) -> Copy.State {
    switch setAside[item.number] {
    case .waiting?: .onHoldShelf
    case .inTransit?, .inWork?: .inTransit
    case .queued?, nil: item.state
    }
  }

  var status: Availability.Status {
    let states = items.map(state)
    let lendable = states.count(where: \.canBeLent)
    let free = states.count { $0 == .available }
    let copies = Availability.Copies(
      total: lendable, available: free, holds: holds.count { $0.state != .waiting })
    if free > 0 { return .available(copies) }
    return lendable > 0 ? .queued(copies) : .unavailable(copies)
  }
}

struct KohaItem: Sendable {
  let number: Int
  let title: Int
  let barcode: String?
  let branch: String?
  let place: String?
  let callNumber: String?
  /// By itself, without a look at holds.
  let state: Copy.State

  init?(_ json: JSONValue) {
    guard let number = json["item_id"]?.whole, let title = json["biblio_id"]?.whole else {
      return nil
    }
    (self.number, self.title) = (number, title)
    (barcode, callNumber) = (json["external_id"]?.words, json["callnumber"]?.words)
    branch = json["holding_library_id"]?.words ?? json["home_library_id"]?.words
    place = json["location"]?.words
    state = Self.state(json)
  }

  /// A missing mark is no mark; one that is no number is not understood, and nothing is promised.
  private static func state(_ json: JSONValue) -> Copy.State {
    func mark(_ name: String) -> Int? {
      switch json[name] {
      case nil, .null?: 0
      case .bool(let flag)?: flag ? 1 : 0
      case let value?: value.whole
      }
    }
    guard let lost = mark("lost_status"), let withdrawn = mark("withdrawn"),
      let damaged = mark("damaged_status")
    else { return .unknown }
    guard lost == 0, withdrawn == 0, damaged == 0 else { return .missing }
    let told = json["effective_not_for_loan_status"]
    let isTold = told != nil && told != .null
    guard let kept = mark(isTold ? "effective_not_for_loan_status" : "not_for_loan_status") else {
      return .unknown
    }
    // Below nought it is on order as a rule: to be waited for, and not there.
    if kept != 0 { return kept < 0 ? .onOrder : .reference }
    return json["checked_out_date"]?.words == nil ? .available : .out
  }

  func copy(_ title: KohaTitle, _ names: [Branch], _ desk: Settings) -> Copy {
    var copy = Copy(
      at: branch.map { code in
        names.first { $0.id.rawValue == code } ?? desk.branch(code)
      }, title.state(of: self))
    (copy.barcode, copy.place, copy.callNumber) = (barcode, place, callNumber)
    return copy
  }
}

struct KohaHold: Sendable {
  enum State: Sendable, Hashable { case queued, inTransit, inWork, waiting }

  let number: Int
  let patron: Int?
  let title: Int
  let copy: Int?
  let branch: String?
  let priority: Int
  let state: State
  var isSuspended: Bool
  var suspendedUntil: CivilDate?
  let placed: String?
  /// Once it waits, the last day to fetch it.
  let lastDay: CivilDate?

  init?(_ json: JSONValue) {
    guard let number = json["hold_id"]?.whole, let title = json["biblio_id"]?.whole else {
      return nil
    }
    (self.number, self.title) = (number, title)
    (patron, copy) = (json["patron_id"]?.whole, json["item_id"]?.whole)
    branch = json["pickup_library_id"]?.words
    priority = json["priority"]?.whole ?? 0
    switch json["status"] {
    case nil, .null?: state = priority > 0 ? .queued : .inWork
    case .string("W")?: state = .waiting
    case .string("T")?: state = .inTransit
    case .string(_)?: state = .inWork
    default: return nil
    }
    isSuspended = json["suspended"]?.flag == true
    suspendedUntil = json["suspended_until"]?.words.flatMap { CivilDate(written: $0) }
    placed = json["hold_date"]?.words
    lastDay = json["expiration_date"]?.words.flatMap { CivilDate(written: $0) }
  }

  func hold(_ calendar: LibraryCalendar, of queue: Int? = nil) -> Hold {
    var hold = Hold(item: ItemName.title(String(title)).item, status: status(calendar, queue))
    hold.pickup = branch.map { BranchID($0) }
    hold.since = placed.flatMap { CivilDate(written: $0) }.map { calendar.start(of: $0) }
    return hold
  }

  private func status(_ calendar: LibraryCalendar, _ queue: Int?) -> Hold.Status {
    switch state {
    case .waiting: .ready(until: lastDay.map(calendar.end))
    case .queued where isSuspended: .suspended(until: suspendedUntil.map(calendar.start))
    // A count that the place contradicts is none.
    case .queued: .waiting(position: priority, total: queue.flatMap { $0 < priority ? nil : $0 })
    case .inTransit, .inWork: .waiting(position: nil, total: nil)
    }
  }
}

struct KohaCheckout: Sendable {
  let number: Int
  let copy: Int
  let due: Date?
  let since: Date?

  init?(_ json: JSONValue) {
    guard let number = json["checkout_id"]?.whole, let copy = json["item_id"]?.whole else {
      return nil
    }
    (self.number, self.copy) = (number, copy)
    due = json["due_date"]?.words.flatMap { WireDate.instant($0) }
    since = json["checkout_date"]?.words.flatMap { WireDate.instant($0) }
  }

  func loan(of title: Int) -> Loan {
    var loan = Loan(item: ItemName.title(String(title)).item, until: due)
    loan.since = since
    loan.formats = [.paper]
    // It goes back to a desk, and to no machine of ours; whether it may be kept longer shows when
    // it is asked for.
    (loan.isReturnable, loan.isRenewable) = (false, true)
    return loan
  }
}
