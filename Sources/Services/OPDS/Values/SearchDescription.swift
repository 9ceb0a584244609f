package import HTTP

/// What an OpenSearch description says of searching (§2.7).
package struct SearchDescription: Sendable, Hashable {
  package var name: String
  package var templates: [SearchTemplate]

  package init(name: String, templates: [SearchTemplate]) {
    (self.name, self.templates) = (name, templates)
  }

  /// The one that brings a feed; a page for people is none.
  package var best: SearchTemplate? {
    templates.first { $0.type?.isCatalog == true } ?? templates.first { $0.type == nil }
  }
}

/// An address with places for what is looked for, in either way of writing them: `{searchTerms}`
/// with its optional brethren (OpenSearch), and `{?query,title}` (RFC 6570).
package struct SearchTemplate: Sendable, Hashable {
  package var text: String
  package var type: MediaType?

  package init(_ text: String, type: MediaType?) { (self.text, self.type) = (text, type) }

  /// Nil where the words have no place in it.
  package func address(for words: String) -> Address? {
    // Some encode the braces as well.
    let text = text.replacing("%7B", with: "{").replacing("%7D", with: "}")
      .replacing("%7b", with: "{").replacing("%7d", with: "}")
    var out = ""
    var rest = Substring(text)
    var hasPlace = false
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { return nil }
      out += rest[..<open]
      let filled = Self.filled(rest[rest.index(after: open)..<close], words, after: out)
      hasPlace = hasPlace || filled.hasWords
      out += filled.text
      rest = rest[rest.index(after: close)...]
    }
    guard hasPlace else { return nil }
    return try? Address(Address.escaped(out + rest))
  }

  private static func filled(_ expression: Substring, _ words: String, after before: String)
    -> (text: String, hasWords: Bool)
  {
    let encoded = Address.encoded(words)
    guard let sign = expression.first, "?&".contains(sign) else {
      let name = expression.drop { "+#/;.".contains($0) }.prefix { $0 != "?" }
      let isPlace = places.contains(name.lowercased())
      return (isPlace ? encoded : preset[name.lowercased()] ?? "", isPlace)
    }
    let names = expression.dropFirst().split(separator: ",").map { $0.filter { $0 != "*" } }
    guard let name = names.first(where: { places.contains($0.lowercased()) }) else {
      return ("", false)
    }
    let joint = sign == "&" || before.contains("?") ? "&" : "?"
    return ("\(joint)\(name)=\(encoded)", true)
  }

  private static let places: Set<String> = ["searchterms", "query", "q", "searchterm", "terms"]
  /// What a page begins with where a template insists on being told.
  private static let preset: [String: String] = [
    "startpage": "1", "startindex": "1", "language": "*", "inputencoding": "UTF-8",
    "outputencoding": "UTF-8",
  ]
}
