package import Circulation

/// What a publication means for whoever comes (§3): a stranger's eyes, whatever version it came in.
extension Publication {
  package func all(_ relation: Relation) -> [Acquisition] {
    acquisitions.filter { $0.has(relation) }
  }

  /// Free to whoever comes: no borrowing, no price.
  package var isFree: Bool {
    !all(.openAccess).isEmpty || (all(.borrow).isEmpty && !all(.acquisition).isEmpty)
  }

  /// The best of all ways, where several lenders have it (§13.12).
  package var terms: Circulation.Availability.Status {
    if !all(.openAccess).isEmpty { return .openAccess }
    let told = all(.borrow).map(\.terms)
    if let best = told.min(by: { Self.rank($0) < Self.rank($1) }) { return best }
    guard let own = all(.acquisition).first else { return .unavailable(.init()) }
    // Without a lender the thing itself is there for all.
    return own.availability == nil && own.copies == nil ? .openAccess : .available(own.counts)
  }

  private static func rank(_ status: Circulation.Availability.Status) -> Int {
    switch status {
    case .openAccess: 0
    case .available: 1
    case .queued: 2
    case .unavailable: 3
    case .unknownToProvider: 4
    }
  }
}

extension Circulation.Availability.Status {
  package var canBeHadNow: Bool {
    switch self {
    case .openAccess, .available: true
    case .queued, .unavailable, .unknownToProvider: false
    }
  }
}

extension Acquisition {
  fileprivate var counts: Circulation.Availability.Copies {
    .init(total: copies?.total, available: copies?.available, holds: holds?.total)
  }

  fileprivate var terms: Circulation.Availability.Status {
    if copies?.total == 0 { return .unavailable(counts) }
    switch availability?.state {
    case .available, .ready: return .available(counts)
    case .reserved, .unavailable: return .queued(counts)
    case nil:
      // Nothing said is nothing counted; a count says it all (§3).
      guard let copies else { return .available(counts) }
      return (copies.available ?? 0) > 0 ? .available(counts) : .queued(counts)
    }
  }
}
