package import Circulation
package import FoundationEssentials

/// What became of a reader's wish.
package struct Deed: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case lent, had, waiting, renewed, returned, cancelled
    case waitingBefore = "waiting_before"
  }

  package let kind: Kind
  /// The end of the loan, or of the time to take it.
  package var until: Date?
  /// In the queue.
  package var place: Int?

  package init(_ kind: Kind, until: Date? = nil, place: Int? = nil) {
    (self.kind, self.until, self.place) = (kind, until, place)
  }

  package init(_ kind: Kind, _ hold: Hold) {
    switch hold.status {
    case .ready(let until), .suspended(let until): self.init(kind, until: until)
    case .waiting(let place, _): self.init(kind, place: place)
    case .expired: self.init(kind)
    }
  }

  /// Whether something is there now that was not.
  package var isNew: Bool { kind == .lent || kind == .waiting }

  package func words(_ library: String, by clock: PlaceClock = .utc) -> String {
    let end = until.map { " until \(clock.day($0))" } ?? ""
    return switch kind {
    case .lent: "Borrowed from \(library)\(end)"
    case .had: "On loan from \(library) already\(end)"
    case .waiting: "On hold at \(library)" + (place.map { ", place \($0)" } ?? "")
    case .waitingBefore: "On hold at \(library) already" + (place.map { ", place \($0)" } ?? "")
    case .renewed: "Renewed at \(library)\(end)"
    case .returned: "Given back to \(library)"
    case .cancelled: "The hold at \(library) is canceled"
    }
  }
}
