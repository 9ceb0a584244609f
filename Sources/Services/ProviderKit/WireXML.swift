package import XML

/// One element of an answer in XML, read the way its service meant it: names without namespaces and
/// in whatever case, text without the blanks around it, an empty element like a missing one.
package struct WireXML: Sendable {
  private let document: FlatDocument
  private let node: FlatDocument.Node

  private init(_ node: FlatDocument.Node, of document: FlatDocument) {
    (self.node, self.document) = (node, document)
  }

  /// The root of an answer. A document that is cut off or torn is refused even when it could be
  /// mended: half a shelf would pass for a whole one. What it may do is use the entities of HTML and
  /// hold bytes that are not text, which a blurb does now and then.
  /// `.recovering` mends what is torn, for catalogs of which one bad record must not keep the rest;
  /// it also closes what is cut off, so whoever asks for it has to look at the end first.
  package init(
    parsing body: [UInt8], _ tolerance: XMLOptions.Tolerance = .strict, charset: String? = nil
  ) throws(XMLError) {
    var options = XMLOptions.strict
    (options.entities, options.encodingFaults) = (.xhtml, .repaired)
    (options.tolerance, options.limits, options.charset) = (tolerance, Self.limits, charset)
    // Some services begin with an empty line, which a declaration may not follow.
    let start = body.firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? body.endIndex
    document = try FlatDocument(start == 0 ? body : Array(body[start...]), options)
    node = document.root
  }

  /// An answer is a page of something; the interfaces nest a dozen levels at most.
  private static let limits = XMLLimits(bytes: 16 << 20, depth: 64, nodes: 500_000)

  package var name: String { document.name(of: node) }

  package func isNamed(_ name: String) -> Bool { document.isElement(node, named: name) }

  // MARK: - What is inside

  /// The first child of that name.
  package subscript(name: String) -> WireXML? {
    document.child(of: node, named: name).map { WireXML($0, of: document) }
  }

  package var children: [WireXML] {
    var children: [WireXML] = []
    var next = document.first(in: node)
    while let child = next {
      if document.isElement(child) { children.append(WireXML(child, of: document)) }
      next = document.next(after: child)
    }
    return children
  }

  package func all(_ name: String) -> [WireXML] { children.filter { $0.isNamed(name) } }

  /// The children of one name within the child of another: `list("Item", in: "Holds")`.
  package func list(_ name: String, in list: String) -> [WireXML] { self[list]?.all(name) ?? [] }

  /// All below this one, however deep, in the order of the document.
  package func everywhere(_ name: String) -> [WireXML] {
    var found: [WireXML] = []
    var waiting = Array(children.reversed())
    while let element = waiting.popLast() {
      if element.isNamed(name) { found.append(element) }
      waiting += element.children.reversed()
    }
    return found
  }

  package func attribute(_ name: String) -> String? {
    document.attribute(of: node, named: name)?.trimmingBlanks
  }

  // MARK: - What it says

  /// Blanks and all.
  package var text: String { document.text(in: node) }

  /// A text with something in it. `nil="true"` is how some services write that there is none.
  package var words: String? { words(of: node) }

  private func words(of node: FlatDocument.Node) -> String? {
    let text = document.text(in: node).trimmingBlanks
    if text.isEmpty { return nil }
    let isNil = document.attribute(of: node, named: "nil")?.trimmingBlanks.lowercased() == "true"
    return isNil ? nil : text
  }

  package var whole: Int? { words.flatMap { Int($0.filter { $0 != "," && $0 != " " }) } }

  package var decimal: Double? { words.flatMap { Double($0) } }

  package var flag: Bool? {
    switch words?.lowercased() {
    case "true", "yes", "1", "y": true
    case "false", "no", "0", "n": false
    default: nil
    }
  }

  package func words(_ name: String) -> String? {
    document.child(of: node, named: name).flatMap { words(of: $0) }
  }

  package func whole(_ name: String) -> Int? { self[name]?.whole }
  package func flag(_ name: String) -> Bool? { self[name]?.flag }
}
