/// How a text is set in the cells of a terminal. What is letter size on paper is the width of a
/// line and the space between two here.
package struct Setting: Sendable, Hashable {
  package enum Edge: Sendable, Hashable { case ragged, justified }

  /// Cells of a line; never below one.
  package var width: Int
  /// Empty lines between two lines of a paragraph.
  package var spacing: Int
  package var edge: Edge

  package init(width: Int, spacing: Int = 0, edge: Edge = .ragged) {
    (self.width, self.spacing, self.edge) = (max(1, width), max(0, spacing), edge)
  }
}
