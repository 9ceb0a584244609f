import Circulation
import Database
import JSON

/// Facts and sendings as rows.
extension Transaction {
  /// Nil where it is known.
  func insert(_ fact: Fact, at now: Int64) throws(DatabaseError) -> Int64? {
    try first(
      """
      INSERT INTO notice_fact (patron, kind, subject, change, matter, until, told_at)
      VALUES (\(fact.patron.rawValue), \(fact.kind.rawValue), \(fact.subject), \(fact.change),
        \(fact.matter.text), \(fact.until), \(now))
      ON CONFLICT (patron, kind, subject, change) DO NOTHING RETURNING id
      """
    ) { row throws(DatabaseError) -> Int64 in try row[0] }
  }

  func addSending(
    of fact: Int64, by channel: Int64, notBefore: Int64, giveUpAt: Int64
  ) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO notice_sending (fact, channel, state, not_before, give_up_at, turn)
      VALUES (\(fact), \(channel), 'waiting', \(notBefore), \(giveUpAt), 0)
      ON CONFLICT (fact, channel) DO NOTHING
      """)
  }
}

extension Snapshot {
  func channel(_ id: Int64) throws(DatabaseError) -> Channel? {
    try first("SELECT \(Channel.columns) FROM notice_channel WHERE id = \(id)", Channel.init(row:))
  }

  func dispatched(_ ids: [Int64]) throws(DatabaseError) -> [Dispatch.Row] {
    try rows(
      """
      SELECT f.id, f.patron, f.kind, f.subject, f.change, f.matter, f.until, f.told_at, f.read_at,
        s.id, s.turn, s.give_up_at
      FROM notice_sending s JOIN notice_fact f ON f.id = s.fact WHERE s.id IN (\(ids)) ORDER BY s.id
      """
    ) { row throws(DatabaseError) in
      Dispatch.Row(
        id: try row[9], fact: try KeptFact(row: row), turn: try row[10], giveUpAt: try row[11])
    }
  }
}

extension KeptFact {
  static var columns: SQL {
    "id, patron, kind, subject, change, matter, until, told_at, read_at"
  }

  init(row: borrowing Row) throws(DatabaseError) {
    let kind = NoticeKind(rawValue: try row[2]) ?? .test
    self.init(
      id: try row[0],
      fact: Fact(
        kind, for: PatronID(try row[1]), about: try row[3], change: try row[4],
        Matter(text: try row[5]), until: try row[6]),
      toldAt: try row[7], readAt: try row[8])
  }
}

extension Matter {
  private static let members: [(String, WritableKeyPath<Matter, String?> & Sendable)] = [
    ("title", \.title), ("library", \.library), ("card", \.card), ("format", \.format),
    ("pickup", \.pickup), ("channel", \.channel), ("reason", \.reason),
    ("deed", \.deed),
  ]

  /// What a database keeps: no zero stands in it, whatever a library wrote.
  var text: String {
    let found = Self.members.compactMap { name, path in
      self[keyPath: path].map { JSONObject.Member(name, .string($0.filter { $0 != "\0" })) }
    }
    return JSONValue.object(JSONObject(found)).text()
  }

  init(text: String) {
    self.init()
    guard let value = try? JSONValue(parsing: text) else { return }
    for (name, path) in Self.members { self[keyPath: path] = value[name]?.string }
  }
}
