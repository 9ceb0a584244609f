import Circulation
import Database
import FoundationEssentials
import Machine
import ReadingLists

// One at a time for each account: two who sync it at once would write everything twice.
extension Mirrors {
  func started(_ order: MirrorOrder) async throws(MirrorError) -> MirrorStanding {
    let (now, account) = (now(), order.account.rawValue)
    let until = now + settings.lease.milliseconds
    // So far ahead only a clock writes that was wrong.
    let farthest = until + 10 * settings.lease.milliseconds
    let took = try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        INSERT INTO mirror_account (account, patron, carries, busy_until, holder)
        VALUES (\(account), \(order.patron.rawValue), '', \(until), \(order.holder))
        ON CONFLICT (account) DO UPDATE SET busy_until = excluded.busy_until,
          holder = excluded.holder
        WHERE mirror_account.busy_until IS NULL OR mirror_account.busy_until <= \(now)
          OR mirror_account.busy_until > \(farthest)
        """) == 1
    }
    guard took else { throw .busy }
    do throws(DatabaseError) { return try await standing(of: order.account) } catch {
      throw .database(error)
    }
  }

  /// Whoever was silent for too long may find another in its place, and leaves the rest to that one.
  func renewLease(_ order: MirrorOrder) async throws(MirrorError) {
    let until = now() + settings.lease.milliseconds
    let isOurs = try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE mirror_account SET busy_until = \(until)
        WHERE account = \(order.account.rawValue) AND holder = \(order.holder)
        """) == 1
    }
    guard isOurs else { throw .busy }
  }

  func ended(
    _ order: MirrorOrder, begunAt begun: Int64, _ result: Result<MirrorOutcome, MirrorError>
  ) async throws(MirrorError) {
    let account = order.account.rawValue
    var (readAt, wholeAt, trouble): (Int64?, Int64?, String?)
    switch result {
    case .success(let outcome):
      trouble = outcome.trouble?.reason.code
      guard !order.isRehearsal else { break }
      readAt = begun
      wholeAt = outcome.wasWhole ? begun : nil
    case .failure(.service(let error)): trouble = error.reason.code
    case .failure: trouble = "unexpected"
    }
    let marks = (readAt, wholeAt, trouble)
    _ = try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE mirror_account SET busy_until = NULL, holder = NULL, trouble = \(marks.2),
          read_at = COALESCE(\(marks.0), read_at), whole_at = COALESCE(\(marks.1), whole_at)
        WHERE account = \(account) AND holder = \(order.holder)
        """)
      // A year is long enough to think better of a write.
      try tx.execute(
        """
        DELETE FROM mirror_write
        WHERE account = \(account) AND ended_at < \(begun - 400 * 86_400_000)
        """)
    }
  }

  // MARK: - The database, as an error of ours

  func read<T: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws(DatabaseError) -> T
  ) async throws(MirrorError) -> T {
    do throws(DatabaseError) { return try await store.read(body) } catch { throw .database(error) }
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> T
  ) async throws(MirrorError) -> T {
    do throws(DatabaseError) { return try await store.write(body) } catch {
      throw .database(error)
    }
  }
}
