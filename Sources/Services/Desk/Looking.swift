import Circulation
import Database

/// What the shelf is worth after it was held against what the desk itself knows.
struct Belief: Sendable {
  /// The provider's, but for titles of which the desk knows something newer.
  let shelf: Shelf
  /// Those titles.
  let newer: Set<ItemID>
  /// The provider's answer as it came.
  let answer: Shelf
  let settled: [SettledCommand]
}

extension Belief {
  /// Where nobody but the desk keeps a shelf.
  fileprivate init(kept shelf: Shelf) {
    self.init(shelf: shelf, newer: [], answer: shelf, settled: [])
  }
}

/// Which open commands a look at the shelf may settle. Their readers are told by a sync; a look in
/// passing keeps to what its own reader is about to hear.
enum Scope: Sendable {
  case everything
  case only(ItemID)
  case nothing

  func covers(_ item: ItemID) -> Bool {
    switch self {
    case .everything: true
    case .only(let one): one == item
    case .nothing: false
    }
  }
}

/// What was settled so lately that an answer may not know of it.
private struct Settled {
  /// Titles of which the desk knows better.
  let newer: Set<ItemID>
  /// Titles where the answer either lags or shows an open command: it is shown as it stands, and
  /// the command stays in doubt until a later look.
  let contested: Set<ItemID>
}

extension Desk {
  /// Asks for the shelf and puts it in the place of what was kept.
  func look(at lender: Lender, in call: Call, settling scope: Scope)
    async throws(DeskError) -> Belief
  {
    if lender.isOpen {
      return Belief(kept: try await kept(by: lender))
    }
    if case .nothing = scope {} else { try await shortenWaits(of: lender.account) }
    let question = try await question(about: lender.account)
    let shelf = try await asked { () throws(CirculationError) in
      try await lender.shelf(in: call)
    }
    guard try await isSuspicious(shelf, of: lender.account) else {
      let sealed = await sealed(shelf, of: lender.account)
      return try await believe(sealed, question, settling: scope)
    }
    // Some services answer so while they start. Only what is empty twice is.
    let again = try await asked { () throws(CirculationError) in
      try await lender.shelf(in: call)
    }
    let sealed = await sealed(again.filled(from: shelf), of: lender.account)
    return try await believe(sealed, question, settling: scope)
  }

  func question(about account: AccountID) async throws(DeskError) -> Question {
    let at = tick()
    if let turn = try await kept({ tx throws(DatabaseError) in try tx.turn(of: account) }) {
      return Question(account: account, at: at, turn: turn)
    }
    try await saving(of: account) { tx throws(DatabaseError) in try tx.begin(account) }
    return Question(account: account, at: at, turn: 0)
  }

  /// Whether it is suddenly empty where something was, or where a command waits for its proof.
  private func isSuspicious(_ shelf: Shelf, of account: AccountID) async throws(DeskError) -> Bool {
    guard shelf.loans.isEmpty || shelf.holds.isEmpty else { return false }
    return try await kept { tx throws(DatabaseError) in
      if try !tx.openIntents(of: account).isEmpty { return true }
      let taken = try tx.taken(of: account)
      let loans = try tx.loans(of: [account]).filter { !taken.contains($0.loan.item) }
      if shelf.loans.isEmpty, !loans.isEmpty { return true }
      if shelf.holds.isEmpty { return try !tx.holds(of: [account]).isEmpty }
      return false
    }
  }

  /// Puts a good answer in the place of what was kept. What a command settled since the question
  /// was asked is newer than the answer, and stays; so does what was settled a moment before it
  /// where the answer does not show it yet, as providers answer from copies that lag behind.
  func believe(_ shelf: Shelf, _ question: Question, settling scope: Scope)
    async throws(DeskError) -> Belief
  {
    let (now, lag) = (tick(), milliseconds(settings.lag))
    let over = now.date + ahead(question.account)
    return try await saving { tx throws(DatabaseError) in
      let account = question.account
      let loans = try tx.loans(of: [account]).map(\.loan)
      let holds = try tx.holds(of: [account]).map(\.hold)
      guard try tx.accept(question) else {
        return Belief(
          shelf: Shelf(loans: loans, holds: holds),
          newer: Set(
            loans.map(\.item) + holds.map(\.item) + shelf.loans.map(\.item)
              + shelf.holds.map(\.item)), answer: shelf, settled: [])
      }
      let known = try tx.itemsSettled(after: question, lag: lag, against: shelf, scope)
      // An answer that lags behind is no reason to keep what has run out by the library's own clock.
      let newer = known.newer.subtracting(
        loans.filter { ($0.until?.milliseconds ?? .max) <= over }.map(\.item))
      let taken = try tx.taken(of: account).subtracting(newer)
        .subtracting(shelf.loans.map(\.item))
      let truth = Shelf(
        loans: shelf.loans.filter { !newer.contains($0.item) }
          + loans.filter { newer.contains($0.item) || taken.contains($0.item) },
        holds: shelf.holds.filter { !newer.contains($0.item) }
          + holds.filter { newer.contains($0.item) })
      for loan in loans where truth.loan(of: loan.item) == nil {
        try tx.dropLoan(of: loan.item, on: account)
      }
      for hold in holds where truth.hold(on: hold.item) == nil {
        try tx.dropHold(on: hold.item, on: account)
      }
      for loan in truth.loans where !newer.contains(loan.item) {
        try tx.keep(loan, of: account, asOf: question.at.date)
      }
      for hold in truth.holds where !newer.contains(hold.item) {
        try tx.keep(hold, of: account, asOf: question.at.date)
      }
      try tx.note(account, goodAt: question.at.date, triedAt: now.date, trouble: nil)
      let settled = try tx.settleOpen(
        by: Belief(
          shelf: truth, newer: newer.union(known.contested), answer: shelf, settled: []),
        question, scope, at: now)
      return Belief(shelf: truth, newer: newer, answer: shelf, settled: settled)
    }
  }
}

extension Transaction {
  /// What was settled after the question, or a moment before it and is not to be seen in the
  /// answer.
  fileprivate func itemsSettled(
    after question: Question, lag: Int64, against shelf: Shelf, _ scope: Scope
  ) throws(DatabaseError) -> Settled {
    // Both ends: after a clock went back, what was settled "tomorrow" must not stay for a day.
    let (low, high) = (question.at.date - lag, question.at.date + lag)
    let (run, age) = (question.at.run ?? "", question.at.age - lag)
    let later = try rows(
      """
      SELECT item FROM desk_intent
      WHERE account = \(question.account.rawValue) AND state = 'done'
        AND settled_turn > \(question.turn)
      """
    ) { row throws(DatabaseError) in ItemID(try row[0]) }
    let recent = try rows(
      """
      SELECT \(Intent.columns) FROM desk_intent
      WHERE account = \(question.account.rawValue) AND state = 'done'
        AND CASE WHEN settled_run = \(run) THEN settled_age > \(age)
          ELSE settled_at > \(low) AND settled_at <= \(high) END
      ORDER BY settled_turn, id
      """, Intent.init(row:))
    // Of several commands on one title the last one counts.
    let last = Dictionary(recent.map { ($0.item, $0) }) { $1 }
    let unseen = last.filter { $0.value.isFulfilled(on: shelf) != true }.keys
    // A second look comes so soon that the shelf may lag. A sync comes later: there an open command
    // that is to be seen may explain why an older one is not.
    guard case .everything = scope else {
      return Settled(newer: Set(later).union(unseen), contested: [])
    }
    let explained = try openIntents(of: question.account).filter { intent in
      intent.turn <= question.turn && intent.isFulfilled(on: shelf) == true
    }.map(\.item)
    return Settled(
      newer: Set(later).union(Set(unseen).subtracting(explained)),
      contested: Set(unseen).intersection(explained))
  }

  /// What the shelf shows happened; what it does not show did not, once nothing can be under way.
  fileprivate func settleOpen(
    by belief: Belief, _ question: Question, _ scope: Scope, at now: Tick
  ) throws(DatabaseError) -> [SettledCommand] {
    var settled: [SettledCommand] = []
    for intent in try openIntents(of: question.account) {
      guard let verb = intent.verb, scope.covers(intent.item) else { continue }
      // Written after the question: the answer knows nothing of it.
      guard intent.turn <= question.turn, !belief.newer.contains(intent.item) else { continue }
      if try restart(intent, at: question.at) { continue }
      let happened = intent.isFulfilled(on: belief.shelf)
      guard happened == true || !intent.mayArrive(at: question.at) else { continue }
      let state: Intent.State = happened.map { $0 ? .done : .lapsed } ?? .untold
      _ = try settle(intent, as: state, at: now)
      settled.append(SettledCommand(item: intent.item, verb: verb, happened: happened))
    }
    return settled
  }

  /// An intent from the future: the clock was set back. Its time to arrive counts from now.
  private func restart(_ intent: Intent, at now: Tick) throws(DatabaseError) -> Bool {
    guard intent.isFromTheFuture(at: now) else { return false }
    let travel = intent.arrivesUntil - intent.writtenAt
    try execute(
      """
      UPDATE desk_intent SET written_at = \(now.date), arrives_until = \(now.date + travel),
        run = \(now.run), arrives_until_age = \(now.age + travel)
      WHERE id = \(intent.id)
      """)
    return true
  }
}

extension Shelf {
  /// With an earlier answer's titles where this one has none.
  fileprivate func filled(from earlier: Shelf) -> Shelf {
    var filled = self
    if loans.isEmpty { filled.loans = earlier.loans }
    if holds.isEmpty { filled.holds = earlier.holds.filter { loan(of: $0.item) == nil } }
    return filled
  }
}
