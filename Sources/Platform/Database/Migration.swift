/// One step forward of a service's tables. Its name and its text are recorded when it is applied, and
/// neither may change afterwards: a correction is another migration.
package struct Migration: Sendable {
  package let name: String
  package let statements: [SQL]

  /// Names are lower-case words joined by dashes: `add-due-dates`.
  package init(_ name: StaticString, _ statements: [SQL]) {
    self.name = name.description
    self.statements = statements
  }

  /// Tells a changed text from an unchanged one; it protects against mistakes, not against malice, so
  /// a short sum (FNV-1a, 64 bits) does. The texts for both engines count.
  var checksum: String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    let add = { (text: String) in
      for byte in text.utf8 + [0] { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
    for statement in statements {
      for part in statement.parts {
        switch part {
        case .text(let text): add("text \(text)")
        case .name(let name): add("name \(name.text)")
        case .either(let sqlite, let postgres):
          add("sqlite \(sqlite)")
          add("postgres \(postgres)")
        case .value(let value, let kind): add("value \(kind.rawValue) \(value)")
        case .list(let values, let kind): add("list \(kind.rawValue) \(values)")
        }
      }
      add(";")
    }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The migrations of one service, oldest first. A service only ever adds to the end.
package struct MigrationList: Sendable {
  package let service: String
  package let migrations: [Migration]

  package init(_ service: StaticString, _ migrations: [Migration]) {
    self.service = service.description
    self.migrations = migrations
  }
}

/// What migrating did.
package struct Migrated: Sendable, Hashable {
  /// `service/migration`, in the order of application.
  package let applied: [String]
  /// The copy of the database as it was before, if there was something to copy.
  package let backup: String?
}
