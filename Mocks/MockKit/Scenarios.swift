extension Scenario {
  /// In the order of the list that `scenarios` prints. The first is the one nobody has to name.
  package static let all: [Scenario] = [
    threeCards, allOut, flaky, fines, expiredCard, outage, rateLimited, bigCatalogue, avidReaders,
  ]

  package static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

  /// One reader with nothing, one with loans and a place in a queue, one with a copy put aside.
  package static let threeCards: Scenario = {
    var scenario = Scenario(
      "three-cards", "three readers: nothing out, two loans and a hold, a hold that is ready")
    scenario.arrange = { library, now in
      let ids = library.order
      guard ids.count > 6 else { return }
      let (bruno, chinua) = ("23000000000002", "23000000000003")
      _ = try? library.borrow(ids[0], by: bruno, at: now)
      _ = try? library.borrow(ids[1], by: bruno, at: now)
      occupy(ids[5], in: &library, at: now)
      _ = try? library.placeHold(on: ids[5], by: bruno, at: now)
      // Returned while Chinua waited, so a copy lies ready.
      occupy(ids[6], in: &library, at: now)
      _ = try? library.placeHold(on: ids[6], by: chinua, email: "chinua@example.org", at: now)
      if let loan = library.loans.first(where: { $0.title == ids[6] }) {
        try? library.giveBack(ids[6], by: loan.card, at: now)
      }
    }
    return scenario
  }()

  /// Not one copy on the shelves, and people waiting for every title.
  package static let allOut: Scenario = {
    var scenario = Scenario("all-out", "every copy of every counted title is out, with a queue")
    scenario.arrange = { library, now in
      for id in library.order {
        occupy(id, in: &library, at: now)
        for card in ["crowd-90", "crowd-91"] {
          library.add(Patron(card: card, pin: "", name: card))
          library.change(card) { $0.holdLimit = .max }
          _ = try? library.placeHold(on: id, by: card, at: now)
        }
      }
    }
    return scenario
  }()

  /// Something goes wrong with one request in five, never the same thing twice in a row for long.
  package static let flaky: Scenario = {
    var scenario = Scenario("flaky", "errors, breaks and delays now and then, by the seed")
    let kinds: [(String, Fault.Kind)] = [
      ("flaky-error", .status(500)), ("flaky-gateway", .wrongType), ("flaky-reset", .reset),
      ("flaky-slow", .latency(milliseconds: 50, jitter: 50)), ("flaky-cut", .limitBytes(20)),
    ]
    for (name, kind) in kinds {
      var fault = Fault(name: name, kind: kind)
      fault.probability = 0.04
      scenario.faults.append(fault)
    }
    return scenario
  }()

  /// The second card owes money.
  package static let fines: Scenario = {
    var scenario = Scenario("fines", "the second card is blocked for unpaid fines")
    scenario.cards[1].block = .fines
    return scenario
  }()

  package static let expiredCard: Scenario = {
    var scenario = Scenario("expired-card", "the third card has run out")
    scenario.cards[2].expires = Moment(milliseconds: 0)
    return scenario
  }()

  /// Nothing but errors. Take the fault away and it is over.
  package static let outage: Scenario = {
    var scenario = Scenario(
      "outage", "every request is answered with 503 until the fault is taken away")
    scenario.faults = [Fault(name: "outage", kind: .status(503))]
    return scenario
  }()

  package static let rateLimited: Scenario = {
    var scenario = Scenario(
      "rate-limited", "every third request is told to come back in two seconds")
    var fault = Fault(name: "rate-limited", kind: .rateLimit(retryAfter: 2))
    fault.count = .every(3)
    scenario.faults = [fault]
    return scenario
  }()

  package static let bigCatalogue: Scenario = {
    var scenario = Scenario("big-catalogue", "five thousand titles, for crawls and searches")
    scenario.titles = 5000
    scenario.listed = 5000
    return scenario
  }()

  /// Longer than any service's page, with friends who read.
  package static let avidReaders: Scenario = {
    var scenario = Scenario("avid-readers", "readers with hundreds of books on their lists")
    (scenario.titles, scenario.listed) = (460, 430)
    return scenario
  }()

  /// Lends all copies of a title to people nobody knows.
  private static func occupy(_ id: String, in library: inout LendingLibrary, at now: Moment) {
    guard case .counted(let owned) = library.titles[id]?.copies else { return }
    for card in crowd(owned, into: &library) {
      library.change(card) { $0.loanLimit = .max }
      _ = try? library.borrow(id, by: card, at: now)
    }
  }
}
