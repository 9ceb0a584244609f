import Adobe
import Books
package import Circulation
package import Database
import Desk
import Downloads
import Licenses
import Membership
import Mirrors
import Notices
import Profiles
import Reading
import ReadingLists
import Registry
import Schedule
import Slips
import Wishes

/// Forgets a reader in all tables at once: there is no moment at which half of them is left.
package struct Purge: Sendable {
  private let store: Store
  private let now: @Sendable () -> Int64

  /// `now` is in milliseconds since 1970.
  package init(store: Store, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  /// Rows that refer to others go before those. A service that keeps anything of a reader has a
  /// line here; a test compares the list with the tables.
  package static func removals(of leaver: Leaver) -> [Removal] {
    let subjects = [leaver.patron.rawValue] + leaver.accounts.map(\.rawValue)
    let parts = [
      Schedule.removals(of: subjects), Notices.removals(of: leaver), Wishes.removals(of: leaver),
      Mirrors.removals(of: leaver), ReadingLists.removals(of: leaver),
      Positions.removals(of: leaver), SlipBox.removals(of: leaver),
      Licenses.removals(of: leaver), DownloadQueue.removals(of: leaver),
      Profiles.removals(of: leaver),
      MyBooks.removals(of: leaver), Desk.removals(of: leaver),
      AdobeDesk.removals(of: leaver), PageVisits.removals(of: leaver),
      Registry.removals(of: leaver),
    ]
    return parts.flatMap(\.self)
  }

  /// Nil where there is no such reader. What they have on loan stays with the libraries.
  package func purge(
    _ patron: PatronID, by who: String, request: String
  ) async throws(DatabaseError) -> Purged? {
    let now = now()
    return try await store.write { tx throws(DatabaseError) -> Purged? in
      guard let (leaver, name) = try tx.leaver(patron) else { return nil }
      let loans = try tx.loans(of: leaver)
      var purged = Purged(name: name, accounts: leaver.accounts.count, loansLeft: loans)
      for removal in Self.removals(of: leaver) {
        purged.add(try tx.remove(removal), of: removal.what)
      }
      try tx.note(OfficeDeed(.delete, "reader", patron.rawValue, by: who, request), at: now)
      return purged
    }
  }
}

/// What was forgotten of a reader.
package struct Purged: Sendable, Hashable {
  package struct Part: Sendable, Hashable {
    package let what: String
    package var rows: Int
  }

  package let name: String
  package let accounts: Int
  /// Loans that go on at the libraries, which know nothing of this.
  package let loansLeft: Int
  /// In the order in which they went, without what there was none of.
  package private(set) var parts: [Part] = []

  package var rows: Int { parts.reduce(0) { $0 + $1.rows } }

  init(name: String, accounts: Int, loansLeft: Int) {
    (self.name, self.accounts, self.loansLeft) = (name, accounts, loansLeft)
  }

  mutating func add(_ rows: Int, of what: String) {
    guard rows > 0 else { return }
    if let place = parts.firstIndex(where: { $0.what == what }) {
      parts[place].rows += rows
    } else {
      parts.append(Part(what: what, rows: rows))
    }
  }
}
