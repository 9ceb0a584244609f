import Circulation
import Database
import EPUB
import JSON

/// How much a patron has written in books, held against the limits.
struct AnnotationVolume {
  struct Size {
    var count = 0
    /// Code points of notes, marked text and tags.
    var characters = 0
  }

  /// One that is stored already.
  struct Stored {
    let changed: Int64
    let document: String
    let characters: Int
  }

  enum Verdict { case fits, tooLong, full }

  private let limits: PatronLimits
  private var books: [String: Size]
  private var all: Size

  init(_ limits: PatronLimits, _ books: [String: Size]) {
    (self.limits, self.books) = (limits, books)
    all = books.values.reduce(into: Size()) {
      $0.count += $1.count
      $0.characters += $1.characters
    }
  }

  /// Counts it where it fits. One that was stored before the limits may change as long as it does not
  /// grow.
  mutating func add(_ one: Annotation, insteadOf stored: Stored?) -> Verdict {
    let document = stored?.document ?? one.book.digest
    let growth = one.characters - (stored?.characters ?? 0)
    let added = stored == nil ? 1 : 0
    var book = books[document] ?? Size()
    if added == 1 || growth > 0 {
      guard (one.note?.unicodeScalars.count ?? 0) <= limits.noteCharacters,
        one.locator.json.text().unicodeScalars.count <= limits.markCharacters
      else { return .tooLong }
      guard
        added == 0 || (book.count < limits.notesInBook && all.count < limits.notes),
        book.characters + growth <= limits.charactersInBook,
        all.characters + growth <= limits.characters
      else { return .full }
    }
    book.count += added
    book.characters += growth
    all.count += added
    all.characters += growth
    books[document] = book
    return .fits
  }
}

extension Annotation {
  /// As the database counts them.
  fileprivate var characters: Int {
    locator.json.text().unicodeScalars.count + (note?.unicodeScalars.count ?? 0)
      + storedTags.unicodeScalars.count
  }
}

extension Snapshot {
  private static var characters: SQL {
    "length(locator) + length(COALESCE(note, '')) + length(tags)"
  }

  /// By the digest of the book's file.
  func annotationSizes(
    of patron: PatronID
  ) throws(DatabaseError) -> [String: AnnotationVolume.Size] {
    let rows = try rows(
      """
      SELECT document, count(*), sum(\(Self.characters)) FROM reading_annotation
      WHERE patron = \(patron.rawValue) GROUP BY document
      """
    ) { row throws(DatabaseError) -> (String, AnnotationVolume.Size) in
      (try row[0], .init(count: try row[1], characters: try row[2]))
    }
    return Dictionary(rows) { one, _ in one }
  }

  func storedAnnotation(
    _ id: String, of patron: PatronID
  ) throws(DatabaseError) -> AnnotationVolume.Stored? {
    try first(
      """
      SELECT changed, document, \(Self.characters) FROM reading_annotation
      WHERE patron = \(patron.rawValue) AND id = \(id)
      """
    ) { row throws(DatabaseError) in
      AnnotationVolume.Stored(changed: try row[0], document: try row[1], characters: try row[2])
    }
  }
}
