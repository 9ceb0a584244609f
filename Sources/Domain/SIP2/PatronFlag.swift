/// The fourteen marks of a patron's status, in the order in which they stand.
package enum PatronFlag: Int, Sendable, Hashable, CaseIterable {
  case chargeDenied, renewalDenied, recallDenied, holdDenied, cardLost
  case tooManyCharged, tooManyOverdue, tooManyRenewals, tooManyClaimsReturned, tooManyLost
  case excessiveFines, excessiveFees, recallOverdue, tooManyBilled

  /// Those that stop the borrowing of e-books where a library has not said otherwise. Some systems set
  /// others for everybody.
  package static let usuallyBlocking: Set<PatronFlag> = [
    .chargeDenied, .cardLost, .tooManyCharged, .tooManyOverdue, .tooManyLost, .excessiveFines,
    .excessiveFees, .recallOverdue, .tooManyBilled,
  ]

  /// Y is yes; everything else is no.
  package static func set(in status: String) -> Set<PatronFlag> {
    let letters = Array(status.utf8)
    return Set(
      allCases.filter { flag in
        letters.count > flag.rawValue && letters[flag.rawValue] & ~0x20 == UInt8(ascii: "Y")
      })
  }

  package static func text(of flags: Set<PatronFlag>) -> String {
    String(allCases.map { flags.contains($0) ? "Y" : " " })
  }
}

/// Which entries are asked for with a patron's information; the counts come always. One at a time: of
/// several, servers take the first or refuse.
package enum Summary: Int, Sendable, Hashable, CaseIterable {
  case holds, overdue, charged, fines, recalls, unavailableHolds, fees

  package static func text(of choice: Summary?) -> String {
    String((0..<10).map { $0 == choice?.rawValue ? "Y" : " " })
  }

  /// The field of an entry; fees have none of their own.
  package var entry: FieldCode? {
    switch self {
    case .holds: .holdItem
    case .overdue: .overdueItem
    case .charged: .chargedItem
    case .fines: .fineItem
    case .recalls: .recallItem
    case .unavailableHolds: .unavailableHoldItem
    case .fees: nil
    }
  }

  var count: FixedPart? {
    switch self {
    case .holds: .holdCount
    case .overdue: .overdueCount
    case .charged: .chargedCount
    case .fines: .fineCount
    case .recalls: .recallCount
    case .unavailableHolds: .unavailableHoldCount
    case .fees: nil
    }
  }
}
