import HTTP
import HTTPServer
import Markup
import MockKit

/// A publisher of its own free editions: everything in one long feed, several files to a book,
/// addresses without a host, and a character set in the types of links.
struct QuillPress {
  private let visit: Visit
  private let dates: Dates

  init(_ visit: Visit) { (self.visit, dates) = (visit, Dates(visit.quirks)) }

  func answer(_ place: Route.Place) throws(Failure) -> Response {
    switch place {
    case .pressRoot: return root
    case .pressSubjects: return subjects
    case .pressAll: return books("all", "All ebooks", visit.catalogue)
    case .pressNew:
      let newest = visit.sorted(visit.catalogue, by: "added").prefix(30)
      return books("new-releases", "New releases", Array(newest))
    case .pressSubject(let slug):
      let titles = visit.catalogue.filter { $0.subjects.contains { Visit.slug($0) == slug } }
      guard !titles.isEmpty else { throw .notFound }
      return books("subjects/\(slug)", titles[0].subjects.first ?? slug, titles)
    case .pressSearch: return search
    case .pressBook(let id):
      guard let title = visit.library.lending.titles[id] else { throw .notFound }
      let root = book(title, namespaces: Self.namespaces)
      return visit.kept(visit.written(XMLWriter.document(root), Self.entryType))
    default: throw .notFound
    }
  }

  private static let catalogType = "application/atom+xml;profile=opds-catalog"
  private static let acquisition = catalogType + ";kind=acquisition; charset=utf-8"
  private static let navigation = catalogType + ";kind=navigation; charset=utf-8"
  private static let entryType =
    "application/atom+xml;type=entry;profile=opds-catalog; charset=utf-8"
  private static let namespaces: [Attribute] = [
    .init("xmlns", "http://www.w3.org/2005/Atom"),
    .init("xmlns:dc", "http://purl.org/dc/terms/"), .init("xmlns:schema", "http://schema.org/"),
    .init("xmlns:fh", "http://purl.org/syndication/history/1.0"), .init("xml:lang", "en-US"),
  ]

  // MARK: Places to go to

  private var root: Response {
    feed(
      "/feeds/opds", visit.library.name, Self.navigation,
      [
        place("all", "All ebooks", Relation.crawlable, Self.acquisition),
        place("new-releases", "New releases", Relation.newest, Self.acquisition),
        place("subjects", "By subject", "subsection", Self.navigation),
      ])
  }

  private var subjects: Response {
    feed(
      "/feeds/opds/subjects", "By subject", Self.navigation,
      visit.subjects.map {
        place("subjects/\(Visit.slug($0))", $0, "subsection", Self.acquisition)
      })
  }

  private func place(_ path: String, _ title: String, _ rel: String, _ type: String) -> Node {
    .element(
      "entry", [],
      [
        link(rel, "/feeds/opds/\(path)", type), text("id", whole("/feeds/opds/\(path)")),
        text("title", title), text("updated", dates.written(visit.newest)),
        .element("content", [.init("type", "text")], [.text("\(title), newest first.")]),
      ])
  }

  // MARK: Books

  private func books(_ path: String, _ title: String, _ titles: [Title]) -> Response {
    feed(
      "/feeds/opds/\(path)", title, Self.acquisition,
      [tag("fh:complete")] + titles.map { book($0, namespaces: []) })
  }

  private var search: Response {
    guard let words = visit.request.query["query"] else {
      let root = Node.element(
        "OpenSearchDescription", [.init("xmlns", "http://a9.com/-/spec/opensearch/1.1/")],
        [
          text("ShortName", visit.library.name),
          tag(
            "Url",
            attributes: [
              .init("type", Self.acquisition),
              .init("template", whole("/ebooks?query={searchTerms}")),
            ]),
        ])
      return visit.written(XMLWriter.document(root), "application/opensearchdescription+xml")
    }
    let search = Search(words)
    return feed(
      "/ebooks?query=\(PercentCoding.encode(query: words))", "Search", Self.acquisition,
      visit.catalogue.filter(search.finds).map { book($0, namespaces: []) })
  }

  private func book(_ title: Title, namespaces: [Attribute]) -> Node {
    let page = "/ebooks/\(title.id)"
    var nodes = [
      text("id", whole(page)), text("dc:identifier", "url:\(whole(page))"),
      text("title", title.name),
    ]
    for author in title.authors {
      nodes.append(
        .element("author", [], [text("name", author), text("uri", whole("/authors/x"))]))
    }
    nodes += [
      text("dc:issued", dates.written(title.added)), text("updated", dates.written(title.changed)),
      text("dc:language", title.language), text("dc:publisher", visit.library.name),
      text("rights", "Public domain in many places."),
      .element("summary", [.init("type", "text")], [.text(PlainText.of(title.summary))]),
      .element("content", [.init("type", "text/html")], [.text(title.summary)]),
    ]
    for subject in title.subjects {
      nodes.append(
        tag(
          "category",
          attributes: [
            .init("scheme", "http://purl.org/dc/terms/LCSH"), .init("term", subject),
          ]))
    }
    nodes += [
      link(Relation.image, "/covers/\(title.id).png", "image/png"),
      link(Relation.thumbnail, "/covers/\(title.id)-small.png", "image/png"),
      link("alternate", page, Self.entryType),
    ]
    for format in title.formats {
      let type = format == "epub" ? Mechanism.epub : "application/pdf"
      let path = "\(page)/downloads/\(title.id).\(format)"
      nodes.append(
        tag(
          "link",
          attributes: [
            .init("href", spelled(path)), .init("length", "123456"),
            .init("rel", Relation.openAccess),
            .init("title", format == "epub" ? "Recommended compatible epub" : "PDF"),
            .init("type", type),
          ]))
    }
    return tag("entry", attributes: namespaces, children: nodes)
  }

  // MARK: Feeds

  private func feed(_ path: String, _ title: String, _ type: String, _ entries: [Node]) -> Response
  {
    let head = [
      text("id", whole(path)), link("self", path, type),
      link("start", "/feeds/opds", Self.navigation),
      link("search", "/opensearch", "application/opensearchdescription+xml; charset=utf-8"),
      text("title", title), text("updated", dates.written(visit.newest)),
      .element("author", [], [text("name", visit.library.name)]),
    ]
    let root = Node.element("feed", Self.namespaces, head + entries)
    return visit.kept(visit.written(XMLWriter.document(root), type))
  }

  private func link(_ rel: String, _ path: String, _ type: String) -> Node {
    tag("link", attributes: [.init("href", spelled(path)), .init("rel", rel), .init("type", type)])
  }

  private func whole(_ path: String) -> String { visit.home + path }

  /// Without the host.
  private func spelled(_ path: String) -> String {
    guard let slashes = visit.home.firstRange(of: "://"),
      let slash = visit.home[slashes.upperBound...].firstIndex(of: "/")
    else { return path }
    return visit.home[slash...] + path
  }

  private func text(_ name: Name, _ text: String) -> Node { .element(name, [], [.text(text)]) }
}

/// A summary without its markup.
enum PlainText {
  static func of(_ html: String) -> String {
    html.replacing(#/<[^>]*>/#, with: "").replacing("&amp;", with: "&")
  }
}
