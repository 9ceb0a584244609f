package import Circulation
package import Database

/// What a patron may do with what stands in the line. A ticket of somebody else is not there at all.
extension DownloadQueue {
  /// Nil for all of the patron's.
  package func pause(
    _ id: Int64? = nil, of patron: PatronID
  ) async throws(DatabaseError) -> [Ticket] {
    try await change(id, patron) { ticket, now, tx throws(DatabaseError) in
      switch ticket.state {
      case .queued: try move(&ticket, to: .paused, at: now, tx)
      case .running:
        try move(&ticket, to: .paused, at: now, tx)
        // For the book it waits again, which is reached by way of not being fetched.
        try moved(tx, ticket, .downloadCancelled)
        try moved(tx, ticket, .queued)
      case .failed where ticket.nextAt != nil:
        ticket.nextAt = nil
        try move(&ticket, to: .paused, at: now, tx)
        try moved(tx, ticket, .queued)
      case .failed, .paused, .done: return false
      }
      return true
    }
  }

  /// Back to its old place.
  package func resume(
    _ id: Int64? = nil, of patron: PatronID
  ) async throws(DatabaseError) -> [Ticket] {
    try await change(id, patron) { ticket, now, tx throws(DatabaseError) in
      guard ticket.state == .paused else { return false }
      (ticket.nextAt, ticket.reason) = (nil, nil)
      try move(&ticket, to: .queued, at: now, tx)
      return true
    }
  }

  /// Another chance for what has failed, or is to be tried later.
  package func retry(
    _ id: Int64? = nil, of patron: PatronID
  ) async throws(DatabaseError) -> [Ticket] {
    try await change(id, patron) { ticket, now, tx throws(DatabaseError) in
      switch ticket.state {
      case .failed: try line(up: &ticket, at: now, tx)
      case .queued where ticket.nextAt != nil:
        (ticket.nextAt, ticket.reason) = (nil, nil)
        try move(&ticket, to: .queued, at: now, tx)
      case .queued, .running, .paused, .done: return false
      }
      return true
    }
  }

  /// Out of the line. What has failed is not tried again, and stays to be seen; what is done is done.
  package func cancel(
    _ id: Int64? = nil, of patron: PatronID
  ) async throws(DatabaseError) -> [Ticket] {
    try await change(id, patron) { ticket, now, tx throws(DatabaseError) in
      try take(out: &ticket, at: now, tx)
    }
  }

  /// For the end of a loan: whatever there is of it leaves the line, within the caller's own
  /// transaction, before the loan itself ends.
  package func withdraw(
    _ account: AccountID, _ item: ItemID, in tx: Transaction
  ) throws(DatabaseError) {
    let now = now()
    let tickets = try tx.rows(
      """
      SELECT \(Ticket.columns) FROM download
      WHERE account = \(account.rawValue) AND item = \(item.rawValue)
      """, Ticket.init)
    for var ticket in tickets {
      _ = try take(out: &ticket, at: now, tx)
      try tx.execute("DELETE FROM download WHERE id = \(ticket.id)")
    }
  }

  private func take(
    out ticket: inout Ticket, at now: Int64, _ tx: Transaction
  ) throws(DatabaseError) -> Bool {
    switch ticket.state {
    case .queued, .running, .paused:
      try tx.execute("DELETE FROM download WHERE id = \(ticket.id)")
      try moved(tx, ticket, .downloadCancelled)
    case .failed where ticket.nextAt != nil:
      ticket.nextAt = nil
      try move(&ticket, to: .failed, at: now, tx)
    case .failed, .done: return false
    }
    return true
  }

  private func change(
    _ id: Int64?, _ patron: PatronID,
    _ body: @escaping @Sendable (inout Ticket, Int64, Transaction) throws(DatabaseError) -> Bool
  ) async throws(DatabaseError) -> [Ticket] {
    let now = now()
    return try await store.write { tx throws(DatabaseError) in
      let tickets = try tx.rows(
        """
        SELECT \(Ticket.columns) FROM download WHERE patron = \(patron.rawValue)
        AND (\(id) IS NULL OR id = \(id)) ORDER BY place, id
        """, Ticket.init)
      var changed: [Ticket] = []
      for var ticket in tickets where try body(&ticket, now, tx) { changed.append(ticket) }
      return changed
    }
  }
}
