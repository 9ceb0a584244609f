package import JSON

/// Why the editions of a work are one, and why its offers stand in their order.
package struct ExplanationItem: Sendable, Hashable {
  package var work: WorkItem
  package var editions: [EditionItem] = []
  package var decisions: [DecisionItem] = []
  package var near: [NearItem] = []

  package init(work: WorkItem) { self.work = work }

  package var json: JSONValue {
    let offers = work.offers.enumerated().map { place, offer -> JSONValue in
      [
        "rank": .integer(place + 1), "id": .string(offer.id),
        "status": .string(offer.availability.status), "estimate": offer.estimate?.json ?? .null,
        "at_limit": .bool(offer.isAtLimit), "why": .texts(offer.reasons),
      ]
    }
    return [
      "id": .string(work.id), "title": .string(work.title), "authors": .texts(work.authors),
      "editions": .array(editions.map(\.json)), "decisions": .array(decisions.map(\.json)),
      "near": .array(near.map(\.json)), "offers": .array(offers),
    ]
  }
}

/// An edition as a library lists it.
package struct EditionItem: Sendable, Hashable {
  /// `ACCOUNT:ITEM` where there is a card for it, `LIBRARY:ITEM` otherwise.
  package var id: String
  package var library: String
  package var title: String
  package var authors: [String] = []
  package var medium: String
  package var languages: [String] = []
  /// first, same or decision.
  package var because = "first"
  /// The edition that it is the same as.
  package var like: String?
  package var score: Double?
  package var why: [String] = []

  package init(id: String, library: String, title: String, medium: String) {
    (self.id, self.library, self.title, self.medium) = (id, library, title, medium)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "library": .string(library), "title": .string(title),
      "authors": .texts(authors), "medium": .string(medium), "languages": .texts(languages),
      "because": .string(because), "like": JSONValue(like),
      "score": score.map { JSONValue($0) } ?? .null, "why": .texts(why),
    ]
  }
}

/// An edition of another work that is nearly of this one.
package struct NearItem: Sendable, Hashable {
  package var edition: EditionItem
  package var work: String
  /// The edition of ours that contradicts it, and in what.
  package var against: String?
  package var contradiction: String?

  package init(edition: EditionItem, work: String) { (self.edition, self.work) = (edition, work) }

  package var json: JSONValue {
    [
      "id": .string(edition.id), "work": .string(work), "title": .string(edition.title),
      "authors": .texts(edition.authors), "like": JSONValue(edition.like),
      "score": edition.score.map { JSONValue($0) } ?? .null, "why": .texts(edition.why),
      "against": JSONValue(against), "contradiction": JSONValue(contradiction),
    ]
  }
}

/// A person's word on which editions are one work.
package struct DecisionItem: Sendable, Hashable {
  package var number: Int
  /// join or split.
  package var kind: String
  package var made: String
  package var one: [String]
  package var two: [String]
  /// The work that came of it, where it is known.
  package var work: String?
  package var title: String?

  package init(number: Int, kind: String, made: String, one: [String], two: [String]) {
    (self.number, self.kind, self.made, self.one, self.two) = (number, kind, made, one, two)
  }

  package var json: JSONValue {
    [
      "number": .integer(number), "kind": .string(kind), "made": .string(made),
      "one": .texts(one), "two": .texts(two), "work": JSONValue(work), "title": JSONValue(title),
    ]
  }
}
