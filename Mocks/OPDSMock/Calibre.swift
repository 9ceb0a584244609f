import Crypto
import HTTP
import HTTPServer
import JSON
import Markup
import MockKit

/// The content server of calibre with its own ways: types without a kind, links without a relation,
/// words of a search in the path, 404 where nothing is found, old names of covers, several authors in
/// one, and a file's time among the attributes of its link.
struct Calibre {
  private let visit: Visit
  private let dates: Dates

  init(_ visit: Visit) { (self.visit, dates) = (visit, Dates(visit.quirks)) }

  func answer(_ place: Route.Place) throws(Failure) -> Response {
    switch place {
    case .calibreRoot: return root
    case .calibreDescription: return openSearch
    case .calibreSearch(let words):
      let search = Search(words)
      let found = visit.catalogue.filter(search.finds)
      guard !found.isEmpty else { throw .notFound }
      return page(found, "search/\(PercentCoding.encode(segment: words))")
    case .calibreList(let code):
      guard let bytes = try? Hex.decode(code) else { throw .notFound }
      switch String(decoding: bytes, as: UTF8.self) {
      case "Onewest": return page(visit.sorted(visit.catalogue, by: "added"), "navcatalog/\(code)")
      case "Otitle": return page(visit.sorted(visit.catalogue, by: "title"), "navcatalog/\(code)")
      case "Nauthors": return authors
      case let word where word.hasPrefix("A"):
        let name = word.dropFirst()
        return page(visit.catalogue.filter { Self.joined($0) == name }, "navcatalog/\(code)")
      default: throw .notFound
      }
    default: throw .notFound
    }
  }

  private static let type = "application/atom+xml;type=feed;profile=opds-catalog"

  private static func code(_ word: String) -> String { Hex.encode(Array(word.utf8)) }

  /// A comma in a name is written as a bar, and between names there is an ampersand.
  private static func joined(_ title: Title) -> String {
    title.authors.map { $0.replacing(",", with: "|") }.joined(separator: " & ")
  }

  // MARK: Places to go to

  private var root: Response {
    let places = [("Newest", "Onewest"), ("Title", "Otitle"), ("Authors", "Nauthors")]
    return feed(
      "", places.map { name, word in place("By \(name)", "Books sorted by \(name)", word) })
  }

  private var authors: Response {
    let names = Set(visit.catalogue.map(Self.joined)).sorted()
    return feed(
      "navcatalog/\(Self.code("Nauthors"))",
      names.map { place($0, "One or more books", "A\($0)") })
  }

  private func place(_ title: String, _ note: String, _ word: String) -> Node {
    let code = Self.code(word)
    return .element(
      "entry", [],
      [
        text("title", title), text("id", "calibre-navcatalog:\(code)"),
        text("updated", dates.precise(visit.newest)),
        .element("content", [.init("type", "text")], [.text(note)]),
        tag(
          "link",
          attributes: [
            .init("type", Self.type), .init("href", spelled("opds/navcatalog/\(code)")),
          ]),
      ])
  }

  private var openSearch: Response {
    let root = Node.element(
      "OpenSearchDescription", [.init("xmlns", "http://a9.com/-/spec/opensearch/1.1/")],
      [
        text("ShortName", "calibre"),
        tag(
          "Url",
          attributes: [
            .init("type", "application/atom+xml"),
            .init("template", visit.home + "/opds/search/{searchTerms}"),
          ]),
      ])
    return visit.written(XMLWriter.document(root), "application/opensearchdescription+xml")
  }

  // MARK: Books

  private func page(_ titles: [Title], _ path: String) -> Response {
    let size = visit.library.settings["page_size"]?.integer ?? 30
    let offset = max(0, visit.request.query["offset"].flatMap { Int($0) } ?? 0)
    let count = titles.count
    var links: [Node] = []
    func link(_ rel: String, _ offset: Int) {
      let href = spelled("opds/\(path)?offset=\(offset)")
      links.append(
        tag("link", attributes: [.init("rel", rel), .init("type", Self.type), .init("href", href)]))
    }
    link("first", 0)
    link("last", max(0, (count - 1) / size * size))
    if offset > 0 { link("previous", max(0, offset - size)) }
    if offset + size < count { link("next", offset + size) }
    return feed(path, links + titles.dropFirst(offset).prefix(size).map(book))
  }

  private func book(_ title: Title) -> Node {
    let written = dates.precise(title.changed)
    var lines = ["TAGS: \(title.subjects.joined(separator: ", "))"]
    if let series = title.series {
      lines.append("SERIES: \(series) [\(title.seriesPosition ?? "1")]")
    }
    var content: [Node] = lines.flatMap { [.text($0), tag("br")] }
    content.append(.element("p", [], [.text(PlainText.of(title.summary))]))
    var nodes: [Node] = [
      text("title", title.name), .element("author", [], [text("name", Self.joined(title))]),
      text("id", Visit.urn(title.id)), text("updated", written), text("published", written),
      text("dc:language", title.language),
      .element(
        "content", [.init("type", "xhtml")],
        [.element("div", [.init("xmlns", "http://www.w3.org/1999/xhtml")], content)]),
    ]
    for format in title.formats {
      let type = format == "epub" ? Mechanism.epub : "application/pdf"
      nodes.append(
        tag(
          "link",
          attributes: [
            .init("rel", Relation.acquisition), .init("type", type),
            .init("href", spelled("get/\(format)/\(title.id)/shelf")), .init("length", "123456"),
            .init("mtime", written),
          ]))
    }
    let covers: [(String, String)] = [
      ("http://opds-spec.org/cover", "cover"), (Relation.image, "cover"),
      ("http://opds-spec.org/thumbnail", "thumb"), (Relation.thumbnail, "thumb"),
    ]
    for (rel, name) in covers {
      nodes.append(
        tag(
          "link",
          attributes: [
            .init("type", "image/jpeg"), .init("href", spelled("get/\(name)/\(title.id)/shelf")),
            .init("rel", rel),
          ]))
    }
    return .element("entry", [], nodes)
  }

  // MARK: Feeds

  private func feed(_ path: String, _ children: [Node]) -> Response {
    let head = [
      text("title", "calibre Library"), text("subtitle", "Books in your library"),
      .element("author", [], [text("name", "calibre"), text("uri", "https://calibre-ebook.com")]),
      text("id", "urn:calibre:main"),
      text("updated", dates.precise(visit.newest)),
      tag(
        "link",
        attributes: [
          .init("type", "application/opensearchdescription+xml"), .init("rel", "search"),
          .init("title", "Search"), .init("href", spelled("opds/opensearch.xml")),
        ]),
      tag(
        "link",
        attributes: [
          .init("type", "application/atom+xml"), .init("rel", "search"), .init("title", "Search"),
          .init("href", spelled("opds/search/{searchTerms}")),
        ]),
      tag(
        "link",
        attributes: [
          .init("type", Self.type), .init("rel", "start"), .init("href", spelled("opds")),
        ]),
    ]
    let root = Node.element(
      "feed",
      [
        .init("xmlns", "http://www.w3.org/2005/Atom"),
        .init("xmlns:dc", "http://purl.org/dc/terms/"),
        .init("xmlns:opds", "http://opds-spec.org/2010/catalog"),
      ], head + children)
    return visit.kept(
      visit.written(XMLWriter.document(root), "application/atom+xml; charset=UTF-8"))
  }

  /// Without the host.
  private func spelled(_ path: String) -> String {
    guard let slashes = visit.home.firstRange(of: "://"),
      let slash = visit.home[slashes.upperBound...].firstIndex(of: "/")
    else { return path }
    return "\(visit.home[slash...])/\(path)"
  }

  private func text(_ name: Name, _ text: String) -> Node { .element(name, [], [.text(text)]) }
}

extension Visit {
  /// A catalogue that gives its books away. Some of them answer a name they did not ask for with an
  /// error.
  func free(_ state: WorldState) throws(Failure) -> Response {
    guard library.id == "calibre" else { return try QuillPress(self).answer(route.place) }
    if request.headers["Authorization"] != nil {
      throw Failure(
        .badRequest, "about:blank", "Bad request", "Unsupported authentication method.")
    }
    return try Calibre(self).answer(route.place)
  }
}
