import Circulation
import FoundationEssentials
import HTTP
import Markup
import ProviderKit

extension AtomWriting {
  /// What stands inside an entry, in the order that the pickiest readers want it (§13.4).
  static func content(of publication: Publication) -> [Node] {
    var nodes = [
      tag("title") { publication.title.composed },
      tag("id") { publication.id },
      tag("updated") { WireDate.written(publication.updated ?? Date(timeIntervalSince1970: 0)) },
    ]
    nodes += people(publication)
    if let added = publication.added {
      nodes.append(tag("published") { WireDate.written(added) })
    }
    if let edited = publication.edited {
      nodes.append(tag("app:edited") { WireDate.written(edited) })
    }
    nodes += description(of: publication)
    if let summary = publication.summary {
      nodes.append(self.summary(summary))
    }
    if let note = publication.note {
      nodes.append(tag("content", .init("type", "text")) { note.composed })
    }
    if let source = publication.source {
      nodes.append(
        tag("source") {
          tag("id") { source.id }
          tag("title") { source.title.composed }
          tag("updated") { WireDate.written(source.updated) }
        })
    }
    let (told, others) = (
      publication.links.filter { $0.has(.own) || $0.has(.alternate) },
      publication.links.filter { !$0.has(.own) && !$0.has(.alternate) }
    )
    nodes += told.map { link($0) } + publication.images.map { link($0) }
    nodes += publication.acquisitions.map(acquisition)
    return nodes + others.map { link($0) }
  }

  private static func people(_ publication: Publication) -> [Node] {
    let authors = publication.contributors.filter { Roles.role($0.role) == .author }
    let others = publication.contributors.filter { Roles.role($0.role) != .author }
    return authors.map { person in tag("author") { tag("name") { person.name.composed } } }
      + others.map { person in
        tag("contributor", .init("opf:role", Roles.code(Roles.role(person.role)))) {
          tag("name") { person.name.composed }
        }
      }
  }

  private static func description(of publication: Publication) -> [Node] {
    var nodes: [Node] = []
    if let subtitle = publication.subtitle {
      nodes.append(tag("schema:alternativeHeadline") { subtitle.composed })
    }
    nodes += publication.series.map { place in
      tag(
        "schema:series", .init("schema:name", place.name.composed),
        .init("schema:position", place.position.map(Numbers.plain)))
    }
    nodes += publication.languages.map { language in tag("dc:language") { language } }
    if let publisher = publication.publisher {
      nodes.append(tag("dc:publisher") { publisher.composed })
    }
    if let issued = publication.issued { nodes.append(tag("dc:issued") { issued.description }) }
    nodes += publication.identifiers.map { name in tag("dc:identifier") { name } }
    nodes += publication.subjects.compactMap { subject in
      guard let label = subject.words else { return nil }
      return tag(
        "category", .init("scheme", subject.scheme), .init("term", subject.code ?? label),
        .init("label", label.composed))
    }
    if let distributor = publication.distributor {
      nodes.append(
        tag("bibframe:distribution", .init("bibframe:ProviderName", distributor.composed)))
    }
    return nodes
  }

  /// A summary is plain (§2.1); what has markup is content.
  private static func summary(_ summary: Publication.Summary) -> Node {
    switch summary.form {
    case .plain: tag("summary", .init("type", "text")) { summary.text.composed }
    case .markup: tag("content", .init("type", "html")) { summary.text.composed }
    }
  }

  static func link(
    _ link: Link, attributes: [Attribute] = [], children: [Node] = []
  ) -> Node {
    let relations = link.relations.map(\.rawValue).joined(separator: " ")
    return tag(
      "link",
      attributes: [
        .init("rel", relations.isEmpty ? nil : relations), .init("href", link.href),
        .init("type", link.type?.compact), .init("title", link.title?.composed),
      ] + attributes, children: children)
  }

  private static func acquisition(_ way: Acquisition) -> Node {
    var children = way.indirections.map(indirection)
    children += way.prices.map { price in
      tag("opds:price", .init("currencycode", price.currency)) { price.amount }
    }
    if let availability = way.availability {
      children.append(
        tag(
          "opds:availability", .init("status", availability.state.rawValue),
          .init("since", availability.since.map(WireDate.written)),
          .init("until", availability.until.map(WireDate.written))))
    }
    if let copies = way.copies {
      // An app fails where one of the two is missing (§3).
      children.append(
        tag(
          "opds:copies", .init("total", copies.total ?? copies.available ?? 0),
          .init("available", copies.available ?? 0)))
    }
    if let holds = way.holds {
      children.append(
        tag("opds:holds", .init("total", holds.total), .init("position", holds.position)))
    }
    if let keys = way.keys { children += self.keys(keys) }
    return link(way.link, children: children)
  }

  /// Their prefixes are declared where they stand: few entries have any.
  private static func keys(_ keys: LoanKeys) -> [Node] {
    var nodes: [Node] = []
    if let passphrase = keys.passphrase {
      nodes.append(
        tag("lcp:hashed_passphrase", .init("xmlns:lcp", "http://readium.org/lcp-specs/ns")) {
          passphrase
        })
    }
    if let licensor = keys.licensor {
      nodes.append(
        tag(
          "drm:licensor", .init("xmlns:drm", "http://librarysimplified.org/terms/drm"),
          .init("drm:vendor", licensor.vendor), .init("drm:scheme", licensor.scheme)
        ) { tag("drm:clientToken") { licensor.clientToken } })
    }
    return nodes
  }

  private static func indirection(_ step: Acquisition.Indirection) -> Node {
    tag(
      "opds:indirectAcquisition", attributes: [.init("type", step.type.compact)],
      children: step.children.map(indirection))
  }
}

extension Roles {
  /// The code of MARC relators.
  static func code(_ role: Contributor.Role) -> String {
    switch role {
    case .author: "aut"
    case .narrator: "nrt"
    case .editor: "edt"
    case .illustrator: "ill"
    case .translator: "trl"
    case .photographer: "pht"
    case .adapter: "adp"
    case .composer: "cmp"
    case .performer: "prf"
    case .director: "drt"
    case .producer: "pro"
    case .artist: "art"
    case .compiler: "com"
    case .authorOfIntroduction: "aui"
    case .contributor: "ctb"
    }
  }
}

extension Numbers {
  /// `2`, and `2.5` where it must be.
  package static func plain(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
