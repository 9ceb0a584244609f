import Circulation
import Testing

@testable import Books

private let facts: [Fact] = [.nothing, .waiting, .offered, .missed, .lent, .ended]

@Suite struct `Following what a library says` {
  @Test(arguments: BookState.allCases, facts)
  func `Following what a library says goes by moves of the table, and comes to rest`(
    state: BookState, fact: Fact
  ) {
    for term in [Term.running, .over] {
      var current = state
      for event in state.way(towards: fact, term) {
        let next = current.after(event)
        #expect(next != nil, "\(current) has no \(event)")
        current = next ?? current
      }
      #expect(current.step(towards: fact, term) == nil, "\(state) \(fact) ends in \(current)")
    }
  }

  @Test(arguments: BookState.allCases)
  func `Following what a library says ends where the library says the book is`(state: BookState) {
    func end(_ fact: Fact, _ term: Term = .running) -> BookState {
      state.way(towards: fact, term).reduce(state) { $0.after($1) ?? $0 }
    }
    #expect(end(.lent).isOnLoan)
    #expect(end(.offered) == .loanOffered)
    #expect(end(.ended) == .loanExpired)
    // An offer that went by is told until the reader has seen it.
    #expect(end(.waiting) == (state == .loanOfferExpired ? .loanOfferExpired : .waitingForLoan))
    #expect(!end(.nothing).isOnLoan && end(.nothing) != .waitingForLoan)
    if state.isOnLoan {
      #expect(end(.nothing) == .none)
      #expect(end(.nothing, .over) == .loanExpired)
    }
  }

  @Test func `an offer that left the shelf is expired after its end and declined before it`() {
    #expect(BookState.loanOffered.way(towards: .nothing, .over) == [.offerExpired])
    #expect(BookState.loanOffered.way(towards: .nothing, .running) == [.offerDeclined])
    #expect(BookState.loanOffered.way(towards: .waiting, .over) == [.offerExpired])
    #expect(
      BookState.loanOffered.way(towards: .waiting, .running) == [.offerDeclined, .holdPlaced])
  }

  @Test func `Following what a library says breaks a download off before its loan ends`() {
    #expect(
      BookState.downloading.way(towards: .nothing, .over) == [.downloadCancelled, .loanExpired])
    #expect(
      BookState.downloadQueued.way(towards: .ended, .running) == [.downloadCancelled, .loanExpired])
  }
}
