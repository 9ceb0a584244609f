/// Writes nodes as XML 1.0 in UTF-8. Namespaces are prefixes declared where they are needed, as
/// ordinary attributes (`xmlns:opds`), the way a person would write the feed.
package struct XMLWriter {
  /// Bytes an `XMLWriter` made earlier, kept to be put into another document: an entry of a feed
  /// is rendered once. Only a writer can make one, so it is no way around escaping.
  package struct Piece: Sendable, Hashable {
    package let bytes: [UInt8]
    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  package enum Declaration: Sendable { case written, omitted }

  private var out = Escaping()
  private var open: [Name] = []

  package init(_ declaration: Declaration = .written, reserving capacity: Int = 0) {
    out.bytes.reserveCapacity(capacity)
    if declaration == .written { out.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") }
  }

  package static func document(_ root: Node, reserving capacity: Int = 4096) -> [UInt8] {
    var writer = XMLWriter(.written, reserving: capacity)
    writer.write(root)
    return writer.finish()
  }

  package static func piece(_ nodes: [Node]) -> Piece {
    var writer = XMLWriter(.omitted)
    for node in nodes { writer.write(node) }
    return Piece(writer.out.bytes)
  }

  package mutating func write(_ node: Node) {
    switch node {
    case .text(let text):
      out.text(text)
    case .element(let name, let attributes, let children):
      start(name, attributes)
      if children.isEmpty {
        out.markup("/>")
      } else {
        out.markup(">")
        for child in children { write(child) }
        end(name)
      }
    case .data(let block):
      start("script", block.attributes)
      out.markup(">")
      out.json(block.json)
      end("script")
    }
  }

  package mutating func write(_ piece: Piece) { out.bytes += piece.bytes }

  /// Starts an element whose content is written piece by piece; `finish` closes what is open.
  package mutating func begin(_ name: Name, _ attributes: Attribute...) {
    start(name, attributes)
    out.markup(">")
    open.append(name)
  }

  package mutating func close() {
    if let name = open.popLast() { end(name) }
  }

  package consuming func finish() -> [UInt8] {
    while !open.isEmpty { close() }
    return out.bytes
  }

  private mutating func start(_ name: Name, _ attributes: [Attribute]) {
    out.markup("<")
    out.name(name)
    for attribute in attributes {
      if attribute.value == .absent { continue }
      out.markup(" ")
      out.name(attribute.name)
      out.markup("=\"")
      switch attribute.value {
      case .text(let text): out.attribute(text)
      case .bare: out.name(attribute.name)
      case .absent: break
      }
      out.markup("\"")
    }
  }

  private mutating func end(_ name: Name) {
    out.markup("</")
    out.name(name)
    out.markup(">")
  }
}

extension DataBlock {
  var attributes: [Attribute] {
    let type =
      switch format {
      case .json: "application/json"
      case .linkedData: "application/ld+json"
      }
    return [Attribute("type", type)] + (id.map { [Attribute("id", $0)] } ?? [])
  }
}
