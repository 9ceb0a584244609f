import Circulation

/// What a book is known again by.
extension KeptEntry {
  /// The make of the file that told of it; empty where none did.
  var scheme: Substring { entry.item.rawValue.prefix { $0 != ":" } }

  /// The file's own number of the book, with its make.
  var ownNumber: String? {
    let item = entry.item.rawValue
    guard let colon = item.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return item.utf8.index(after: colon) == item.endIndex ? nil : item
  }

  var ownIdentifier: ForeignIdentifier? {
    guard let ownNumber else { return nil }
    let scheme = String(scheme)
    return ForeignIdentifier(
      scheme: scheme, value: String(ownNumber.dropFirst(scheme.count + 1)))
  }

  /// The same for all rows of one file that tell of the same book.
  package var ownKey: String {
    if let ownNumber { return ownNumber }
    return (entry.isbns.first?.digits ?? "") + "\u{1}" + nameKey
  }

  /// Title and first author without case and marks.
  var nameKey: String { Self.nameKey(entry.title, entry.authors) }

  static func nameKey(_ title: String, _ authors: [String]) -> String {
    Words.folded(title) + "\u{1}" + Words.folded(authors.first { !$0.isEmpty } ?? "")
  }

  /// It says all that its file knows of the book, so what it leaves out is gone. A list of numbers,
  /// or any table, only adds to what is known.
  func replaces(_ older: KeptEntry) -> Bool {
    scheme == older.scheme && !["", "file", "isbn"].contains(scheme)
  }

  /// About how many bytes it takes, without writing it.
  var weight: Int {
    let long = [entry.title, entry.review ?? "", entry.link ?? ""].map(\.utf8.count)
    let more = extras.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    let names = (shelves + entry.authors).reduce(0) { $0 + $1.utf8.count }
    return long.reduce(0, +) + more + names
  }
}
