/// What is known of a book elsewhere that a catalogue of numbers can be asked by.
package struct BookNumbers: Sendable, Hashable {
  package var isbns: [ISBN]
  package var identifiers: [ForeignIdentifier]

  package init(isbns: [ISBN] = [], identifiers: [ForeignIdentifier] = []) {
    (self.isbns, self.identifiers) = (isbns, identifiers)
  }

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
