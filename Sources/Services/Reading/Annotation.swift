package import Database
package import EPUB
package import Machine

/// A bookmark, a highlight or a note. It belongs to the reader and outlives the loan and the file:
/// its words are kept with it.
package struct Annotation: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable { case bookmark, highlight, note }

  /// A UUID; other programs know it by `urn:uuid:`.
  package let id: String
  package let book: AnnotatedBook
  package let kind: Kind
  package var locator: Locator
  package var note: String?
  package var tags: [String]
  package var color: String?
  /// In milliseconds since 1970.
  package let made: Int64
  package var changed: Int64

  package init(
    id: String, book: AnnotatedBook, kind: Kind, locator: Locator, note: String? = nil,
    tags: [String] = [], color: String? = nil, made: Int64, changed: Int64
  ) {
    (self.id, self.book, self.kind, self.locator) = (id, book, kind, locator)
    (self.note, self.tags, self.color) = (note, tags, color)
    (self.made, self.changed) = (made, changed)
  }

  /// A name that nobody else gives: a UUID of chance (RFC 9562 §5.4).
  package static func freshID(_ chance: Chance = .system) -> String {
    var bytes = chance.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return text
  }

  /// The words it is about: those marked, or those that follow a bookmark.
  package var quote: String? { locator.quote.highlight ?? locator.quote.after }

  /// Whether it can be stored at all; how much of it there may be is up to the limits.
  var isSound: Bool {
    let texts = [id, locator.href, note ?? "", color ?? ""] + tags
    return !id.isEmpty && id.utf8.count <= 200 && !locator.href.isEmpty
      && tags.count <= 100
      && tags.allSatisfy { !$0.isEmpty && $0.utf8.count <= 200 }
      && texts.allSatisfy { !$0.utf8.contains(0) } && book.isSound
  }
}

/// The book that something was written in. The digest of its file tells it; two books may claim the
/// same identifier, so that only helps to find what was written in another file of it.
package struct AnnotatedBook: Sendable, Hashable {
  /// SHA-256 of the file in hexadecimal digits.
  package let digest: String
  package let identifier: String?
  package let title: String?
  package let authors: [String]

  package init(
    digest: String, identifier: String? = nil, title: String? = nil, authors: [String] = []
  ) {
    (self.digest, self.identifier) = (digest, identifier)
    (self.title, self.authors) = (title, authors)
  }

  package init(_ book: Book, digest: String) {
    let metadata = book.document.metadata
    self.init(
      digest: digest,
      identifier: metadata.uniqueIdentifier.flatMap { $0.isEmpty ? nil : $0 },
      title: metadata.title, authors: metadata.creators.map(\.name))
  }

  var isSound: Bool {
    let texts = [digest, identifier ?? "", title ?? ""] + authors
    return !digest.isEmpty && digest.utf8.count <= 200 && (identifier?.utf8.count ?? 0) <= 2_000
      && texts.allSatisfy { !$0.utf8.contains(0) && $0.utf8.count <= 10_000 }
  }

  /// Whether what was written in one may belong in the other.
  package func mayBe(_ other: AnnotatedBook) -> Bool {
    if digest == other.digest { return true }
    if let identifier, let theirs = other.identifier { return identifier == theirs }
    return title != nil && title == other.title && authors == other.authors
  }
}

package enum AnnotationError: Error, Sendable, Hashable {
  case database(DatabaseError)
  /// Tags that are too long, or bytes that no text has.
  case unsound
  /// The note or what is marked is longer than the limit.
  case tooLong
  /// The book or the patron has as many as this gateway stores.
  case full
  case unknown(String)
  /// The beginning of a name that several have.
  case several(String)
}
