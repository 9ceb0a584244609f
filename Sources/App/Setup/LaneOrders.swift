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
  package let lane: LaneItem
  package let page: BookPage
  package let sort: LaneOrder
  /// It recommends books like the reader's own, and there are none on the shelf.
  package let isWithoutTaste: Bool

  package init(lane: LaneItem, page: BookPage, sort: LaneOrder, isWithoutTaste: Bool) {
    (self.lane, self.page, self.sort) = (lane, page, sort)
    self.isWithoutTaste = isWithoutTaste
  }
}
