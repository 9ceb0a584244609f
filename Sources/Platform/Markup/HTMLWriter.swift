/// Writes nodes as HTML. The tree says what a page means; this decides which of it may be said in
/// HTML: no text inside elements that HTML reads raw, no handler attributes, no script addresses.
/// A page that tries loses that part instead of gaining a hole.
package struct HTMLWriter {
  private var out = Escaping()

  /// A whole page: the root is `html`.
  package static func document(_ root: Node, reserving capacity: Int = 4096) -> [UInt8] {
    var writer = HTMLWriter()
    writer.out.bytes.reserveCapacity(capacity)
    writer.out.markup("<!doctype html>\n")
    writer.write(root)
    return writer.out.bytes
  }

  package static func fragment(_ nodes: [Node], reserving capacity: Int = 0) -> [UInt8] {
    var writer = HTMLWriter()
    writer.out.bytes.reserveCapacity(capacity)
    for node in nodes { writer.write(node) }
    return writer.out.bytes
  }

  private mutating func write(_ node: Node) {
    switch node {
    case .text(let text):
      out.text(text)
    case .element(let name, let attributes, let children):
      write(name, attributes, children)
    case .data(let block):
      start("script", block.attributes)
      out.json(block.json)
      out.markup("</script>")
    }
  }

  private mutating func write(_ name: Name, _ attributes: [Attribute], _ children: [Node]) {
    start(name, attributes)
    if name.isVoid { return }
    if !name.isRawText {
      // A parser drops the first line break after these tags, so one that is meant is doubled.
      if name.losesLineBreak, case .text(let text)? = children.first, text.utf8.first == 0x0A {
        out.markup("\n")
      }
      for child in children { write(child) }
    }
    out.markup("</")
    out.name(name)
    out.markup(">")
  }

  private mutating func start(_ name: Name, _ attributes: [Attribute]) {
    out.markup("<")
    out.name(name)
    for attribute in attributes { write(attribute) }
    out.markup(">")
  }

  private mutating func write(_ attribute: Attribute) {
    switch attribute.value {
    case .absent:
      return
    case .bare:
      if attribute.name.isHandler { return }
      out.markup(" ")
      out.name(attribute.name)
    case .text(let text):
      if attribute.name.isHandler { return }
      if attribute.name.isAddress, Address.runsScript(text) { return }
      out.markup(" ")
      out.name(attribute.name)
      out.markup("=\"")
      out.attribute(text)
      out.markup("\"")
    }
  }
}
