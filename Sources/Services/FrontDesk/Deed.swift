package import Circulation
package import FoundationEssentials
import Phrasebook

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
    let end = until.map { clock.day($0) }
    switch (kind, end, place) {
    case (.lent, let end?, _): return said("Borrowed from \(library) until \(end)")
    case (.lent, nil, _): return said("Borrowed from \(library)")
    case (.had, let end?, _): return said("On loan from \(library) already until \(end)")
    case (.had, nil, _): return said("On loan from \(library) already")
    case (.waiting, _, let place?): return said("On hold at \(library), place \(place)")
    case (.waiting, _, nil): return said("On hold at \(library)")
    case (.waitingBefore, _, let place?):
      return said("On hold at \(library) already, place \(place)")
    case (.waitingBefore, _, nil): return said("On hold at \(library) already")
    case (.renewed, let end?, _): return said("Renewed at \(library) until \(end)")
    case (.renewed, nil, _): return said("Renewed at \(library)")
    case (.returned, _, _): return said("Given back to \(library)")
    case (.cancelled, _, _): return said("The hold at \(library) is canceled")
    }
  }
}
