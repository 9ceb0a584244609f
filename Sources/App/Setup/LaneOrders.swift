package import Items
package import Shelving

/// A page of a lane that is asked for.
package struct LaneShowOrder: Sendable, Hashable {
  package var name: String
  /// Nil for the lane's own.
  package var sort: LaneOrder?
  /// `availability=now`, `format=epub` and so on, as they were written.
  package var facets: [FacetChoice] = []
  /// From 1.
  package var page = 1
  package var limit = 50

  package init(name: String) { self.name = name }
}

package struct FacetChoice: Sendable, Hashable {
  package enum Name: String, Sendable, Hashable, CaseIterable {
    case availability, format, language, collection
  }

  package let name: Name
  package let value: String

  /// `format=epub`
  package init?(_ text: String) {
    guard let sign = text.firstIndex(of: "="), let name = Name(rawValue: String(text[..<sign])),
      text.index(after: sign) < text.endIndex
    else { return nil }
    let value = String(text[text.index(after: sign)...])
    if name == .availability, LaneRule.Standing(rawValue: value) == nil { return nil }
    if name == .format, !LaneWords.formats.contains(value) { return nil }
    (self.name, self.value) = (name, value)
  }
}

package struct LaneAnswer: Sendable, Hashable {
  /// A book with what only the lane knows of it.
  package struct Entry: Sendable, Hashable {
    package let work: WorkItem
    /// Why it is recommended.
    package let why: String?

    package init(work: WorkItem, why: String?) { (self.work, self.why) = (work, why) }
  }

  package let lane: LaneItem
  package let entries: [Entry]
  package let total: Int
  package let sort: LaneOrder
  package let facets: [FacetItem]

  package init(
    lane: LaneItem, entries: [Entry], total: Int, sort: LaneOrder, facets: [FacetItem]
  ) {
    (self.lane, self.entries, self.total) = (lane, entries, total)
    (self.sort, self.facets) = (sort, facets)
  }
}
