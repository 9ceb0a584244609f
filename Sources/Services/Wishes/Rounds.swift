package import Circulation
package import Database
import Machine

/// How often libraries may be asked about wishes.
package struct AskingSettings: Sendable, Hashable {
  /// Never more often than this.
  package var every = Duration.seconds(3600)
  /// Questions a day for each hundred wishes.
  package var budget = 20
  /// Never less often than this, whatever the budget.
  package var atLeast = Duration.seconds(30 * 86_400)

  package init() {}
}

/// What one library is to be asked about the wishes of all its readers.
package struct LibraryWatch: Sendable, Hashable {
  package let library: LibraryID
  /// Wishes that this library may fulfil, each reader's for itself.
  package let wishes: Int
  /// When each was last asked about, by whomever; nil for never.
  package let items: [ItemID: Int64?]
  /// How many one question may name.
  package let batch: Int

  package init(_ library: LibraryID, wishes: Int, items: [ItemID: Int64?], batch: Int) {
    (self.library, self.wishes, self.items) = (library, wishes, items)
    self.batch = max(1, batch)
  }

  private static let day: Int64 = 86_400_000

  /// How far apart two looks at one item are, in milliseconds: as many whole rounds fit into a day as
  /// the budget pays for, and where it pays for none, as many days to a round as it takes.
  package func interval(_ settings: AskingSettings) -> Int64 {
    let cost = Int64(max(1, (items.count + batch - 1) / batch)) * 100
    let income = Int64(max(1, wishes)) * Int64(max(1, settings.budget))
    let paid =
      income >= cost
      ? (Self.day + income / cost - 1) / (income / cost)
      : (cost * Self.day + income - 1) / income
    return min(
      max(paid, settings.every.milliseconds),
      max(settings.atLeast.milliseconds, settings.every.milliseconds))
  }

  /// What to ask now, a question each; nothing while all was heard lately. A round begins when the
  /// oldest answer is as old as the interval, and then takes along what comes due before the next
  /// one, and whatever fills its last question: so all come to be asked together.
  func questions(
    at now: Int64, _ settings: AskingSettings, takesRound: Bool, takesNews: Bool
  ) -> [[ItemID]] {
    let interval = interval(settings)
    let new = items.filter { $0.value == nil }.map(\.key).sorted()
    var heard = items.compactMap { item, asOf in asOf.map { (item: item, asOf: $0) } }
    heard.sort { ($0.asOf, $0.item) < ($1.asOf, $1.item) }
    var asked = takesNews ? new : []
    if takesRound, let oldest = heard.first, oldest.asOf <= now - interval {
      asked += heard.prefix(while: { $0.asOf <= now - interval / 2 }).map(\.item)
    }
    guard !asked.isEmpty else { return [] }
    let room = (batch - asked.count % batch) % batch
    let known = Set(asked)
    asked += heard.lazy.filter { !known.contains($0.item) }.prefix(room).map(\.item)
    return asked.parts(of: batch)
  }
}

/// A round at one library, claimed: nobody else asks it now.
package struct Round: Sendable, Hashable {
  package let library: LibraryID
  package let questions: [[ItemID]]
  let turn: Int64
}

extension Wishes {
  /// What to ask this library now; nil where nothing is due, or somebody else asks it.
  package func round(
    at watch: LibraryWatch, _ settings: AskingSettings
  ) async throws(DatabaseError) -> Round? {
    let now = now()
    let library = watch.library.rawValue
    let row = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.first(
        "SELECT not_before, news_not_before, turn FROM wish_library WHERE library = \(library)"
      ) { row throws(DatabaseError) -> (Int64, Int64, Int64) in
        (try row[0], try row[1], try row[2])
      }
    }
    let questions = watch.questions(
      at: now, settings, takesRound: (row?.0 ?? 0) <= now, takesNews: (row?.1 ?? 0) <= now)
    guard !questions.isEmpty else { return nil }
    let (turn, until) = (row?.2 ?? 0, now + settings.every.milliseconds)
    // Until it is known how the round ended nobody begins another: whoever is killed in it costs one
    // pause and no second round.
    let claimed = try await store.write { tx throws(DatabaseError) in
      if row == nil {
        return try tx.execute(
          """
          INSERT INTO wish_library (library, asked_at, not_before, news_not_before, turn)
          VALUES (\(library), \(now), \(until), \(until), 1) ON CONFLICT (library) DO NOTHING
          """)
      }
      return try tx.execute(
        """
        UPDATE wish_library SET asked_at = \(now), not_before = \(until),
          news_not_before = \(until), turn = turn + 1
        WHERE library = \(library) AND turn = \(turn)
        """)
    }
    return claimed == 1
      ? Round(library: watch.library, questions: questions, turn: turn + 1) : nil
  }

  /// How a round ended. After silence, and for what was left unanswered, the library has its pause;
  /// after answers the ages of these tell when it is asked again.
  package func end(_ round: Round, isAnswered: Bool) async throws(DatabaseError) {
    guard isAnswered else { return }
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE wish_library SET not_before = 0, news_not_before = 0
        WHERE library = \(round.library.rawValue) AND turn = \(round.turn)
        """)
    }
  }
}
