package import Circulation
import Database

// How soon the outcome of an unconfirmed command is known. That a library's shelf shows the effect is
// believed at once. That it does not is believed only when nothing can arrive there any more: a
// request that was sent before a crash may still be on its way (`travel`), and until its deadline a
// living process may still send it. Of a process that has ended nothing more is sent. A client that
// repeats its request does not wait for that: see RepeatedCommand.swift.

extension Desk {
  /// Accounts with unconfirmed commands whose library is to be asked now: at once where the process
  /// has ended, then at growing intervals, and again when nothing can arrive any more.
  package func accountsToSettle() async throws(DeskError) -> [AccountID] {
    let now = tick()
    try await endRepeats(at: now)
    let open = try await kept { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(Intent.columns),
          (SELECT tried_at FROM desk_account a WHERE a.account = desk_intent.account),
          (SELECT good_at FROM desk_account a WHERE a.account = desk_intent.account)
        FROM desk_intent WHERE state = 'open' ORDER BY id
        """
      ) { row throws(DatabaseError) -> (Intent, Intent.Asked) in
        (try Intent(row: row), Intent.Asked(triedAt: try row[15], goodAt: try row[16]))
      }
    }
    let ended = open.map(\.0).filter(hasEnded)
    try await shortenWaits(of: ended)
    let due = open.filter { intent, asked in
      intent.verb != nil && (ended.contains(intent) || intent.isDue(at: now, asked))
    }
    return due.map(\.0.account).distinct
  }

  /// The same for one account, before its library is asked.
  func shortenWaits(of account: AccountID) async throws(DeskError) {
    guard run?.process != nil else { return }
    let open = try await kept { snapshot throws(DatabaseError) in
      try snapshot.openIntents(of: account)
    }
    try await shortenWaits(of: open.filter(hasEnded))
  }

  /// What was sent before its process ended may take its time to travel from now on, and no more.
  private func shortenWaits(of ended: [Intent]) async throws(DeskError) {
    if ended.isEmpty { return }
    let (now, travel) = (tick(), milliseconds(settings.travel))
    try await saving { tx throws(DatabaseError) in
      for intent in ended {
        // Only the first who notices it may: the time counts from then, whoever looks later.
        try tx.execute(
          """
          UPDATE desk_intent SET process = \(Intent.endedProcess),
            arrives_until = \(min(intent.arrivesUntil, now.date + travel)),
            arrives_until_age = \(min(intent.arrivesUntilAge, now.age + travel))
          WHERE id = \(intent.id) AND process = \(intent.process)
          """)
      }
    }
  }

  private func hasEnded(_ intent: Intent) -> Bool {
    guard let run, let process = intent.process, process != Intent.endedProcess,
      intent.run == run.name
    else { return false }
    return run.hasEnded(process)
  }
}

extension Intent {
  /// When the account's library was last asked, and when it was asked what it last answered.
  struct Asked: Sendable {
    let triedAt: Int64?
    let goodAt: Int64?
  }

  /// A command that runs is left alone for so long; most have ended by then.
  private static let patience: Int64 = 2_000
  private static let intervals: ClosedRange<Int64> = 1_000...60_000

  func isDue(at now: Tick, _ asked: Asked) -> Bool {
    let age = now.date - writtenAt
    // A clock was set back: then it says nothing, and asking does no harm.
    guard age >= 0, let triedAt = asked.triedAt, triedAt >= writtenAt, triedAt <= now.date else {
      return age < 0 || age >= Self.patience
    }
    let interval = min(
      max((triedAt - writtenAt) / 2, Self.intervals.lowerBound), Self.intervals.upperBound)
    if now.date - triedAt >= interval { return true }
    // The first answer to a question of after that decides; one question more may have been too soon.
    let end = now.date - sinceArrival(at: now)
    return now.date - triedAt >= Self.intervals.lowerBound && !mayArrive(at: now)
      && (asked.goodAt ?? 0) <= end && triedAt <= end + Self.intervals.lowerBound
  }

  /// For how long nothing can have arrived any more.
  private func sinceArrival(at now: Tick) -> Int64 {
    if let run, run == now.run { return now.age - arrivesUntilAge }
    return now.date - arrivesUntil - now.doubt
  }
}
