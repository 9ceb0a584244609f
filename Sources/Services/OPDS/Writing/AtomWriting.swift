import FoundationEssentials
import HTTP
import Markup
import ProviderKit

/// Feeds and entries as OPDS 1.2 (§2), by the list of quirks in §13.
enum AtomWriting {
  static func document(_ feed: Feed, _ shown: Shown) -> [UInt8] {
    var writer = XMLWriter(reserving: 4096 + shown.size)
    begin("feed", of: &writer)
    write(head(of: feed), to: &writer)
    if feed.lead == .books {
      for entry in shown.publications { write(entry, to: &writer) }
    }
    for entry in feed.navigation { writer.write(navigation(entry)) }
    if feed.lead == .lanes {
      for entry in shown.publications { write(entry, to: &writer) }
    }
    for (group, entries) in zip(feed.groups, shown.groups) {
      let link = group.link.map { lane -> Node in
        var lane = lane
        (lane.relations, lane.title) = ([.collection], group.title)
        return self.link(lane)
      }
      for entry in entries { write(entry, to: &writer, ending: link) }
    }
    return writer.finish()
  }

  static func document(entry: Rendered) -> [UInt8] {
    var writer = XMLWriter(reserving: entry.size + 1024)
    begin("entry", of: &writer, kind: entry.kind)
    writer.write(entry.piece)
    return writer.finish()
  }

  /// An entry that waits to be put into feeds: a feed of lanes adds a link to it.
  struct Rendered: Sendable {
    let kind: String?
    let piece: XMLWriter.Piece

    init(_ publication: Publication) {
      kind = publication.kind
      piece = XMLWriter.piece(AtomWriting.content(of: publication))
    }

    var size: Int { piece.bytes.count + 80 }
  }

  struct Shown {
    var publications: [Rendered]
    var groups: [[Rendered]]

    var size: Int {
      (publications + groups.flatMap { $0 }).reduce(0) { $0 + $1.size + 200 }
    }
  }

  private static func write(
    _ entry: Rendered, to writer: inout XMLWriter, ending last: Node? = nil
  ) {
    writer.begin("entry", .init("schema:additionalType", entry.kind))
    writer.write(entry.piece)
    if let last { writer.write(last) }
    writer.close()
  }

  private static func write(_ nodes: [Node], to writer: inout XMLWriter) {
    for node in nodes { writer.write(node) }
  }

  /// All prefixes on the root, spelled as readers expect them without looking (§1.1).
  private static func begin(_ name: Name, of writer: inout XMLWriter, kind: String? = nil) {
    writer.begin(
      name, .init("xmlns", "http://www.w3.org/2005/Atom"),
      .init("xmlns:opds", "http://opds-spec.org/2010/catalog"),
      .init("xmlns:dc", "http://purl.org/dc/terms/"),
      .init("xmlns:thr", "http://purl.org/syndication/thread/1.0"),
      .init("xmlns:opensearch", "http://a9.com/-/spec/opensearch/1.1/"),
      .init("xmlns:fh", "http://purl.org/syndication/history/1.0"),
      .init("xmlns:schema", "http://schema.org/"),
      .init("xmlns:bibframe", "http://bibframe.org/vocab/"),
      .init("xmlns:opf", "http://www.idpf.org/2007/opf"),
      .init("xmlns:app", "http://www.w3.org/2007/app"),
      .init("schema:additionalType", kind))
  }

  private static func head(of feed: Feed) -> [Node] {
    var nodes = [
      tag("id") { feed.id ?? feed.links.first(.own)?.href ?? "" },
      tag("title") { feed.title.composed },
    ]
    if let subtitle = feed.subtitle { nodes.append(tag("subtitle") { subtitle.composed }) }
    nodes += [
      tag("updated") { WireDate.written(feed.updated ?? Date(timeIntervalSince1970: 0)) },
      tag("author") { tag("name") { (feed.author ?? feed.title).composed } },
    ]
    if let total = feed.total { nodes.append(tag("opensearch:totalResults") { "\(total)" }) }
    if let count = feed.perPage { nodes.append(tag("opensearch:itemsPerPage") { "\(count)" }) }
    if let first = feed.first { nodes.append(tag("opensearch:startIndex") { "\(first)" }) }
    if feed.isComplete { nodes.append(tag("fh:complete")) }
    nodes += feed.links.map { link($0) }
    return nodes + feed.facets.flatMap(facets)
  }

  private static func facets(_ group: Feed.FacetGroup) -> [Node] {
    group.facets.map { facet in
      var link = facet.link
      link.relations = [.facet]
      return self.link(
        link,
        attributes: [
          .init("opds:facetGroup", group.title.composed),
          .init("opds:activeFacet", facet.isActive ? "true" : nil),
          .init("thr:count", facet.link.count),
        ])
    }
  }

  /// The link to the feed first of all, and no author (§13).
  private static func navigation(_ entry: Feed.NavigationEntry) -> Node {
    var nodes = [
      tag("title") { entry.title.composed },
      tag("id") { entry.id },
      tag("updated") { WireDate.written(entry.updated ?? Date(timeIntervalSince1970: 0)) },
    ]
    if let summary = entry.summary {
      nodes.append(tag("content", .init("type", "text")) { summary.composed })
    }
    nodes += entry.links.flatMap { link -> [Node] in
      // One relation a link: readers that know only one of two take the link for none.
      let relations = link.relations.isEmpty ? [.subsection] : link.relations
      return relations.map { relation in
        var one = link
        one.relations = [relation]
        return self.link(one, attributes: [.init("thr:count", link.count)])
      }
    }
    return tag("entry", attributes: [], children: nodes)
  }
}
