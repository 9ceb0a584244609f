import Shelving

/// Works in the orders that were asked for, made when they are first needed.
struct ShelfOrders: Sendable {
  struct Order: Sendable {
    /// Places of works, first to last.
    let works: [Int32]
    /// Where each work stands in it.
    let ranks: [Int32]
  }

  private(set) var made: [LaneOrder: Order] = [:]
  /// Places of editions, the best liked first.
  var liked: [Int32] = []

  subscript(_ order: LaneOrder) -> Order? {
    get { made[order] }
    set { made[order] = newValue }
  }
}

extension ShelfList {
  mutating func prepare(_ order: LaneOrder) {
    if orders[order] != nil { return }
    let best = workNumbers.indices.map { bestEdition(of: $0) ?? -1 }
    let present = workNumbers.indices.filter { best[$0] >= 0 }
    let sorted: [Int32]
    switch order {
    case .liking:
      orders.liked = Self.sorted(editions.indices.filter { sets[$0] != 0 }) { place in
        (UInt64(likings[place]), 0)
      }
      sorted = Self.sorted(present) { work in (UInt64(likings[best[work]]), 0) }
    case .added:
      // The latest first, those without a day last.
      sorted = Self.sorted(present) { work in
        (UInt64(Int64(Int32.max) - Int64(added[best[work]])), UInt64(likings[best[work]]))
      }
    case .title:
      sorted = byText(present) { (titles[best[$0]], names.texts[Int(authors[best[$0]])]) }
    case .author:
      sorted = byText(present) { (names.texts[Int(authors[best[$0]])], titles[best[$0]]) }
    }
    var ranks = [Int32](repeating: Int32.max, count: workNumbers.count)
    for (rank, work) in sorted.enumerated() { ranks[Int(work)] = Int32(rank) }
    orders[order] = ShelfOrders.Order(works: sorted, ranks: ranks)
  }

  private static func sorted(_ works: [Int], by key: (Int) -> (UInt64, UInt64)) -> [Int32] {
    var keyed = works.map { work in
      let key = key(work)
      return (key.0, key.1, Int32(work))
    }
    keyed.sort { $0 < $1 }
    return keyed.map(\.2)
  }

  /// Nearly all texts differ in their first letters, which are compared as one number. Without
  /// any text a work stands at the end.
  private func byText(_ works: [Int], _ key: (Int) -> (String, String)) -> [Int32] {
    var keyed = works.map { work in
      let texts = key(work)
      return (
        head: Self.head(texts.0), first: texts.0, second: texts.1, number: workNumbers[work],
        work: Int32(work)
      )
    }
    keyed.sort { one, other in
      if one.head != other.head { return one.head < other.head }
      if one.first != other.first { return Self.precedes(one.first, other.first) }
      if one.second != other.second { return Self.precedes(one.second, other.second) }
      return one.number < other.number
    }
    return keyed.map(\.work)
  }

  private static func head(_ text: String) -> UInt64 {
    if text.isEmpty { return .max }
    var head: UInt64 = 0
    var count = 0
    for byte in text.utf8.prefix(8) {
      head = head << 8 | UInt64(byte)
      count += 1
    }
    return head << UInt64(8 * (8 - count))
  }

  private static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
