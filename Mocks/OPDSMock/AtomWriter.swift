import HTTP
import Markup
import MockKit

/// OPDS 1.2, as Palace's server writes it.
struct AtomWriter {
  private let visit: Visit
  private let dates: Dates
  private var quirks: Set<Quirk> { visit.quirks }

  init(_ visit: Visit) { (self.visit, dates) = (visit, Dates(visit.quirks)) }

  func feed(_ listing: Listing) -> [UInt8] {
    var children: [Node] = [
      text("id", listing.id), text("title", listing.title),
      text("updated", dates.written(listing.updated)),
    ]
    if let page = listing.page {
      children += [
        text("opensearch:totalResults", String(page.total)),
        text("opensearch:itemsPerPage", String(page.size)),
        text("opensearch:startIndex", String(page.start + 1)),
      ]
    }
    if let reader = listing.reader {
      children.append(
        tag(
          "simplified:patron",
          attributes: [.init("simplified:authorizationIdentifier", reader)]))
      children.append(
        .element(
          "drm:licensor", [.init("drm:vendor", Visit.vendor)],
          [text("drm:clientToken", Visit.clientToken(reader))]))
    }
    for (index, entry) in listing.entries.enumerated() {
      children.append(element(entry, namespaces: [], at: index))
    }
    children += listing.messages.map(message)
    // The links come last here, behind all books.
    children += listing.links.map(link)
    if quirks.contains(.badEntry) {
      children.insert(.element("entry", [], [text("id", "")]), at: 3)
    }
    return XMLWriter.document(.element("feed", namespaces, children))
  }

  func document(_ entry: Entry) -> [UInt8] {
    XMLWriter.document(element(entry, namespaces: namespaces, at: 0))
  }

  private var namespaces: [Attribute] {
    let scheme = quirks.contains(.httpsNamespace) ? "https" : "http"
    var all: [Attribute] = [
      .init("xmlns", "\(scheme)://www.w3.org/2005/Atom"),
      .init("xmlns:opds", "http://opds-spec.org/2010/catalog"),
      .init("xmlns:dcterms", "http://purl.org/dc/terms/"),
      .init("xmlns:schema", "http://schema.org/"),
      .init("xmlns:thr", "http://purl.org/syndication/thread/1.0"),
      .init("xmlns:opensearch", "http://a9.com/-/spec/opensearch/1.1/"),
      .init("xmlns:simplified", "http://librarysimplified.org/terms/"),
      .init("xmlns:bibframe", "http://bibframe.org/vocab/"),
      .init("xmlns:lcp", "http://readium.org/lcp-specs/ns"),
      .init("xmlns:odl", "http://drafts.opds.io/odl-1.0#"),
      .init("xmlns:drm", "http://librarysimplified.org/terms/drm"),
    ]
    if quirks.contains(.xmlBase) { all.append(.init("xml:base", visit.home + "/")) }
    return all
  }

  // MARK: Entries

  private func element(_ entry: Entry, namespaces: [Attribute], at index: Int) -> Node {
    var attributes = namespaces
    if let book = entry.book {
      attributes.append(
        .init(
          "schema:additionalType",
          book.medium == "audiobook" ? "http://bib.schema.org/Audiobook" : "http://schema.org/EBook"
        ))
    }
    var children: [Node] = [text("title", entry.title)]
    if !(quirks.contains(.missingIDs) && index % 3 == 2) {
      let id = quirks.contains(.repeatedIDs) ? "urn:mock:the-same" : entry.id
      children.insert(text("id", id), at: 0)
    }
    // A place to go to has no date, though each entry should.
    if entry.note == nil { children.append(text("updated", dates.written(entry.updated))) }
    if let book = entry.book { children += about(book, at: index) }
    if let note = entry.note {
      children.append(.element("content", [.init("type", "text")], [.text(note)]))
    }
    if let lane = entry.lane {
      children.append(
        tag(
          "link",
          attributes: [
            .init("rel", "collection"), .init("href", address(lane.href)),
            .init("title", lane.title),
          ]))
    }
    return tag("entry", attributes: attributes, children: children + entry.links.map(link))
  }

  private func about(_ book: Title, at index: Int) -> [Node] {
    var nodes: [Node] = []
    if let subtitle = book.subtitle { nodes.append(text("schema:alternativeHeadline", subtitle)) }
    for author in book.authors { nodes.append(.element("author", [], [text("name", author)])) }
    if let narrator = book.narrator {
      nodes.append(
        .element(
          "contributor",
          [.init("opf:role", "nrt"), .init("xmlns:opf", "http://www.idpf.org/2007/opf")],
          [text("name", narrator)]))
    }
    if let series = book.series {
      // The place stands in Atom's namespace, as it does at Palace.
      let place = book.seriesPosition.map { [text("position", $0)] } ?? []
      nodes.append(tag("schema:series", attributes: [.init("name", series)], children: place))
    }
    for subject in book.subjects {
      nodes.append(
        tag(
          "category",
          attributes: [
            .init("scheme", "http://www.bisg.org/standards/bisac_subject/"), .init("term", subject),
            .init("label", subject),
          ]))
    }
    nodes += [
      .element(
        "summary", [.init("type", "html")], [.text(summary(of: book, at: index))]),
      text("dcterms:language", book.language), text("dcterms:publisher", book.publisher),
      text("dcterms:issued", book.published),
      text("published", dates.written(book.added)),
      tag("bibframe:distribution", attributes: [.init("bibframe:ProviderName", "Mock Lender")]),
    ]
    if !book.isbn.isEmpty { nodes.append(text("dcterms:identifier", "urn:isbn:\(book.isbn)")) }
    return nodes
  }

  private func summary(of book: Title, at index: Int) -> String {
    if quirks.contains(.hugeSummary), index == 0 {
      return String(repeating: "And then the story goes on. ", count: 80_000)
    }
    guard quirks.contains(.escapedTwice) else { return book.summary }
    return book.summary.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  /// What stands in the place of an entry that could not be made.
  private func message(_ id: String) -> Node {
    .element(
      "simplified:message", [],
      [
        text("id", id), text("simplified:status_code", "404"),
        text("schema:description", "I've never heard of this work."),
      ])
  }

  // MARK: Links

  private func link(_ link: Link) -> Node {
    var attributes: [Attribute] = [
      .init("rel", link.rel), .init("href", address(link.href)), .init("type", link.type),
      .init("title", link.title),
    ]
    if let facet = link.facet {
      attributes.append(.init("opds:facetGroup", facet.group))
      if facet.isActive { attributes.append(.init("opds:activeFacet", "true")) }
      if facet.isEntryPoint {
        attributes.append(
          .init(
            "simplified:facetGroupType", "http://librarysimplified.org/terms/rel/entrypoint"))
      }
    }
    var children = link.steps.map { Self.steps($0[...]) }
    if let terms = link.terms { children += self.terms(terms) }
    if let passphrase = link.passphrase {
      children.append(text("lcp:hashed_passphrase", passphrase))
    }
    if let token = link.clientToken {
      children.append(
        .element(
          "drm:licensor", [.init("drm:vendor", Visit.vendor)], [text("drm:clientToken", token)]))
    }
    // Palace's name for a link that is to be filled in, and that no other reader follows.
    let name: Name = link.isTemplated ? "odl:tlink" : "link"
    return tag(name, attributes: attributes, children: children)
  }

  private static func steps(_ path: ArraySlice<String>) -> Node {
    let rest = path.dropFirst()
    return tag(
      "opds:indirectAcquisition", attributes: [.init("type", path.first)],
      children: rest.isEmpty ? [] : [steps(rest)])
  }

  private func terms(_ terms: Link.Terms) -> [Node] {
    var nodes = [
      tag(
        "opds:availability",
        attributes: [
          .init("status", terms.status.rawValue), .init("since", terms.since.map(dates.precise)),
          .init("until", terms.until.map(dates.precise)),
        ])
    ]
    if let holds = terms.holds {
      nodes.append(
        tag(
          "opds:holds",
          attributes: [
            .init("total", holds.total), .init("position", holds.position),
          ]))
    }
    if let copies = terms.copies {
      let free = quirks.contains(.oddHolds) ? nil : copies.available
      nodes.append(
        tag("opds:copies", attributes: [.init("total", copies.total), .init("available", free)]))
    }
    return nodes
  }

  private func address(_ href: String) -> String { visit.spelled(href) }

  private func text(_ name: Name, _ text: String) -> Node { .element(name, [], [.text(text)]) }
}

/// Moments as this server writes them.
struct Dates {
  private let quirks: Set<Quirk>

  init(_ quirks: Set<Quirk>) { self.quirks = quirks }

  func written(_ moment: Moment) -> String {
    let text = moment.text
    let bare = text.hasSuffix("Z") ? String(text.dropLast()) : text
    if quirks.contains(.zonelessDates) { return bare }
    if quirks.contains(.fractionalDates) { return bare + ".123456+00:00" }
    return text
  }

  /// With the zone in figures, as Python writes it.
  func precise(_ moment: Moment) -> String {
    let text = written(moment)
    return text.hasSuffix("Z") ? text.dropLast() + "+00:00" : text
  }
}
