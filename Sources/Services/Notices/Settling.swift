import Circulation
import Database
import Machine

extension Notices {
  /// Writes down how a try ended. False when another has taken over meanwhile: then the other's word
  /// counts.
  @discardableResult
  func settle(_ dispatch: Dispatch, _ end: TryEnd) async throws(NoticeError) -> Bool {
    let now = now()
    let pauses = settings.pauses
    let jitter = 0.8 + 0.4 * jitter()
    let longest = settings.longestFailure.milliseconds
    let east = clockwork(dispatch.channel.hours.zone)
    return try await write { tx throws(DatabaseError) in
      var counts = false
      for row in dispatch.rows {
        let mine: SQL = "id = \(row.id) AND turn = \(row.turn) AND state = 'sending'"
        var (state, note): (String, String?) = ("sent", nil)
        var next: Int64?
        switch end {
        case .taken: break
        case .refused(let why), .gone(let why): (state, note) = ("failed", why.note)
        case .later(let after, let why):
          let pause = pauses[min(Int(row.turn) - 1, pauses.count - 1)]
          let wait = max(after ?? .zero, pause * jitter)
          let moment = dispatch.channel.hours.retry(
            at: now + wait.milliseconds, now: now, until: row.fact.fact.until, east)
          note = why.note
          if moment > row.giveUpAt {
            state = "failed"
          } else if let end = row.fact.fact.until, moment >= end {
            state = "dropped"
          } else {
            (state, next) = ("waiting", moment)
          }
        }
        let settled: Int64? = next == nil ? now : nil
        counts =
          try tx.execute(
            """
            UPDATE notice_sending SET state = \(state), note = \(note), leased_until = NULL,
              not_before = COALESCE(\(next), not_before), settled_at = \(settled)
            WHERE \(mine)
            """) == 1 || counts
      }
      if counts { try self.judge(dispatch.channel, end, at: now, longest, in: tx) }
      return counts
    }
  }

  /// A channel that leads nowhere is switched off, and the inbox says so.
  private func judge(
    _ channel: Channel, _ end: TryEnd, at now: Int64, _ longest: Int64, in tx: Transaction
  ) throws(DatabaseError) {
    var reason: String?
    switch end {
    // That says nothing of where the channel leads.
    case .refused(let why) where why.isLimit, .later(_, let why) where why.isLimit: return
    case .taken:
      try tx.execute(
        """
        UPDATE notice_channel SET failing_since = NULL
        WHERE id = \(channel.id) AND failing_since IS NOT NULL
        """)
    case .gone(let why): reason = why.told
    case .refused(let why), .later(_, let why):
      try tx.execute(
        """
        UPDATE notice_channel SET failing_since = COALESCE(failing_since, \(now))
        WHERE id = \(channel.id)
        """)
      let since: Int64? = try tx.value(
        "SELECT failing_since FROM notice_channel WHERE id = \(channel.id)")
      if let since, now - since > longest { reason = why.told }
    }
    guard let reason else { return }
    let wasOn =
      try tx.execute(
        """
        UPDATE notice_channel SET off_because = \(reason)
        WHERE id = \(channel.id) AND off_because IS NULL
        """) == 1
    guard wasOn else { return }
    try tx.execute(
      """
      UPDATE notice_sending SET state = 'dropped', settled_at = \(now), leased_until = NULL,
        note = 'the channel was switched off'
      WHERE channel = \(channel.id) AND state IN ('waiting', 'sending')
      """)
    var matter = Matter()
    (matter.channel, matter.reason) = (channel.name, reason)
    // Told in the inbox, and by the reader's other channels: they learn of it at once.
    _ = try keep(
      Fact(
        .channelOff, for: channel.patron, about: "\(channel.id)", change: "\(now)", matter), in: tx)
  }
}
