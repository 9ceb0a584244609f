package import Circulation
import Database

/// A reading app or machine that signs in with a password of its own, so that the card and its PIN
/// never go there and one lost device can be shut out alone.
package struct Device: Sendable, Hashable {
  /// What a door may be opened for.
  package enum Scope: String, Sendable, Hashable, CaseIterable {
    case read, lend, lists, sync
  }

  /// What the app makes of a book that has to be borrowed first.
  package enum Manner: String, Sendable, Hashable, CaseIterable {
    /// As it calls itself.
    case told
    case borrows
    /// It opens feeds and downloads files, and nothing else.
    case downloads
  }

  package let patron: PatronID
  package let name: String
  package let scopes: Set<Scope>
  package let manner: Manner
  /// Instants are milliseconds since 1970.
  package let madeAt: Int64
  /// By the hour.
  package let lastUsed: Int64?

  package init(
    patron: PatronID, name: String, scopes: Set<Scope>, manner: Manner = .told, madeAt: Int64,
    lastUsed: Int64? = nil
  ) {
    (self.patron, self.name, self.scopes, self.manner) = (patron, name, scopes, manner)
    (self.madeAt, self.lastUsed) = (madeAt, lastUsed)
  }
}

extension Set<Device.Scope> {
  package static var all: Set<Device.Scope> { Set(Device.Scope.allCases) }

  /// In the order of the type, so that the same set is the same text.
  package var words: [String] {
    Device.Scope.allCases.filter(contains).map(\.rawValue)
  }

  var text: String { words.joined(separator: " ") }

  /// A word that a newer release wrote opens nothing here.
  init(text: String) {
    self = Set(text.split(separator: " ").compactMap { Device.Scope(rawValue: String($0)) })
  }
}

extension Device {
  static let columns: SQL = "patron, name, scopes, manner, made_at, last_used"

  init(row: borrowing Row) throws(DatabaseError) {
    self.init(
      patron: PatronID(rawValue: try row[0]), name: try row[1],
      scopes: Set(text: try row[2]), manner: Manner(rawValue: try row[3]) ?? .told,
      madeAt: try row[4], lastUsed: try row[5])
  }
}
