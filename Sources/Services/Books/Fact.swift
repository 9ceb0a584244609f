package import Circulation

/// What the library says of one title, held against its own clock.
package enum Fact: Sendable, Hashable {
  /// Neither a loan nor a hold.
  case nothing
  case waiting
  case offered
  /// The offer went by.
  case missed
  case lent
  /// Still listed, though its time is over.
  case ended
}

/// Whether the time of a loan or an offer is over by the library's clock.
package enum Term: Sendable, Hashable { case running, over }

extension BookState {
  /// The next thing that must have happened to a book in this state for the library to say what it
  /// says; nil where the two agree. One step at a time, so that nothing ever leaves the table.
  package func step(towards fact: Fact, _ term: Term) -> BookEvent? {
    if isOnLoan {
      switch fact {
      case .lent: return nil
      case .ended: return leaving(.over)
      case .nothing, .waiting, .offered, .missed: return leaving(term)
      }
    }
    switch (fact, self) {
    case (.nothing, .waitingForLoan): return .holdCancelled
    case (.nothing, .loanOffered): return term == .over ? .offerExpired : .offerDeclined
    case (.nothing, _): return nil
    case (.waiting, .loanOffered): return term == .over ? .offerExpired : .offerDeclined
    // That an offer was missed is told until the reader has seen it, also where they wait on.
    case (.waiting, .waitingForLoan), (.waiting, .loanOfferExpired): return nil
    case (.offered, .loanOffered): return nil
    case (.missed, .loanOffered): return .offerExpired
    case (.missed, .loanOfferExpired), (.missed, .loanExpired): return nil
    case (.ended, .loanExpired): return nil
    case (.lent, .loanOffered), (.ended, .loanOffered): return .borrowed
    case (_, .loanOfferExpired), (_, .loanExpired): return .dismissed
    case (_, .waitingForLoan): return .offerMade
    case (.lent, _), (.ended, _): return .borrowed
    case (.waiting, _), (.offered, _), (.missed, _): return .holdPlaced
    }
  }

  private func leaving(_ term: Term) -> BookEvent {
    switch self {
    case .downloadQueued, .downloading: .downloadCancelled
    default: term == .over ? .loanExpired : .returned
    }
  }

  /// The whole way.
  package func way(towards fact: Fact, _ term: Term) -> [BookEvent] {
    var (state, events) = (self, [BookEvent]())
    // No way is longer; the bound is for a table that was changed without this one.
    while events.count < 8, let event = state.step(towards: fact, term),
      let next = state.after(event)
    {
      events.append(event)
      state = next
    }
    return events
  }
}
