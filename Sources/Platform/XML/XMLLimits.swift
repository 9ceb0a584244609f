/// How much of a document is read before it is refused. Every limit is always on: a parameter may
/// move one, and only as far as its ceiling, so that no caller can open the door by mistake.
package struct XMLLimits: Sendable, Hashable {
  package enum Measure: Sendable, Hashable {
    case bytes, attributes, tag, name, text, namespaces, doctype, nodes, vocabulary
  }

  /// Of the whole document, as it comes in.
  package let bytes: Int
  /// Elements within elements. The ceiling is what releasing a tree, which is recursive, bears.
  package let depth: Int
  package let attributes: Int
  /// Bytes of one start tag, hence of one attribute's value.
  package let tag: Int
  package let name: Int
  /// Bytes between two tags; of a comment too.
  package let text: Int
  /// Elements, attributes and texts of a tree.
  package let nodes: Int

  /// Namespace declarations in force at one place: each attribute looks through them.
  static let namespaces = 256
  static let doctype = 64 << 10
  /// What libxml2 keeps of distinct names before it stops by itself.
  static let vocabulary = 10_000_000

  package init(
    bytes: Int = 32 << 20, depth: Int = 256, attributes: Int = 256, tag: Int = 1 << 20,
    name: Int = 1000, text: Int = 4 << 20, nodes: Int = 1_000_000
  ) {
    func bounded(_ value: Int, _ ceiling: Int) -> Int { min(max(value, 1), ceiling) }
    self.bytes = bounded(bytes, 16 << 30)
    self.depth = bounded(depth, 512)
    self.attributes = bounded(attributes, 1024)
    self.tag = bounded(tag, 4 << 20)
    self.name = bounded(name, 8000)
    self.text = bounded(text, 8 << 20)
    self.nodes = bounded(nodes, 2_000_000)
  }

  /// For a harvest read event by event, never as a tree.
  package static let stream = XMLLimits(bytes: 16 << 30)
}
