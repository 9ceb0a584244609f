package import Circulation
import Database
package import Machine

/// A notice as its reader sees it.
package struct InboxNotice: Sendable, Hashable {
  package let kept: KeptFact
  package let wording: Wording
}

/// One line of the delivery log.
package struct SendingRecord: Sendable, Hashable {
  package let channel: String
  package let kind: NoticeKind
  /// waiting, sending, sent, failed or dropped.
  package let state: String
  package let tries: Int
  /// In milliseconds since 1970: when it ended, or when it is tried next.
  package let at: Int64
  package let note: String?
}

extension Notices {
  /// The newest first. The inbox is the reader's own: titles are named in it.
  package func inbox(
    of patron: PatronID, onlyUnread: Bool, limit: Int = 200
  ) async throws(NoticeError) -> [InboxNotice] {
    let unread: SQL = onlyUnread ? "AND read_at IS NULL" : ""
    let kept = try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(KeptFact.columns) FROM notice_fact
        WHERE patron = \(patron.rawValue) AND kind <> \(NoticeKind.test.rawValue) \(unread)
        ORDER BY told_at DESC, id DESC LIMIT \(limit)
        """, KeptFact.init(row:))
    }
    let east = clockwork(nil)
    return kept.map { InboxNotice(kept: $0, wording: Wording($0.fact, tellsTitles: true, east)) }
  }

  /// What the badge shows.
  package func unreadCount(of patron: PatronID) async throws(NoticeError) -> Int {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.value(
        """
        SELECT count(*) FROM notice_fact
        WHERE patron = \(patron.rawValue) AND kind <> \(NoticeKind.test.rawValue)
          AND read_at IS NULL
        """)
    }
  }

  /// Tells how many were unread.
  @discardableResult
  package func readAll(of patron: PatronID) async throws(NoticeError) -> Int {
    let now = now()
    return try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE notice_fact SET read_at = \(now)
        WHERE patron = \(patron.rawValue) AND kind <> \(NoticeKind.test.rawValue)
          AND read_at IS NULL
        """)
    }
  }

  /// What went out by the reader's channels, and what did not; the newest first.
  package func log(
    of patron: PatronID, limit: Int = 200
  ) async throws(NoticeError) -> [SendingRecord] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT c.name, f.kind, s.state, s.turn, COALESCE(s.settled_at, s.not_before), s.note
        FROM notice_sending s JOIN notice_channel c ON c.id = s.channel
          JOIN notice_fact f ON f.id = s.fact
        WHERE c.patron = \(patron.rawValue) ORDER BY s.id DESC LIMIT \(limit)
        """
      ) { row throws(DatabaseError) in
        SendingRecord(
          channel: try row[0], kind: NoticeKind(rawValue: try row[1]) ?? .test, state: try row[2],
          tries: try row[3], at: try row[4], note: try row[5])
      }
    }
  }

  /// Forgets what is so old that nobody reports it any more.
  package func tidy() async throws(NoticeError) {
    let oldest = now() - settings.memory.milliseconds
    try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        DELETE FROM notice_sending
        WHERE fact IN (SELECT id FROM notice_fact WHERE told_at < \(oldest))
        """)
      try tx.execute("DELETE FROM notice_fact WHERE told_at < \(oldest)")
    }
  }
}
