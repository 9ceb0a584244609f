/// Pairs of editions to be compared, as a list has them: nothing is read out of the text yet.
package struct MatchOrder: Sendable, Hashable {
  package struct Side: Sendable, Hashable {
    package var title: String
    package var subtitle: String?
    package var authors: [String] = []
    package var year: Int?
    package var languages: [String] = []
    package var isbns: [String] = []
    /// `scheme:value`.
    package var identifiers: [String] = []
    package var medium: String?
    package var series: String?

    package init(title: String) { self.title = title }
  }

  package struct Pair: Sendable, Hashable {
    package let id: String
    package let one: Side
    package let two: Side

    package init(id: String, _ one: Side, _ two: Side) {
      (self.id, self.one, self.two) = (id, one, two)
    }
  }

  package let pairs: [Pair]

  package init(pairs: [Pair]) { self.pairs = pairs }
}
