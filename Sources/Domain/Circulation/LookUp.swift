/// What is known of a book elsewhere that a catalogue of numbers can be asked by.
package struct BookNumbers: Sendable, Hashable {
  package var isbns: [ISBN]
  package var identifiers: [ForeignIdentifier]
  /// By which a catalogue may be asked that does not list the numbers: the book on paper has others
  /// than the file. What comes back has to be held against them.
  package var title: String?
  package var authors: [String]
  /// A primary subtag, as in BCP 47.
  package var language: String?

  package init(
    isbns: [ISBN] = [], identifiers: [ForeignIdentifier] = [], title: String? = nil,
    authors: [String] = [], language: String? = nil
  ) {
    (self.isbns, self.identifiers) = (isbns, identifiers)
    (self.title, self.authors, self.language) = (title, authors, language)
  }

  /// Without any number; it may have a title.
  package var isEmpty: Bool { isbns.isEmpty && identifiers.isEmpty }
}

/// An edition that a provider lists under the numbers asked for, with what can be had of it.
package struct FoundEdition: Sendable, Hashable {
  package let edition: Edition
  package let availability: Availability

  package init(_ edition: Edition, _ availability: Availability) {
    (self.edition, self.availability) = (edition, availability)
  }
}

/// What a library has of the books that it was asked about.
package struct LookUpAnswer: Sendable, Hashable {
  package var found: [FoundEdition]
  /// Books about which it said something that could not be read: to be asked about again soon.
  package var unread: [BookNumbers]

  package init(_ found: [FoundEdition] = [], unread: [BookNumbers] = []) {
    (self.found, self.unread) = (found, unread)
  }
}
