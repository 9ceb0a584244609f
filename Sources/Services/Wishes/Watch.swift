package import Circulation

/// How far a wish has come, from what was heard of all ways to it.
package struct Watch: Sendable, Hashable {
  package enum State: String, Sendable, Hashable {
    /// Nobody said yet whether it can be had.
    case unknown
    case waiting
    /// It could be had at the last look; whether that lasts is not known yet.
    case seen
    case available
  }

  package internal(set) var state: State
  /// When it was first seen so.
  package internal(set) var seenAt: Int64?
  /// Since when it can be had, or has to be waited for.
  package internal(set) var since: Int64?
  /// How many times it came to be available.
  package internal(set) var turn: Int64
  /// The last of these that the reader was told of, or need not be.
  package internal(set) var doneTurn: Int64

  init(
    state: State = .unknown, seenAt: Int64? = nil, since: Int64? = nil, turn: Int64 = 0,
    doneTurn: Int64 = 0
  ) {
    (self.state, self.seenAt, self.since) = (state, seenAt, since)
    (self.turn, self.doneTurn) = (turn, doneTurn)
  }

  /// Whether it can be had, and that is still to be dealt with.
  package var isNews: Bool { state == .available && doneTurn < turn }

  /// The same after a look. It counts as available when it was so at two looks far enough apart, or
  /// at one where the next look would be later than that: a copy that comes and goes within minutes
  /// is nobody's.
  package func after(_ sight: Sight, settle: Int64) -> Watch {
    var next = self
    switch sight {
    case .available(let asOf, let isSettled):
      switch state {
      case .available: break
      case .seen where !isSettled && asOf - (seenAt ?? asOf) < settle: break
      case .unknown, .waiting, .seen:
        if isSettled || settle <= 0 || state == .seen {
          (next.state, next.since, next.turn) = (.available, asOf, turn + 1)
          next.seenAt = seenAt ?? asOf
        } else {
          (next.state, next.seenAt) = (.seen, asOf)
        }
      }
    case .away(let asOf):
      if state == .waiting { break }
      (next.state, next.seenAt, next.since) = (.waiting, nil, asOf)
    }
    return next
  }
}

/// What was heard of all ways to one wish, taken together.
package enum Sight: Sendable, Hashable {
  /// `isSettled` where the next look is so far off that this one has to do.
  case available(asOf: Int64, isSettled: Bool)
  /// It cannot be had by any way that said something.
  case away(asOf: Int64)

  /// One way to it: what was last heard, and how long until its library is asked again.
  package struct Way: Sendable, Hashable {
    package let availability: Availability?
    package let interval: Int64

    package init(_ availability: Availability?, interval: Int64) {
      (self.availability, self.interval) = (availability, interval)
    }
  }

  /// Nil where nothing was heard that says anything: silence is no answer, and a library that does
  /// not know a title today may know it tomorrow. Beside ways that spoke such a one counts for
  /// nothing: it may never say a word, and a copy that is gone would be there for good. A library
  /// that fell silent has its last word here, so what it had it still has.
  package init?(_ ways: [Way], settle: Int64) {
    var (newest, latest): (Int64?, Int64?) = (nil, nil)
    var isSettled = false
    for way in ways {
      guard let availability = way.availability else { continue }
      let asOf = availability.asOf.milliseconds
      switch availability.status {
      case .openAccess:
        newest = max(newest ?? asOf, asOf)
        isSettled = true
      case .available:
        newest = max(newest ?? asOf, asOf)
        isSettled = isSettled || way.interval > settle
      case .queued, .unavailable: latest = max(latest ?? asOf, asOf)
      case .unknownToProvider: continue
      }
    }
    if let newest {
      self = .available(asOf: newest, isSettled: isSettled)
    } else if let latest {
      self = .away(asOf: latest)
    } else {
      return nil
    }
  }
}
