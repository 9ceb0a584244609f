/// A cursor of our own for what is told page by page without one: the page, and what it held, since past
/// the end some give the last page once more.
package struct PageTurn: Sendable {
  package let page: Int
  package let mark: String

  /// Whoever has more is not read to the end.
  package static let most = 2000

  package init(page: Int, mark: String) { (self.page, self.mark) = (page, mark) }

  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let page = Int(parts[0]), page > 0 else { return nil }
    self.init(page: page, mark: parts[1])
  }

  package var text: String { "\(page):\(mark)" }
}
