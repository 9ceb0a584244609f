import Markup
import XML

/// Names of elements and attributes by what their namespace stands for. Catalogues in the wild write
/// the namespace of Atom with https, or none at all, and forget to declare a prefix (§14.2).
enum Vocabulary: Hashable {
  case atom(String)
  case opds(String)
  case dublin(String)
  case thread(String)
  case search(String)
  case history(String)
  case schema(String)
  case bibframe(String)
  case opf(String)
  case simplified(String)
  case template(String)
  case lcp(String)
  case drm(String)
  case xml(String)
  case foreign

  static func name(of element: Element) -> Vocabulary { name(element.name, elsewhere: Self.atom) }

  /// An attribute without a prefix belongs to its element.
  static func name(of attribute: Element.Attribute) -> Vocabulary {
    name(attribute.name, elsewhere: Self.atom)
  }

  private static func name(
    _ name: QualifiedName, elsewhere plain: (String) -> Vocabulary
  ) -> Vocabulary {
    if let colon = name.local.lastIndex(of: ":") {
      let local = String(name.local[name.local.index(after: colon)...])
      return prefixes[String(name.local[..<colon]).lowercased()]?(local) ?? .foreign
    }
    guard let namespace = name.namespace, !namespace.isEmpty else { return plain(name.local) }
    let address = namespace.replacing("https://", with: "http://", maxReplacements: 1)
    return namespaces[address.hasSuffix("/") ? String(address.dropLast()) : address]?(name.local)
      ?? .foreign
  }

  private typealias Maker = @Sendable (String) -> Vocabulary

  private static let namespaces: [String: Maker] = [
    "http://www.w3.org/2005/Atom": { .atom($0) }, "http://purl.org/atom/ns#": { .atom($0) },
    "http://opds-spec.org/2010/catalog": { .opds($0) },
    "http://opds-spec.org": { .opds($0) },
    "http://purl.org/dc/terms": { .dublin($0) },
    "http://purl.org/dc/elements/1.1": { .dublin($0) },
    "http://purl.org/syndication/thread/1.0": { .thread($0) },
    "http://a9.com/-/spec/opensearch/1.1": { .search($0) },
    "http://a9.com/-/spec/opensearch/1.0": { .search($0) },
    "http://purl.org/syndication/history/1.0": { .history($0) },
    "http://schema.org": { .schema($0) },
    "http://bibframe.org/vocab": { .bibframe($0) },
    "http://www.idpf.org/2007/opf": { .opf($0) },
    "http://librarysimplified.org/terms": { .simplified($0) },
    "http://drafts.opds.io/odl-1.0#": { .template($0) },
    "http://readium.org/lcp-specs/ns": { .lcp($0) },
    "http://librarysimplified.org/terms/drm": { .drm($0) },
    Namespaces.xml: { .xml($0) },
  ]

  private static let prefixes: [String: Maker] = [
    "atom": { .atom($0) }, "opds": { .opds($0) }, "dc": { .dublin($0) },
    "dcterms": { .dublin($0) }, "thr": { .thread($0) }, "opensearch": { .search($0) },
    "fh": { .history($0) }, "schema": { .schema($0) }, "bibframe": { .bibframe($0) },
    "opf": { .opf($0) }, "simplified": { .simplified($0) }, "odl": { .template($0) },
    "lcp": { .lcp($0) }, "drm": { .drm($0) }, "xml": { .xml($0) },
  ]
}

extension Element {
  func all(_ name: Vocabulary) -> [Element] {
    elements.filter { Vocabulary.name(of: $0) == name }
  }

  func one(_ name: Vocabulary) -> Element? { all(name).first }

  func words(_ name: Vocabulary) -> String? {
    // An empty one may stand before the one that says something.
    all(name).lazy.compactMap { $0.text.words }.first
  }

  /// A name in one line: Atom lets it be text, HTML or XHTML.
  func title(_ name: Vocabulary) -> String? {
    all(name).lazy.compactMap { element in
      let isMarkup = ["html", "text/html"].contains(element["type"]?.lowercased() ?? "")
      let text = isMarkup ? PlainText.of(blurb: element.text) ?? "" : element.text
      return text.split(whereSeparator: \.isWhitespace).joined(separator: " ").words
    }.first
  }

  /// In its own vocabulary, or without any: prefixes on attributes are forgotten as often as not.
  func value(_ name: Vocabulary, or plain: String? = nil) -> String? {
    let found = attributes.first { Vocabulary.name(of: $0) == name }
    return (found?.value ?? plain.flatMap { self[$0] })?.words
  }

  func whole(_ name: String) -> Int? {
    self[name].flatMap { Int($0.filter { !$0.isWhitespace }) }
  }
}
