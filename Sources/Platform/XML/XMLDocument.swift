package import Markup

/// A whole document as a tree, for documents that are known to be small: a container, a package,
/// one page of a feed.
package struct XMLDocument: Sendable {
  package let root: Element
  package let warnings: [XMLError]

  package init(_ bytes: [UInt8], _ options: XMLOptions = .strict) throws(XMLError) {
    var reader = XMLReader(bytes, options)
    var open: [Element] = []
    var root: Element?
    var nodes = 0
    while let event = try reader.next() {
      switch event {
      case .start(let start):
        nodes += 1 + start.attributes.count
        open.append(
          Element(
            start.name, attributes: start.attributes,
            line: Int32(clamping: start.position.line)))
      case .text(let text):
        nodes += 1
        if !open.isEmpty { open[open.count - 1].children.append(.text(text)) }
      case .end:
        guard let element = open.popLast() else { continue }
        if open.isEmpty {
          root = root ?? element
        } else {
          open[open.count - 1].children.append(.element(element))
        }
      case .comment, .instruction:
        // They would split texts, and nobody asks a tree for them.
        continue
      }
      if nodes > options.limits.nodes {
        throw XMLError(.tooLarge(.nodes, limit: options.limits.nodes))
      }
    }
    guard let root else { throw XMLError(.empty) }
    self.root = root
    warnings = reader.warnings
  }
}
