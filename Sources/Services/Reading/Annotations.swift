package import Circulation
package import Database
import EPUB
import JSON

/// What readers wrote in their books.
package struct Annotations: Sendable {
  private let store: Store
  private let limits: PatronLimits
  private let now: @Sendable () -> Int64

  /// `now` is in milliseconds since 1970.
  package init(
    store: Store, limits: PatronLimits = .standard, now: @escaping @Sendable () -> Int64
  ) {
    (self.store, self.limits, self.now) = (store, limits, now)
  }

  /// Those in one book, those in other files of it among them, or all; oldest first.
  package func all(
    of patron: PatronID, in book: AnnotatedBook? = nil
  ) async throws(AnnotationError) -> [Annotation] {
    try await database { () throws(DatabaseError) in
      try await store.read { snapshot throws(DatabaseError) in
        try snapshot.annotations(of: patron, in: book)
      }
    }
  }

  package func keep(
    _ annotation: Annotation, of patron: PatronID
  ) async throws(AnnotationError) -> Annotation {
    let intake = try await take([annotation], of: patron)
    if intake.tooLong > 0 { throw .tooLong }
    if intake.full > 0 { throw .full }
    return annotation
  }

  /// How many came in, how many changed one that was there, and how many were known as they are.
  package struct Intake: Sendable, Hashable {
    package var added = 0
    package var changed = 0
    package var known = 0
    /// Not stored: the note, or the marked text, is too long.
    package var tooLong = 0
    /// Not stored: the book or the patron has as many as this gateway stores.
    package var full = 0
  }

  /// From a file: of two with one name the one that was changed later holds. What is over a limit is
  /// left out and counted.
  @discardableResult
  package func take(
    _ annotations: [Annotation], of patron: PatronID
  ) async throws(AnnotationError) -> Intake {
    guard annotations.allSatisfy(\.isSound) else { throw .unsound }
    let limits = limits
    return try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        var intake = Intake()
        var volume = AnnotationVolume(limits, try tx.annotationSizes(of: patron))
        for annotation in annotations {
          let kept = try tx.storedAnnotation(annotation.id, of: patron)
          if let kept, kept.changed >= annotation.changed {
            intake.known += 1
            continue
          }
          switch volume.add(annotation, insteadOf: kept) {
          case .tooLong: intake.tooLong += 1
          case .full: intake.full += 1
          case .fits:
            try tx.keep(annotation, of: patron)
            if kept == nil { intake.added += 1 } else { intake.changed += 1 }
          }
        }
        return intake
      }
    }
  }

  /// Takes one away, named by its id or the beginning of it.
  package func remove(
    _ name: String, of patron: PatronID
  ) async throws(AnnotationError) -> Annotation {
    guard !name.isEmpty, !name.utf8.contains(0) else { throw .unknown(name) }
    let found = try await all(of: patron).filter { $0.id.hasPrefix(name) }
    guard let annotation = found.first(where: { $0.id == name }) ?? found.first else {
      throw .unknown(name)
    }
    guard found.count == 1 || annotation.id == name else { throw .several(name) }
    return try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        try tx.execute(
          """
          DELETE FROM reading_annotation
          WHERE patron = \(patron.rawValue) AND id = \(annotation.id)
          """)
        return annotation
      }
    }
  }

  // MARK: - Stars

  /// From 1 to 5.
  package func rate(
    _ book: AnnotatedBook, _ stars: Int, of patron: PatronID
  ) async throws(AnnotationError) {
    guard (1...5).contains(stars), book.isSound else { throw .unsound }
    let at = now()
    try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        try tx.execute(
          """
          INSERT INTO reading_rating (patron, document, stars, at)
          VALUES (\(patron.rawValue), \(book.digest), \(stars), \(at))
          ON CONFLICT (patron, document) DO UPDATE SET stars = excluded.stars, at = excluded.at
          """)
      }
    }
  }

  package func rating(
    of book: AnnotatedBook, by patron: PatronID
  ) async throws(AnnotationError) -> Int? {
    try await database { () throws(DatabaseError) in
      try await store.read { snapshot throws(DatabaseError) in
        try snapshot.first(
          """
          SELECT stars FROM reading_rating
          WHERE patron = \(patron.rawValue) AND document = \(book.digest)
          """
        ) { row throws(DatabaseError) in try row[0] as Int }
      }
    }
  }

  @discardableResult
  private func database<T: Sendable>(
    _ body: () async throws(DatabaseError) -> T
  ) async throws(AnnotationError) -> T {
    do throws(DatabaseError) { return try await body() } catch { throw .database(error) }
  }
}

extension Snapshot {
  fileprivate func annotations(
    of patron: PatronID, in book: AnnotatedBook?
  ) throws(DatabaseError) -> [Annotation] {
    let those: SQL =
      book.map {
        """
        AND (document = \($0.digest) OR identifier = \($0.identifier) OR title = \($0.title))
        """
      } ?? ""
    let all = try rows(
      """
      SELECT id, document, identifier, title, authors, kind, locator, note, tags, color, made,
        changed
      FROM reading_annotation WHERE patron = \(patron.rawValue) \(those) ORDER BY made, id
      """
    ) { row throws(DatabaseError) -> Annotation? in
      let (kind, locator): (String, String) = (try row[5], try row[6])
      // What a later version of the program kept is left alone, not half understood.
      guard let kind = Annotation.Kind(rawValue: kind), let json = JSONValue.stored(locator),
        let locator = Locator(json)
      else { return nil }
      return Annotation(
        id: try row[0],
        book: AnnotatedBook(
          digest: try row[1], identifier: try row[2], title: try row[3],
          authors: Self.texts(try row[4])),
        kind: kind, locator: locator, note: try row[7], tags: Self.texts(try row[8]),
        color: try row[9], made: try row[10], changed: try row[11])
    }.compactMap(\.self)
    return book.map { book in all.filter { $0.book.mayBe(book) } } ?? all
  }

  private static func texts(_ kept: String) -> [String] {
    JSONValue.stored(kept)?.array?.compactMap(\.string) ?? []
  }
}

extension JSONValue {
  /// What we wrote ourselves; nil where somebody else did.
  fileprivate static func stored(_ text: String) -> JSONValue? {
    do throws(JSONError) { return try JSONValue(parsing: text) } catch { return nil }
  }

  fileprivate static func list(_ texts: [String]) -> String {
    JSONValue.array(texts.map(JSONValue.string)).text()
  }
}

extension Annotation {
  var storedTags: String { JSONValue.list(tags) }
}

extension Transaction {
  fileprivate func keep(_ one: Annotation, of patron: PatronID) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO reading_annotation (patron, id, document, identifier, title, authors, kind,
        locator, note, tags, color, made, changed)
      VALUES (\(patron.rawValue), \(one.id), \(one.book.digest), \(one.book.identifier),
        \(one.book.title), \(JSONValue.list(one.book.authors)), \(one.kind.rawValue),
        \(one.locator.json.text()), \(one.note), \(one.storedTags), \(one.color),
        \(one.made), \(one.changed))
      ON CONFLICT (patron, id) DO UPDATE SET locator = excluded.locator, note = excluded.note,
        tags = excluded.tags, color = excluded.color, kind = excluded.kind,
        changed = excluded.changed
      """)
  }
}

extension Annotations {
  static let tables = Migration(
    "annotations",
    [
      """
      CREATE TABLE reading_annotation (
        patron \(.text) NOT NULL, id \(.text) NOT NULL, document \(.text) NOT NULL,
        identifier \(.text), title \(.text), authors \(.text) NOT NULL, kind \(.text) NOT NULL,
        locator \(.text) NOT NULL, note \(.text), tags \(.text) NOT NULL, color \(.text),
        made \(.integer) NOT NULL, changed \(.integer) NOT NULL, PRIMARY KEY (patron, id)
      )\(.strictTable)
      """,
      """
      CREATE TABLE reading_rating (
        patron \(.text) NOT NULL, document \(.text) NOT NULL, stars \(.integer) NOT NULL,
        at \(.integer) NOT NULL, PRIMARY KEY (patron, document)
      )\(.strictTable)
      """,
    ])
}
