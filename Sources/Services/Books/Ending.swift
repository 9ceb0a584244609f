package import Circulation
package import Database

/// A loan that its time ended, for whatever was downloaded of it to go as well.
package struct EndedLoan: Sendable, Hashable {
  package let patron: PatronID
  package let account: AccountID
  package let item: ItemID
}

extension MyBooks {
  /// Ends the loans and offers of all readers whose time is over, whether or not their libraries say
  /// so yet. In batches, so that nobody waits long for the database.
  package func passTime(
    batch: Int = 2_000
  ) async throws(DatabaseError) -> (loans: [EndedLoan], offers: Int) {
    let now = now()
    // A download under way is broken off first: the table knows no shorter way.
    try await each(batch) { tx throws(DatabaseError) in
      let broken = try tx.underDownload(at: now, batch)
      for loan in broken { try leaving(tx, loan.account, loan.item) }
      // One that is in no line any more is moved all the same.
      _ = try tx.end(.downloadCancelled, at: now, batch)
      return broken.count
    }
    var offers = 0
    try await each(batch) { tx throws(DatabaseError) in
      try tx.end(.offerExpired, at: now, batch).count
    } told: {
      offers += $0
    }
    var loans: [EndedLoan] = []
    while true {
      let ended = try await store.write { tx throws(DatabaseError) in
        let ended = try tx.end(.loanExpired, at: now, batch)
        for loan in ended { try leaving(tx, loan.account, loan.item) }
        return ended
      }
      loans += ended
      if ended.count < batch { return (loans, offers) }
    }
  }

  private func each(
    _ batch: Int,
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> Int,
    told: (Int) -> Void = { _ in }
  ) async throws(DatabaseError) {
    while true {
      let count = try await store.write(body)
      told(count)
      if count < batch { return }
    }
  }
}

extension Snapshot {
  fileprivate func underDownload(
    at now: Int64, _ batch: Int
  ) throws(DatabaseError) -> [EndedLoan] {
    let states = BookState.allCases.filter { $0.after(.downloadCancelled) != nil }.map(\.rawValue)
    return try rows(
      """
      SELECT patron, account, item FROM book
      WHERE due <= \(now) AND state IN (\(states)) AND account IS NOT NULL
      ORDER BY due LIMIT \(batch)
      """
    ) { row throws(DatabaseError) in
      EndedLoan(
        patron: PatronID(try row[0]), account: AccountID(try row[1]), item: ItemID(try row[2]))
    }
  }
}

extension Transaction {
  /// Moves what is over by one event of the table, from every state that has it.
  fileprivate func end(
    _ event: BookEvent, at now: Int64, _ batch: Int
  ) throws(DatabaseError) -> [EndedLoan] {
    var ended: [EndedLoan] = []
    for from in BookState.allCases {
      guard let next = from.after(event), ended.count < batch else { continue }
      ended += try rows(
        """
        UPDATE book SET state = \(next.rawValue), since = \(now) WHERE id IN (
          SELECT id FROM book WHERE due <= \(now) AND state = \(from.rawValue)
          ORDER BY due LIMIT \(batch - ended.count))
        RETURNING patron, account, item
        """
      ) { row throws(DatabaseError) in
        let account: String? = try row[1]
        return EndedLoan(
          patron: PatronID(try row[0]), account: AccountID(account ?? ""), item: ItemID(try row[2]))
      }
    }
    return ended
  }
}
