import JSON
import MockKit

/// OPDS 2.0, as Palace's server writes it.
struct JSONWriter {
  private let visit: Visit
  private let dates: Dates
  private var quirks: Set<Quirk> { visit.quirks }

  init(_ visit: Visit) { (self.visit, dates) = (visit, Dates(visit.quirks)) }

  func feed(_ listing: Listing) -> JSONValue {
    var metadata: JSONObject = [
      "title": .string(listing.title), "modified": .string(dates.written(listing.updated)),
    ]
    if let page = listing.page {
      metadata["numberOfItems"] = .integer(page.total)
      metadata["itemsPerPage"] = .integer(page.size)
      metadata["currentPage"] = .integer(page.start / page.size + 1)
    }
    if quirks.contains(.nulls) { metadata["subtitle"] = .null }
    var object: JSONObject = [
      "metadata": .object(metadata),
      "links": .array(
        listing.links.filter { $0.facet == nil }.map(link) + orders(listing.links)),
    ]
    let facets = self.facets(listing.links)
    if !facets.isEmpty { object["facets"] = .array(facets) }
    if listing.kind == .navigation {
      object["navigation"] = .array(listing.entries.map(place))
    } else if listing.entries.contains(where: { $0.lane != nil }) {
      object["groups"] = .array(groups(listing.entries))
    } else {
      var books = listing.entries.enumerated().map { publication($1, at: $0) }
      if quirks.contains(.badEntry) { books.insert(["metadata": "none", "links": 5], at: 0) }
      object["publications"] = .array(books)
    }
    if quirks.contains(.nulls) { object["images"] = .null }
    return .object(object)
  }

  func publication(_ entry: Entry) -> JSONValue { publication(entry, at: 0) }

  // MARK: Lists

  private func place(_ entry: Entry) -> JSONValue {
    let rels = entry.links.compactMap(\.rel).reversed().map(JSONValue.string)
    return [
      "href": .string(visit.spelled(entry.links[0].href)), "title": .string(entry.title),
      "type": .string(entry.links[0].type ?? ""),
      "rel": rels.count == 1 ? rels[0] : .array(Array(rels)),
    ]
  }

  private func groups(_ entries: [Entry]) -> [JSONValue] {
    var order: [String] = []
    var members: [String: [Entry]] = [:]
    for entry in entries {
      let href = entry.lane?.href ?? ""
      if members[href] == nil { order.append(href) }
      members[href, default: []].append(entry)
    }
    return order.map { href in
      let books = members[href] ?? []
      return [
        "metadata": ["title": .string(books.first?.lane?.title ?? "")],
        "links": [
          [
            "rel": "self", "href": .string(visit.spelled(href)), "type": "application/opds+json",
          ]
        ],
        "publications": .array(books.map(publication)),
      ]
    }
  }

  /// Orders stand among the links, under a relation of Palace's own.
  private func orders(_ links: [Link]) -> [JSONValue] {
    links.filter { $0.facet?.group == Link.Facet.order }.map { link in
      var properties: JSONObject = [:]
      if link.facet?.isActive == true {
        properties["http://palaceproject.io/terms/properties/active-sort"] = "true"
      }
      return [
        "href": .string(visit.spelled(link.href)), "title": JSONValue(link.title),
        "rel": "http://palaceproject.io/terms/rel/sort", "properties": .object(properties),
      ]
    }
  }

  private func facets(_ links: [Link]) -> [JSONValue] {
    var order: [String] = []
    var members: [String: [JSONValue]] = [:]
    for link in links {
      guard let facet = link.facet, facet.group != Link.Facet.order else { continue }
      if members[facet.group] == nil { order.append(facet.group) }
      var object: JSONObject = [
        "href": .string(visit.spelled(link.href)), "type": .string(link.type ?? ""),
        "title": JSONValue(link.title),
      ]
      if facet.isActive { object["rel"] = "self" }
      members[facet.group, default: []].append(.object(object))
    }
    return order.map { group in
      ["metadata": ["title": .string(group)], "links": .array(members[group] ?? [])]
    }
  }

  // MARK: Books

  private func publication(_ entry: Entry, at index: Int) -> JSONValue {
    let pictures = [Relation.image, Relation.thumbnail]
    let images = entry.links.filter { pictures.contains($0.rel ?? "") }
    let links = entry.links.filter { !pictures.contains($0.rel ?? "") && $0.type != nil }
    var object: JSONObject = [
      "metadata": .object(metadata(entry, at: index)), "links": .array(links.map(link)),
      "images": .array(images.map(link)),
    ]
    if quirks.contains(.nulls) { object["readingOrder"] = [] }
    return .object(object)
  }

  private func metadata(_ entry: Entry, at index: Int) -> JSONObject {
    var object: JSONObject = ["modified": .string(dates.written(entry.updated))]
    object["title"] =
      quirks.contains(.languageMaps) ? ["en": .string(entry.title)] : .string(entry.title)
    if !(quirks.contains(.missingIDs) && index % 3 == 2) {
      object["identifier"] =
        quirks.contains(.repeatedIDs) ? "urn:mock:the-same" : .string(entry.id)
    }
    guard let book = entry.book else { return object }
    object["@type"] =
      book.medium == "audiobook"
      ? "http://bib.schema.org/Audiobook" : "http://schema.org/EBook"
    if let subtitle = book.subtitle { object["subtitle"] = .string(subtitle) }
    // The first of several stands for all.
    object["author"] = people(Array(book.authors.prefix(1)))
    if let narrator = book.narrator { object["narrator"] = people([narrator]) }
    object["language"] =
      quirks.contains(.languageMaps) ? [.string(book.language)] : .string(book.language)
    object["publisher"] = ["name": .string(book.publisher)]
    object["published"] = .string(book.published)
    object["description"] = .string(
      quirks.contains(.hugeSummary) && index == 0
        ? String(repeating: "And then the story goes on. ", count: 80_000) : book.summary)
    if !book.subjects.isEmpty {
      object["subject"] = .array(
        book.subjects.map { subject in
          [
            "scheme": "http://www.bisg.org/standards/bisac_subject/", "name": .string(subject),
            "sortAs": .string(subject),
          ]
        })
    }
    if !book.isbn.isEmpty { object["altIdentifier"] = [.string("urn:isbn:\(book.isbn)")] }
    if let series = book.series {
      // Palace leaves out what kind of collection it is.
      let place = book.seriesPosition.flatMap { Int($0) } ?? 1
      object["belongsTo"] = ["name": .string(series), "position": .integer(place)]
    }
    if quirks.contains(.nulls) { object["imprint"] = .null }
    return object
  }

  /// An object; with the quirk a name alone.
  private func people(_ names: [String]) -> JSONValue {
    if quirks.contains(.languageMaps), names.count == 1 { return .string(names[0]) }
    let all = names.map { name -> JSONValue in ["name": .string(name)] }
    return all.count == 1 ? all[0] : .array(all)
  }

  // MARK: Links

  private func link(_ link: Link) -> JSONValue {
    var object: JSONObject = ["href": .string(visit.spelled(link.href))]
    if let rel = link.rel { object["rel"] = .string(relation(rel)) }
    if let type = link.type { object["type"] = .string(type) }
    if let title = link.title { object["title"] = .string(title) }
    if link.isTemplated { object["templated"] = true }
    var properties: JSONObject = [:]
    if !link.steps.isEmpty {
      properties["indirectAcquisition"] = .array(link.steps.map { steps($0[...]) })
    }
    if let terms = link.terms { tell(terms, of: link, in: &properties) }
    if let passphrase = link.passphrase {
      properties["lcp_hashed_passphrase"] = .string(passphrase)
    }
    if let token = link.clientToken {
      properties["licensor"] = ["vendor": .string(Visit.vendor), "clientToken": .string(token)]
    }
    if link.rel == Relation.shelf || link.rel == Relation.borrow {
      properties["authenticate"] = [
        "href": .string(visit.at("authentication_document")),
        "type": "application/opds-authentication+json",
      ]
    }
    if !properties.isEmpty { object["properties"] = .object(properties) }
    return .object(object)
  }

  private func relation(_ rel: String) -> String {
    if rel == Relation.profile { return "profile" }
    guard quirks.contains(.shortRelations) else { return rel }
    switch rel {
    case Relation.acquisition: return "acquisition"
    case Relation.borrow: return "borrow"
    case Relation.openAccess: return "download"
    default: return rel
    }
  }

  private func steps(_ path: ArraySlice<String>) -> JSONValue {
    var object: JSONObject = ["type": .string(path.first ?? "")]
    let rest = path.dropFirst()
    if !rest.isEmpty { object["child"] = [steps(rest)] }
    return .object(object)
  }

  /// A loan is `ready` in this language, which is `available` in the other.
  private func tell(_ terms: Link.Terms, of link: Link, in properties: inout JSONObject) {
    let isLoan = link.rel == Relation.acquisition
    var availability: JSONObject = [
      "state": .string(isLoan ? "ready" : terms.status.rawValue)
    ]
    if let since = terms.since { availability["since"] = .string(dates.precise(since)) }
    if let until = terms.until { availability["until"] = .string(dates.precise(until)) }
    properties["availability"] = .object(availability)
    if let copies = terms.copies {
      var object: JSONObject = ["total": .integer(copies.total)]
      if !quirks.contains(.oddHolds) { object["available"] = .integer(copies.available) }
      properties["copies"] = .object(object)
    }
    if let holds = terms.holds {
      var object: JSONObject = ["total": .integer(holds.total)]
      if let position = holds.position { object["position"] = .integer(position) }
      properties["holds"] = .object(object)
    }
    if terms.isCancellable { properties["actions"] = ["cancellable": true] }
  }
}
