import Circulation
import Machine
import MockKit
import Testing

extension Promise {
  static let shelving = [
    Promise("an empty shelf is an answer", [.shelf]) { visit in
      let shelf = try await visit.ada.shelf(in: visit.call)
      #expect(shelf == Shelf())
    },
    Promise("an answer without a word is no empty shelf", [.shelf]) { visit in
      _ = try visit.title()
      try visit.lend()
      _ = try await visit.ada.shelf(in: visit.call)
      visit.arm(.empty)
      let reason = try await refusal { try await visit.ada.shelf(in: visit.call) }
      #expect(reason?.leavesOutcomeOpen == true)
    },
    Promise("a full shelf comes whole", [.shelf]) { visit in
      let items = try visit.titles(1...60)
      try visit.inside { library, _ in
        library.change(Reader.ada.card) { ($0.loanLimit, $0.holdLimit) = (60, 60) }
      }
      for number in 1...40 { try visit.lend(number) }
      // One stranger cannot have as many.
      for number in 41...60 {
        try visit.inside { library, now in
          let stranger = "stranger-\(number)"
          library.add(Patron(card: stranger, pin: "", name: stranger))
          _ = try library.borrow(visit.id(number), by: stranger, at: now)
        }
        try visit.queue(number)
      }
      let shelf = try await visit.ada.shelf(in: visit.call)
      #expect(shelf.loans.count == 40)
      #expect(Set(shelf.loans.map(\.item)) == Set(items.prefix(40)))
      #expect(shelf.holds.count == 20)
      #expect(Set(shelf.holds.map(\.item)) == Set(items.suffix(20)))
    },
    Promise("readers do not see each other's loans and holds", [.shelf]) { visit in
      let items = try visit.titles(1...2)
      try visit.lend(1, to: .ada)
      try visit.lend(2, to: .bruno)
      try visit.queue(2, .ada)
      #expect(try await visit.bruno.shelf(in: visit.call).loans.map(\.item) == [items[1]])
      #expect(try await visit.bruno.shelf(in: visit.call).holds.isEmpty)
      #expect(try await visit.chinua.shelf(in: visit.call) == Shelf())
    },
    Promise("a title that left the catalogue stays on the shelf of who has it", [.shelf]) { visit in
      let items = try visit.titles(1...2)
      try visit.lend(1)
      try visit.lend(2)
      try visit.inside { library, _ in library.withdraw(visit.id(1)) }
      let shelf = try await visit.ada.shelf(in: visit.call)
      #expect(Set(shelf.loans.map(\.item)) == Set(items))
    },
    Promise(
      "an item is spelt alike wherever it is named", [.harvest, .search, .availability, .shelf]
    ) { visit in
      let item = try visit.title()
      try visit.lend()
      let call = visit.call
      #expect(try await visit.ada.harvest(from: nil, in: call).editions.map(\.item) == [item])
      let query = SearchQuery(words: "quillon")
      #expect(try await visit.ada.search(query, in: call).map(\.item) == [item])
      #expect(Array(try await visit.ada.availability(of: [item], in: call).keys) == [item])
      #expect(try await visit.ada.shelf(in: call).loans.map(\.item) == [item])
    },
    Promise("two accounts at once do not share tokens", [.shelf]) { visit in
      let items = try visit.titles(1...3)
      let readers: [Reader] = [.ada, .bruno, .chinua]
      for (index, reader) in readers.enumerated() { try visit.lend(index + 1, to: reader) }
      let turns = try (0..<12).map { try visit.desk(readers[$0 % 3]) }
      let found = try await concurrently(turns) { desk throws(CirculationError) in
        try await desk.shelf(in: visit.call).loans.map(\.item)
      }
      for (turn, loans) in found.enumerated() { #expect(loans == [items[turn % 3]]) }
    },
  ]

  static let accounts = [
    Promise("an account tells how much may be borrowed and waited for", [.shelf]) { visit in
      try visit.inside { library, _ in
        library.change(Reader.ada.card) { ($0.loanLimit, $0.holdLimit) = (7, 9) }
      }
      let standing = try await visit.ada.checkAccount(in: visit.call)
      #expect([nil, 7].contains(standing.loanLimit))
      #expect([nil, 9].contains(standing.holdLimit))
    },
    Promise("a wrong PIN is refused", [.shelf]) { visit in
      guard visit.house.turnsAway.contains(.wrongPIN) else { return try await visit.trusts() }
      for work in try visit.desk(.mistyped).questions(visit) {
        #expect(try await refusal(work) == .credentialsRejected)
      }
    },
    Promise("a wrong PIN is refused although the right one has just been used", [.shelf]) { visit in
      guard visit.house.turnsAway.contains(.wrongPIN) else { return try await visit.trusts() }
      _ = try await visit.ada.shelf(in: visit.call)
      for work in try visit.desk(.mistyped).questions(visit) {
        #expect(try await refusal(work) == .credentialsRejected)
      }
      _ = try await visit.ada.shelf(in: visit.call)
    },
    Promise("a card that has run out is told from a wrong one", [.shelf]) { visit in
      if visit.house.holdsBack.contains(.expiredCard) {
        return try await visit.holdsBack(.expired, .accountExpired)
      }
      guard visit.house.turnsAway.contains(.expiredCard) else { return try await visit.trusts() }
      for work in try visit.desk(.expired).questions(visit) {
        #expect(try await refusal(work) == .accountExpired)
      }
    },
    Promise("a blocked card is told from a wrong one", [.shelf]) { visit in
      if visit.house.holdsBack.contains(.blockedCard) {
        return try await visit.holdsBack(.blocked, .accountBlocked)
      }
      guard visit.house.turnsAway.contains(.blockedCard) else { return try await visit.trusts() }
      for work in try visit.desk(.blocked).questions(visit) {
        #expect(try await refusal(work) == .accountBlocked)
      }
    },
    Promise("a refused card borrows nothing", [.lending]) { visit in
      let item = try visit.title()
      let doubtful: [(House.Doubt, Reader)] = [
        (.wrongPIN, .mistyped), (.expiredCard, .expired), (.blockedCard, .blocked),
      ]
      for (doubt, reader) in doubtful where visit.house.turnsAway.contains(doubt) {
        let reason = try await refusal {
          try await visit.desk(reader).checkOut(item, as: nil, in: visit.call)
        }
        let due: [CirculationError.Reason] = [
          .credentialsRejected, .accountExpired, .accountBlocked,
        ]
        #expect(reason.map(due.contains) == true, "\(reader): \(reason?.code ?? "lent")")
      }
      #expect(visit.truth.loans.isEmpty)
    },
    Promise("a token that ran out is replaced without a word", [.shelf]) { visit in
      let item = try visit.title()
      try visit.lend()
      _ = try await visit.ada.shelf(in: visit.call)
      visit.arm(.tokenExpired, .first(1))
      #expect(try await visit.ada.shelf(in: visit.call).loans.map(\.item) == [item])
    },
  ]
}

extension Premises {
  /// Who is let in and gets nothing new sees the shelf, is told why, and is refused what is new.
  fileprivate func holdsBack(_ reader: Reader, _ reason: CirculationError.Reason) async throws {
    let item = try title()
    try queue(1, .bruno)
    let desk = try self.desk(reader)
    #expect(try await desk.shelf(in: call) == Shelf())
    let blocks = try await desk.checkAccount(in: call).blocks
    #expect(blocks.map(\.reason).contains(reason) && blocks.allSatisfy { !$0.sentence.isEmpty })
    let error = await #expect(throws: CirculationError.self) {
      _ = try await desk.placeHold(on: item, options: HoldOptions(), in: call)
    }
    #expect(error?.reason == reason)
    #expect(error?.explanation?.isEmpty == false)
    #expect(truth.hold(on: id(), by: reader.card) == nil)
  }

  /// Where the service takes the gateway's word for who somebody is, no PIN goes over the wire.
  fileprivate func trusts() async throws {
    for work in try desk(.mistyped).questions(self) { _ = try await refusal(work) }
    let pins = Set(Reader.allCases.map(\.pin))
    for request in requests.map(\.request) {
      let said = request.target + String(decoding: request.body, as: UTF8.self)
      #expect(!pins.contains { said.contains($0) })
    }
  }
}

extension CirculationProvider {
  /// The two things that are asked of an account most.
  fileprivate func questions(_ visit: Premises) -> [@Sendable () async throws -> Void] {
    [
      { _ = try await checkAccount(in: visit.call) }, { _ = try await shelf(in: visit.call) },
    ]
  }
}
