/// How much one document may ask of us. A settings file is small; anything beyond these bounds is
/// a mistake or an attack, and is refused with its position.
package struct YamlLimits: Sendable, Hashable {
  package var bytes: Int
  package var depth: Int
  package var nodes: Int
  package var scalarBytes: Int

  package init(
    bytes: Int = 1 << 20, depth: Int = 64, nodes: Int = 100_000, scalarBytes: Int = 64 << 10
  ) {
    (self.bytes, self.depth, self.nodes, self.scalarBytes) = (bytes, depth, nodes, scalarBytes)
  }
}
