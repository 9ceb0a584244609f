package import Circulation
package import Database

/// How a reader likes pages, wherever a book is opened: a record of words and their values, of which
/// each way of reading knows those that mean something to it. What one does not know it leaves alone.
package struct Taste: Sendable, Hashable {
  package private(set) var words: [String: String] = [:]

  package init() {}

  package subscript(word: String) -> String? {
    get { words[word] }
    set { words[word] = newValue }
  }

  /// A line for each word, as it is kept.
  package var text: String {
    words.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
  }

  package init(text: String) {
    for line in text.split(separator: "\n").prefix(Self.most) {
      let name = line.prefix { $0 != " " }
      if !name.isEmpty { words[String(name)] = String(line.dropFirst(name.count + 1)) }
    }
  }

  /// With the words of another laid over its own.
  package func changed(by other: Taste) -> Taste {
    var taste = self
    for (word, value) in other.words { taste.words[word] = value }
    return taste
  }

  private static let most = 100

  var isSound: Bool {
    words.count <= Self.most && text.utf8.count <= 4_096 && !text.utf8.contains(0)
      && words.allSatisfy { !$0.key.contains { $0.isWhitespace } && !$0.value.contains("\n") }
  }
}

package struct Tastes: Sendable {
  private let store: Store
  private let now: @Sendable () -> Int64

  package init(store: Store, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  package func taste(of patron: PatronID) async throws(DatabaseError) -> Taste {
    try await store.read { tx throws(DatabaseError) in try tx.taste(of: patron) }
  }

  /// Only the words it names change.
  package func keep(_ taste: Taste, of patron: PatronID) async throws(DatabaseError) {
    let now = now()
    try await store.write { tx throws(DatabaseError) in
      let whole = try tx.taste(of: patron).changed(by: taste)
      guard whole.isSound else { return }
      try tx.execute(
        """
        INSERT INTO reading_taste (patron, words, at) VALUES (\(patron.rawValue), \(whole.text),
          \(now))
        ON CONFLICT (patron) DO UPDATE SET words = excluded.words, at = excluded.at
        """)
    }
  }

  static let tables = Migration(
    "tastes",
    [
      """
      CREATE TABLE reading_taste (
        patron \(.text) NOT NULL PRIMARY KEY, words \(.text) NOT NULL, at \(.integer) NOT NULL
      )\(.strictTable)
      """
    ])
}

extension Snapshot {
  fileprivate func taste(of patron: PatronID) throws(DatabaseError) -> Taste {
    let kept = try first("SELECT words FROM reading_taste WHERE patron = \(patron.rawValue)") {
      row throws(DatabaseError) in try row[0] as String
    }
    return Taste(text: kept ?? "")
  }
}
