import Catalog
import Circulation
import Desk
import FoundationEssentials
import FrontDesk
import OPDS

/// As a feed tells it (§3).
extension Way {
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
}
