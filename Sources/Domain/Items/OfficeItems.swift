package import JSON

/// A reader who looks after the gateway.
package struct OperatorItem: Sendable, Hashable {
  package let reader: String
  package let since: String
  /// Whether the command changed anything.
  package let changed: Bool

  package init(reader: String, since: String, changed: Bool = false) {
    (self.reader, self.since, self.changed) = (reader, since, changed)
  }

  package var json: JSONValue {
    ["reader": .string(reader), "since": .string(since), "changed": .bool(changed)]
  }
}

/// What was forgotten of a reader.
package struct PurgeItem: Sendable, Hashable {
  package struct Part: Sendable, Hashable {
    package let what: String
    package let rows: Int

    package init(what: String, rows: Int) { (self.what, self.rows) = (what, rows) }
  }

  package let reader: String
  package let accounts: Int
  /// Loans that go on at the libraries.
  package let loansLeft: Int
  package let removed: [Part]

  package init(reader: String, accounts: Int, loansLeft: Int, removed: [Part]) {
    (self.reader, self.accounts, self.loansLeft) = (reader, accounts, loansLeft)
    self.removed = removed
  }

  package var rows: Int { removed.reduce(0) { $0 + $1.rows } }

  package var json: JSONValue {
    [
      "reader": .string(reader), "accounts": .integer(accounts),
      "loans_left": .integer(loansLeft), "rows": .integer(rows),
      "removed": .array(
        removed.map { ["what": .string($0.what), "rows": .integer($0.rows)] }),
    ]
  }
}
