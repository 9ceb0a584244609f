package import JSON

/// A bookmark, a highlight or a note as the contract tells it.
package struct AnnotationItem: Sendable, Hashable {
  package let id: String
  package let kind: String
  package let title: String?
  package let authors: [String]
  package let chapter: String?
  package let position: Int?
  package let progression: Double?
  package let quote: String?
  package let note: String?
  package let tags: [String]
  package let madeAt: String
  /// `exact`, `moved`, `near` or `lost` in the file that was asked about; nil where none was.
  package let anchored: String?

  package init(
    id: String, kind: String, title: String?, authors: [String], chapter: String?, position: Int?,
    progression: Double?, quote: String?, note: String?, tags: [String], madeAt: String,
    anchored: String?
  ) {
    (self.id, self.kind, self.title, self.authors) = (id, kind, title, authors)
    (self.chapter, self.position, self.progression) = (chapter, position, progression)
    (self.quote, self.note, self.tags) = (quote, note, tags)
    (self.madeAt, self.anchored) = (madeAt, anchored)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "kind": .string(kind), "title": JSONValue(title),
      "authors": .array(authors.map(JSONValue.string)), "chapter": JSONValue(chapter),
      "position": position.map { .integer($0) } ?? .null,
      "progression": progression.map { JSONValue($0) } ?? .null, "quote": JSONValue(quote),
      "note": JSONValue(note), "tags": .array(tags.map(JSONValue.string)),
      "made_at": .string(madeAt), "anchored": JSONValue(anchored),
    ]
  }
}

/// What came of a file of notes.
package struct AnnotationIntakeItem: Sendable, Hashable {
  package let added: Int
  package let changed: Int
  package let known: Int
  /// Entries that say nothing of where they are.
  package let skipped: Int
  /// Left out: a note, or marked text, that is too long.
  package let tooLong: Int
  /// Left out: as many are stored as this gateway stores for a book or a patron.
  package let full: Int
  /// How many of them are not in the file that was named; nil where none was.
  package let lost: Int?

  package init(
    added: Int, changed: Int, known: Int, skipped: Int, tooLong: Int, full: Int, lost: Int?
  ) {
    (self.added, self.changed, self.known) = (added, changed, known)
    (self.skipped, self.tooLong, self.full, self.lost) = (skipped, tooLong, full, lost)
  }

  package var json: JSONValue {
    [
      "added": .integer(added), "changed": .integer(changed), "known": .integer(known),
      "skipped": .integer(skipped), "too_long": .integer(tooLong), "full": .integer(full),
      "lost": lost.map { .integer($0) } ?? .null,
    ]
  }
}
