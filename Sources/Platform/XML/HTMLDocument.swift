package import Markup

/// Any HTML, however broken, as a tree: a page of a library, a blurb, a chapter that is no XHTML.
/// Names are in lower case; SVG and MathML have their namespaces, HTML has none.
///
/// This is not libxml2's HTML parser: that one walks all open elements at every stray end tag, and
/// 280 KB of `<b>` and `</i>` keep it busy for three seconds. Here the work is linear in the input,
/// and what is too deep is flattened into the last element that is not.
package struct HTMLDocument: Sendable {
  package static let limits = XMLLimits(bytes: 8 << 20, depth: 256, nodes: 200_000)

  package let content: [Content]

  /// The encoding is, in this order: the byte order mark's, the transport's, the one a `meta`
  /// names, UTF-8 with stray bytes read as windows-1252.
  package init(_ bytes: [UInt8], charset: String? = nil, limits: XMLLimits = HTMLDocument.limits)
    throws(XMLError)
  {
    guard bytes.count <= limits.bytes else {
      throw XMLError(.tooLarge(.bytes, limit: limits.bytes))
    }
    let (encoding, mark) = HTMLDocument.encoding(of: bytes, charset)
    guard var decoder = Decoder(encoding, repairs: true) ?? Decoder(.utf8, repairs: true) else {
      throw XMLError(.encoding(.unknown(encoding.name)))
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    do {
      try decoder.decode(bytes[mark...], isLast: true, into: &text)
    } catch {
      // A decoder that repairs refuses nothing; if it did, the reason would be this.
      throw XMLError(.encoding(.invalidBytes(encoding)))
    }
    try self.init(utf8: text, limits)
  }

  package init(text: String, limits: XMLLimits = HTMLDocument.limits) throws(XMLError) {
    guard text.utf8.count <= limits.bytes else {
      throw XMLError(.tooLarge(.bytes, limit: limits.bytes))
    }
    try self.init(utf8: Array(text.utf8), limits)
  }

  private init(utf8: [UInt8], _ limits: XMLLimits) throws(XMLError) {
    var tree = HTMLTree(utf8, limits)
    content = try tree.build()
  }

  /// All of it under one element, to look things up in.
  package var root: Element { Element(QualifiedName("#document"), children: content) }

  private static func encoding(of bytes: [UInt8], _ charset: String?) -> (TextEncoding, mark: Int) {
    if let mark = TextEncoding.mark(of: bytes) { return (mark.encoding, mark.length) }
    if let charset, let known = TextEncoding(label: charset) { return (known, 0) }
    let head = String(decoding: bytes.prefix(1024).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
      .lowercased()
    guard let key = head.firstRange(of: "charset") else { return (.utf8, 0) }
    let label = head[key.upperBound...].drop { " =\"'\t\n\r".contains($0) }
      .prefix { !" \"';/>\t\n\r".contains($0) }
    // A document in UTF-16 could not have been searched for this.
    guard let declared = TextEncoding(label: String(label)), !declared.isUTF16 else {
      return (.utf8, 0)
    }
    return (declared, 0)
  }
}
