extension LendingLibrary {
  /// Runs everything that has fallen due, in its order: a loan that ended a day before an offer
  /// lapsed must have made that offer first.
  package mutating func tick(to now: Moment) {
    guard now > lastTick else { return }
    while let due = nextDue(), due <= now { run(at: due) }
    lastTick = now
  }

  /// When something next happens by itself.
  package func nextDue() -> Moment? {
    let ends = loans.map(\.until) + holds.compactMap(\.readyUntil)
    return (ends + holds.compactMap { $0.suspension?.until } + longSuspensions).min()
  }

  private var longSuspensions: [Moment] {
    holds.compactMap { hold in
      guard let suspension = hold.suspension, suspension.until == nil else { return nil }
      return suspension.since + rules.longestSuspension
    }
  }

  private mutating func run(at now: Moment) {
    var touched: [String] = []
    let ended = loans.filter { $0.until <= now }
    loans.removeAll { $0.until <= now }
    for loan in ended {
      touched.append(loan.title)
      titles[loan.title]?.changed = now
      lendAgain(after: loan, at: now)
    }

    holds.removeAll { hold in
      guard let suspension = hold.suspension, suspension.until == nil else { return false }
      return suspension.since + rules.longestSuspension <= now
    }
    for index in holds.indices {
      if let end = holds[index].suspension?.until, end <= now {
        holds[index].suspension = nil
        touched.append(holds[index].title)
      }
    }
    let missed = holds.filter { $0.readyUntil.map { $0 <= now } ?? false }
    for hold in missed {
      touched.append(hold.title)
      guard let index = holds.firstIndex(where: { $0.id == hold.id }) else { continue }
      switch rules.missedOffer {
      case .suspends:
        (holds[index].readyUntil, holds[index].copy) = (nil, nil)
        holds[index].suspension = Hold.Suspension(since: now, until: nil)
        holds[index].missedOffers += 1
      case .dropsHold: holds.remove(at: index)
      }
    }
    for title in touched { serveQueue(of: title, at: now) }
  }

  /// Whoever renews gets nothing more while the present loan lasts.
  private func stillHas(_ hold: Hold) -> Bool {
    hold.renews && loan(of: hold.title, by: hold.card) != nil
  }

  private mutating func lendAgain(after loan: Loan, at now: Moment) {
    guard let title = titles[loan.title], let mine = hold(on: loan.title, by: loan.card),
      mine.renews, mine.suspension == nil,
      !queue(for: loan.title).contains(where: { $0.id != mine.id })
    else { return }
    holds.removeAll { $0.id == mine.id }
    var next = Loan(
      title: loan.title, card: loan.card, since: now,
      until: rules.end(of: period(of: title.medium, for: loan.card), from: now))
    (next.renewals, next.copy) = (loan.renewals + 1, loan.copy)
    loans.append(next)
  }

  /// Hands free copies to those who wait, first come first served; a suspended hold is passed over
  /// and keeps its place.
  mutating func serveQueue(of id: String, at now: Moment) {
    while copiesAvailable(of: id) > 0,
      let index = holds.firstIndex(where: {
        $0.title == id && !$0.isReady && !$0.isInTransit && $0.suspension == nil && !stillHas($0)
      })
    {
      holds[index].copy = freeCopy(of: id)
      holds[index].readyUntil = rules.end(of: rules.offerPeriod, from: now)
      titles[id]?.changed = now
    }
  }
}
