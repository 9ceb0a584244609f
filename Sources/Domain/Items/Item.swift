package import JSON

// What programs read of a book, a loan or a card: the contract's JSON items as plain values. They
// know nothing of databases or networks, so that every surface prints the same ones. A key whose
// value is not known is null; none is ever left out.

extension JSONValue {
  static func number(_ number: Int?) -> JSONValue { number.map(JSONValue.integer) ?? .null }
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}

/// A book as a reader thinks of it, with every way to get it.
package struct WorkItem: Sendable, Hashable {
  package var id: String
  package var title: String
  package var subtitle: String?
  package var authors: [String] = []
  package var series: SeriesItem?
  package var languages: [String] = []
  package var subjects: [String] = []
  package var summary: String?
  package var cover: String?
  package var isbns: [String] = []
  package var published: String?
  package var state: String = "none"
  package var offers: [OfferItem] = []
  /// Where it can be looked for by hand.
  package var elsewhere: [OutlookItem] = []

  package init(id: String, title: String) { (self.id, self.title) = (id, title) }

  package var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "subtitle": JSONValue(subtitle),
      "authors": .texts(authors), "series": series?.json ?? .null, "languages": .texts(languages),
      "subjects": .texts(subjects), "summary": JSONValue(summary), "cover": JSONValue(cover),
      "isbns": .texts(isbns), "published": JSONValue(published), "state": .string(state),
      "offers": .array(offers.map(\.json)), "elsewhere": .array(elsewhere.map(\.json)),
    ]
  }
}

/// The page of a library that can only be looked at.
package struct OutlookItem: Sendable, Hashable {
  package let account: String
  package let library: String
  package let address: String

  package init(account: String, library: String, address: String) {
    (self.account, self.library, self.address) = (account, library, address)
  }

  package var json: JSONValue {
    ["account": .string(account), "library": .string(library), "address": .string(address)]
  }
}

package struct SeriesItem: Sendable, Hashable {
  package var name: String
  package var position: Double?

  package init(name: String, position: Double?) { (self.name, self.position) = (name, position) }

  package var json: JSONValue {
    ["name": .string(name), "position": position.map { JSONValue($0) } ?? .null]
  }
}

/// One way for this reader to get a work.
package struct OfferItem: Sendable, Hashable {
  /// `ACCOUNT:ITEM`, which every command takes in place of a title.
  package var id: String
  package var account: String
  package var provider: String
  package var item: String
  package var formats: [FormatItem] = []
  package var terms: String
  package var availability: AvailabilityItem
  package var estimate: EstimateItem?
  /// What the reader has of it here: loan, ready or hold.
  package var mine: String?
  /// Why it stands where it stands among the offers.
  package var why: String?
  /// The same one by one, the weightiest first.
  package var reasons: [String] = []
  /// Whether the card must give something back first.
  package var isAtLimit = false
  /// Of a title on paper: where its copies stand, and where one may be put aside. Nil where nobody asked.
  package var copies: [CopyItem]?
  package var pickups: [BranchItem]?

  package init(
    account: String, provider: String, item: String, terms: String, availability: AvailabilityItem
  ) {
    id = "\(account):\(item)"
    (self.account, self.provider, self.item) = (account, provider, item)
    (self.terms, self.availability) = (terms, availability)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "account": .string(account), "provider": .string(provider),
      "item": .string(item), "format": JSONValue(formats.first?.format),
      "drm": JSONValue(formats.first?.drm),
      "readable_here": .bool(formats.contains { $0.isReadableHere }),
      "formats": .array(formats.map(\.json)), "terms": ["kind": .string(terms)],
      "availability": availability.json, "estimate": estimate?.json ?? .null,
      "mine": JSONValue(mine), "why": JSONValue(why), "at_limit": .bool(isAtLimit),
      "copies": copies.map { .array($0.map(\.json)) } ?? .null,
      "pickups": pickups.map { .array($0.map(\.json)) } ?? .null,
    ]
  }
}

package struct FormatItem: Sendable, Hashable {
  package var id: String
  package var format: String
  package var drm: String
  package var isReadableHere: Bool
  /// The program that opens it, where Carrel does not.
  package var opensWith: String?

  package init(id: String, format: String, drm: String, isReadableHere: Bool) {
    (self.id, self.format, self.drm) = (id, format, drm)
    self.isReadableHere = isReadableHere
  }

  package var json: JSONValue {
    [
      "id": .string(id), "format": .string(format), "drm": .string(drm),
      "readable_here": .bool(isReadableHere), "opens_with": JSONValue(opensWith),
    ]
  }
}

package struct AvailabilityItem: Sendable, Hashable {
  /// open_access, available, queued, unavailable or unknown.
  package var status: String
  package var total: Int?
  package var available: Int?
  package var holds: Int?
  package var source: String?
  package var asOf: String?

  package init(status: String) { self.status = status }

  package var json: JSONValue {
    [
      "status": .string(status), "copies_total": .number(total),
      "copies_available": .number(available), "holds_total": .number(holds),
      "source": JSONValue(source), "as_of": JSONValue(asOf),
    ]
  }
}

/// How long a wait may be, and what the guess is made of.
package struct EstimateItem: Sendable, Hashable {
  package var lowDays: Int
  package var highDays: Int
  package var basis: String

  package init(lowDays: Int, highDays: Int, basis: String) {
    (self.lowDays, self.highDays, self.basis) = (lowDays, highDays, basis)
  }

  package var json: JSONValue {
    [
      "low_days": .integer(lowDays), "high_days": .integer(highDays), "basis": .string(basis),
    ]
  }
}
