package import ReadingLists

/// All of a file: every row is in exactly one of the three.
package struct ShelfReading: Sendable {
  package struct Book: Sendable, Hashable {
    package var kept: KeptEntry
    /// Several where a book has a row for each of its shelves, or stands in the file twice.
    package var places: [ShelfFile.Place]

    package var lines: [Int] { places.map(\.line) }
  }

  package var books: [Book] = []
  package var passed: [ShelfFile.Row] = []
  package var faults: [ShelfFile.Row] = []

  package init(_ file: inout ShelfFile) {
    var places: [String: Int] = [:]
    while let row = file.next() {
      switch row.meaning {
      case .passed: passed.append(row)
      case .fault: faults.append(row)
      case .book(let kept):
        let key = kept.ownKey
        if let place = places[key] {
          books[place].kept = books[place].kept.joined(with: kept)
          books[place].places.append(row.place)
        } else {
          places[key] = books.count
          books.append(Book(kept: kept, places: [row.place]))
        }
      }
    }
  }

  package var rows: Int {
    books.reduce(0) { $0 + $1.places.count } + passed.count + faults.count
  }
}
