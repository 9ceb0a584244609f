package import Shelving

/// What a reader narrows a lane or a search to.
package struct LaneFacets: Sendable, Hashable {
  package var standing: LaneRule.Standing?
  package var format: String?
  package var language: String?
  /// A library's or a provider's name.
  package var collection: String?

  package init() {}
}

/// One way to narrow a list, with what each choice would leave.
package struct FacetGroup: Sendable, Hashable {
  package struct Choice: Sendable, Hashable {
    package let value: String
    /// In works, of those that all other groups let through.
    package let count: Int
    package let isChosen: Bool
  }

  package enum Name: String, Sendable, Hashable, CaseIterable {
    case availability, format, language, collection
  }

  package let name: Name
  package let choices: [Choice]
}

extension LaneFacets {
  func marks(in list: ShelfList) -> [FacetGroup.Name: String] {
    var marks: [FacetGroup.Name: String] = [:]
    marks[.availability] = standing.map { "s" + $0.rawValue }
    marks[.format] = format.map { FaceMark.format($0.lowercased()) }
    marks[.language] = language.map(FaceMark.language)
    marks[.collection] = collection.map { list.collection($0) }
    return marks
  }
}

extension ShelfList {
  func editions(_ all: Bits, narrowedBy marks: Set<String>) -> Bits {
    var found = all
    for mark in marks { found.formIntersection(bits(mark)) }
    return found
  }

  /// Choices that nothing has are left out, but for the one that was made.
  func choices(
    of name: FacetGroup.Name, _ counts: [Int], _ chosen: String?, _ scope: ShelfScope
  ) -> [FacetGroup.Choice] {
    let choices = marks.indices.compactMap { mark -> FacetGroup.Choice? in
      let count = mark < counts.count ? counts[mark] : 0
      guard count > 0 || marks[mark] == chosen,
        let value = value(of: marks[mark], in: name, scope)
      else { return nil }
      return FacetGroup.Choice(
        value: value, count: count, isChosen: marks[mark] == chosen)
    }
    return choices.sorted { ($1.count, $0.value) < ($0.count, $1.value) }
  }

  private func value(
    of mark: String, in name: FacetGroup.Name, _ scope: ShelfScope
  ) -> String? {
    let rest = String(mark.dropFirst())
    return switch (name, mark.first) {
    case (.availability, "s"), (.format, "f"), (.language, "l"): rest
    case (.collection, "L"):
      Int64(rest).flatMap { scope.libraries.contains($0) ? libraryNames[$0] : nil }
    default: nil
    }
  }

  func isFacet(_ mark: String) -> Bool {
    mark.utf8.first.map { "sflL".utf8.contains($0) } ?? false
  }

  /// For each mark, how many works have an edition with it. Works with one edition are counted by
  /// the word of their bits, the others one by one.
  func tally(_ editions: Bits) -> [Int] {
    var (alone, others) = (editions, editions)
    alone.subtract(manifold)
    others.formIntersection(manifold)
    // Only of those that lists are narrowed by, and not of genres, which are most of them.
    var counts = bits.indices.map { mark in
      isFacet(marks[mark]) ? bits[mark].count(with: alone) : 0
    }
    var works = Bits()
    others.visit { works.insert(Int(self.works[$0])) }
    var lastWork = [Int](repeating: -1, count: counts.count)
    works.visit { work in
      forEachEdition(of: work) { place in
        guard others.contains(place) else { return }
        for mark in markSets[Int(sets[place])] where lastWork[mark] != work {
          lastWork[mark] = work
          counts[mark] += 1
        }
      }
    }
    return counts
  }
}
