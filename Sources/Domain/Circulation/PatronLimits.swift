/// How much this gateway stores for one patron. Generous for a person, and small enough that one patron,
/// or one app password, fills neither the disk nor the memory. What was stored before a limit stays:
/// nothing is added to it.
package struct PatronLimits: Sendable {
  package static let standard = PatronLimits()

  // MARK: Bookmarks, highlights and notes. Characters are code points.

  package var noteCharacters = 10_000
  /// What is marked, with all that leads there.
  package var markCharacters = 40_000
  package var notesInBook = 2_000
  package var notes = 20_000
  /// Of notes, marked text and tags together.
  package var charactersInBook = 1_000_000
  package var characters = 5_000_000

  // MARK: Reading positions. The oldest give way: an app could not show a refusal.

  package var documents = 5_000
  package var devicesOfDocument = 20
  package var positions = 10_000
  /// Bytes of a position that an app sends.
  package var positionOfApp = 2_048

  // MARK: Lists. Those of librarians are not counted.

  package var lists = 200
  package var listEntries = 100_000

  /// Books that are saved or ignored.
  package var chosenBooks = 20_000

  // MARK: Apps and notifications

  package var appPasswords = 50
  package var channels = 20
  /// Changes by one app password in `changesSpan` milliseconds.
  package var changes = 600
  package var changesSpan: Int64 = 600_000

  package init() {}
}
