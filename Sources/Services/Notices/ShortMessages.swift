import Circulation
package import Database
import Phrasebook
import Registry

/// The operator pays for short messages, so all gateways together send so many in a day, and few of
/// them to one patron.
package struct ShortMessageDay: Sendable, Hashable {
  package let sent: Int
  package let limit: Int

  package var isFull: Bool { sent >= limit }

  static let length: Int64 = 86_400_000

  static var table: [SQL] {
    [
      """
      CREATE TABLE notice_sms_day (
        day \(.integer) PRIMARY KEY, sent \(.integer) NOT NULL)\(.strictTable)
      """
    ]
  }
}

extension Notices {
  /// Of today, in UTC; nil where this gateway sends none.
  package func shortMessageDay() async throws(NoticeError) -> ShortMessageDay? {
    guard ways.has(.sms) else { return nil }
    let day = now() / ShortMessageDay.length
    let sent = try await read { snapshot throws(DatabaseError) in
      try snapshot.shortMessages(of: day)
    }
    return ShortMessageDay(sent: Int(sent), limit: settings.mostShortMessages)
  }

  /// Counts one more before it is sent, whatever it says and however that ends: who is paid for it
  /// may count it, too. How it ends instead, where a limit is reached.
  func countShortMessage(to patron: PatronID) async throws(NoticeError) -> TryEnd? {
    let (now, most) = (now(), Int64(settings.mostShortMessages))
    let day = now / ShortMessageDay.length
    let share = RateLimit(
      "notices-sms", of: [patron.rawValue], count: settings.mostShortMessagesOfPatron,
      span: ShortMessageDay.length, key: try await sealingKey())
    let seconds = try await write { tx throws(DatabaseError) -> Int? in
      let tomorrow = Int((day + 1) * ShortMessageDay.length - now) / 1000 + 1
      guard try tx.shortMessages(of: day) < most else { return tomorrow }
      if let seconds = try tx.count([share], at: now) { return seconds }
      try tx.execute(
        """
        INSERT INTO notice_sms_day (day, sent) VALUES (\(day), 1)
        ON CONFLICT (day) DO UPDATE SET sent = notice_sms_day.sent + 1
        """)
      try tx.execute("DELETE FROM notice_sms_day WHERE day < \(day - 30)")
      return nil
    }
    return seconds.map { .later(after: .seconds($0), .limit) }
  }
}

extension TryEnd.Failure {
  fileprivate static var limit: Self {
    Self(phrase("the limit of short messages of this day is reached"), isLimit: true)
  }
}

extension Snapshot {
  fileprivate func shortMessages(of day: Int64) throws(DatabaseError) -> Int64 {
    try first("SELECT sent FROM notice_sms_day WHERE day = \(day)") {
      row throws(DatabaseError) -> Int64 in try row[0]
    } ?? 0
  }
}
