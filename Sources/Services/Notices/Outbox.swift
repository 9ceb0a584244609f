import Circulation
import Database
import Machine

/// What is to go out together by one channel, claimed.
struct Dispatch: Sendable {
  let channel: Channel
  /// Names what goes out, the same for each try.
  let batch: Int64
  let rows: [Row]

  struct Row: Sendable {
    let id: Int64
    let fact: KeptFact
    /// Counts the tries; who settles must know the last one.
    let turn: Int64
    let giveUpAt: Int64
  }
}

extension Notices {
  /// Keeps what is new of these facts, with a sending for each channel that wants it; tells how many
  /// were new.
  @discardableResult
  package func tell(_ facts: [Fact]) async throws(NoticeError) -> Int {
    var count = 0
    for start in stride(from: 0, to: facts.count, by: 100) {
      let part = Array(facts[start..<min(start + 100, facts.count)])
      count += try await write { tx throws(DatabaseError) in
        var news = 0
        for fact in part where try self.keep(fact, in: tx) != nil { news += 1 }
        return news
      }
    }
    return count
  }

  /// Nil where it is known.
  func keep(_ fact: Fact, in tx: Transaction) throws(DatabaseError) -> Int64? {
    let now = now()
    guard let id = try tx.insert(fact, at: now) else { return nil }
    for channel in try tx.channels(of: fact.patron)
    where channel.offBecause == nil && channel.isConfirmed && channel.wants(fact.kind) {
      let moment = channel.hours.moment(
        from: now, until: fact.until, clockwork(channel.hours.zone))
      try tx.addSending(
        of: id, by: channel.id, notBefore: moment,
        giveUpAt: max(now, moment) + fact.kind.patience.milliseconds)
    }
    return id
  }

  // MARK: - Claiming

  /// The next thing to be sent, with its lease; nil when there is none.
  func claim() async throws(NoticeError) -> Dispatch? {
    let now = now()
    let until = now + settings.lease.milliseconds
    // What is leased for longer than anybody leases was written by a clock that was ahead.
    let open: SQL = """
      (state = 'waiting' AND not_before <= \(now) OR state = 'sending' AND
        (leased_until <= \(now) OR leased_until > \(until + 30_000)))
      AND channel IN (SELECT id FROM notice_channel WHERE off_because IS NULL AND \(Channel.confirmed))
      """
    let isIdle = try await read { tx throws(DatabaseError) in
      try tx.first("SELECT 1 FROM notice_sending WHERE \(open) LIMIT 1") {
        _ throws(DatabaseError) in true
      } == nil
    }
    if isIdle { return nil }
    // While the vault is locked nothing is begun that could not be ended.
    _ = try await sealingKey()
    let most = settings.mostTogether
    do throws(DatabaseError) {
      return try await store.write(isolation: .readCommitted) { tx throws(DatabaseError) in
        let first = try tx.first(
          """
          SELECT id, channel, batch FROM notice_sending WHERE \(open)
          ORDER BY not_before, id LIMIT 1\(.skippingLocked)
          """
        ) { row throws(DatabaseError) -> (Int64, Int64, Int64?) in
          (try row[0], try row[1], try row[2])
        }
        guard let (id, number, batch) = first, let channel = try tx.channel(number) else {
          return nil
        }
        let also: SQL
        if let batch {
          also = "batch = \(batch)"
        } else if channel.hours.digest != nil {
          also = "batch IS NULL"
        } else {
          also = "id = \(id)"
        }
        let ids = try tx.rows(
          """
          SELECT id FROM notice_sending WHERE channel = \(number) AND \(also) AND \(open)
          ORDER BY id LIMIT \(most)\(.skippingLocked)
          """
        ) { row throws(DatabaseError) -> Int64 in try row[0] }
        guard let head = ids.first else { return nil }
        let name = batch ?? head
        try tx.execute(
          """
          UPDATE notice_sending SET state = 'sending', turn = turn + 1, leased_until = \(until),
            batch = \(name)
          WHERE id IN (\(ids))
          """)
        return Dispatch(channel: channel, batch: name, rows: try tx.dispatched(ids))
      }
    } catch {
      throw .database(error)
    }
  }
}
