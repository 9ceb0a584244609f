import Testing

@testable import Circulation

@Suite struct `The twelve states of a book` {
  /// Every move there is, spelled a second time by hand: from, by what, to.
  static let moves: [String] = [
    "none save saved", "none hold_placed waiting_for_loan", "none borrowed not_downloaded",
    "saved unsave none", "saved hold_placed waiting_for_loan", "saved borrowed not_downloaded",
    "waiting_for_loan hold_cancelled none", "waiting_for_loan offer_made loan_offered",
    "loan_offered borrowed not_downloaded", "loan_offered offer_declined none",
    "loan_offered offer_expired loan_offer_expired", "loan_offer_expired dismissed none",
    "not_downloaded queued download_queued", "not_downloaded download_started downloading",
    "not_downloaded returned none", "not_downloaded loan_expired loan_expired",
    "loan_expired dismissed none", "download_queued download_started downloading",
    "download_queued download_cancelled not_downloaded",
    "download_queued download_failed download_failed",
    "downloading download_completed download_completed",
    "downloading download_cancelled not_downloaded", "downloading download_failed download_failed",
    "download_failed queued download_queued", "download_failed download_started downloading",
    "download_failed returned none", "download_failed loan_expired loan_expired",
    "download_completed opened opened", "download_completed returned none",
    "download_completed loan_expired loan_expired", "opened returned none",
    "opened loan_expired loan_expired",
  ]

  @Test func `The twelve states of a book are twelve`() {
    #expect(BookState.allCases.count == 12)
  }

  @Test(arguments: BookState.allCases, BookEvent.allCases)
  func `The twelve states of a book move by the table and not otherwise`(
    state: BookState, event: BookEvent
  ) {
    let found = state.after(event).map { "\(state.rawValue) \(event.rawValue) \($0.rawValue)" }
    let listed = Self.moves.first { $0.hasPrefix("\(state.rawValue) \(event.rawValue) ") }
    #expect(found == listed)
  }

  @Test func `The twelve states of a book are all reached from none`() {
    var reached: Set<BookState> = [.none]
    var edge: [BookState] = [.none]
    while let state = edge.popLast() {
      for event in state.possibleEvents {
        if let next = state.after(event), reached.insert(next).inserted { edge.append(next) }
      }
    }
    #expect(reached == Set(BookState.allCases))
  }

  @Test(arguments: BookState.allCases)
  func `The twelve states of a book always leave a way back to none`(state: BookState) {
    var reached: Set<BookState> = [state]
    var edge = [state]
    while let state = edge.popLast() {
      for event in state.possibleEvents {
        if let next = state.after(event), reached.insert(next).inserted { edge.append(next) }
      }
    }
    #expect(reached.contains(.none))
  }
}
