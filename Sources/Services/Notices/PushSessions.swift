package import Circulation
package import Database

/// Push channels of browsers end with the session that they were added in: a browser that was signed
/// out shows no titles. A session that only expired ends none.
extension Transaction {
  /// Channels that were added before sessions were noted end when the patron is signed out everywhere.
  /// A `successor` takes the channels over.
  package func endPush(
    of patron: PatronID, sessions: [String], successor: String?, isEverywhere: Bool
  ) throws(DatabaseError) {
    if let successor {
      try execute(
        """
        UPDATE notice_channel SET session = \(successor)
        WHERE patron = \(patron.rawValue) AND session IN (\(sessions))
        """)
      return
    }
    let ended = try rows(
      """
      SELECT id, length(sealed) FROM notice_channel
      WHERE patron = \(patron.rawValue) AND medium = \(Carrier.push.rawValue)
        AND (session IN (\(sessions)) OR \(isEverywhere))
      """
    ) { row throws(DatabaseError) -> (id: Int64, length: Int) in
      (id: try row[0], length: try row[1])
    }
    for channel in ended { try remove(channel: channel.id, length: channel.length) }
  }

  /// Overwritten at the same length first, so that the page of the file no longer has it either.
  func remove(channel id: Int64, length: Int) throws(DatabaseError) {
    try execute(
      """
      UPDATE notice_channel SET sealed = \([UInt8](repeating: 0, count: length)) WHERE id = \(id)
      """)
    try execute("DELETE FROM notice_sending WHERE channel = \(id)")
    try execute("DELETE FROM notice_channel WHERE id = \(id)")
  }
}

extension Notices {
  /// The browser with this channel has another session now.
  package func bind(
    _ name: String, of patron: PatronID, to session: String
  ) async throws(NoticeError) {
    try await decide { tx throws(DatabaseError) -> Result<Void, NoticeError> in
      try tx.execute(
        """
        UPDATE notice_channel SET session = \(session)
        WHERE patron = \(patron.rawValue) AND folded_name = \(Self.folded(name))
          AND medium = \(Carrier.push.rawValue)
        """)
      return .success(())
    }
  }
}
