import Shelving

/// Works in the orders that were asked for, made when they are first needed. Of what changes later
/// only the works are noted, and find their new places when the order is needed again.
struct ShelfOrders: Sendable {
  struct Order: Sendable {
    /// Places of works, first to last.
    let works: [Int32]
    /// Where each work stands in it.
    let ranks: [Int32]
    fileprivate var changed: Set<Int32> = []
  }

  private var made: [LaneOrder: Order] = [:]
  /// Places of editions, the best liked first.
  fileprivate(set) var liked: [Int32] = []
  fileprivate var changedLikings: Set<Int32> = []

  fileprivate(set) subscript(_ order: LaneOrder) -> Order? {
    get { made[order] }
    set { made[order] = newValue }
  }

  mutating func note(_ work: Int32) {
    for order in made.keys { made[order]?.changed.insert(work) }
  }

  mutating func noteLiking(of edition: Int) {
    if !liked.isEmpty { changedLikings.insert(Int32(edition)) }
  }
}

extension ShelfList {
  mutating func prepare(_ order: LaneOrder) {
    if order == .liking { prepareLikings() }
    let former = orders[order]
    if let former, former.changed.isEmpty { return }
    let sorted: [Int32]
    if let former, former.changed.count < former.works.count / 16 {
      sorted = Self.renewed(
        former.works, former.changed, where: { bestEdition(of: Int($0)) != nil },
        by: { self.precedes(Int($0), Int($1), in: order) })
    } else {
      sorted = all(in: order)
    }
    var ranks = [Int32](repeating: Int32.max, count: workNumbers.count)
    for (rank, work) in sorted.enumerated() { ranks[Int(work)] = Int32(rank) }
    orders[order] = ShelfOrders.Order(works: sorted, ranks: ranks)
  }

  private mutating func prepareLikings() {
    let changed = orders.changedLikings
    if !orders.liked.isEmpty, changed.isEmpty { return }
    if !orders.liked.isEmpty, changed.count < orders.liked.count / 16 {
      orders.liked = Self.renewed(
        orders.liked, changed, where: { sets[Int($0)] != 0 },
        by: { (likings[Int($0)], $0) < (likings[Int($1)], $1) })
    } else {
      orders.liked = Self.sorted(editions.indices.filter { sets[$0] != 0 }) { place in
        (UInt64(likings[place]), 0)
      }
    }
    orders.changedLikings = []
  }

  /// The same row with those that have changed taken out and, where they are still there, put in
  /// where they belong now.
  private static func renewed(
    _ row: [Int32], _ changed: Set<Int32>, where isThere: (Int32) -> Bool,
    by precedes: (Int32, Int32) -> Bool
  ) -> [Int32] {
    let moved = Bits(changed.map(Int.init))
    let rest = row.filter { !moved.contains(Int($0)) }
    var renewed: [Int32] = []
    renewed.reserveCapacity(rest.count + changed.count)
    var taken = 0
    for one in changed.filter(isThere).sorted(by: precedes) {
      var (low, high) = (taken, rest.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(rest[middle], one) { low = middle + 1 } else { high = middle }
      }
      renewed += rest[taken..<low]
      renewed.append(one)
      taken = low
    }
    return renewed + rest[taken...]
  }

  // MARK: - All of them

  private func all(in order: LaneOrder) -> [Int32] {
    let best = workNumbers.indices.map { bestEdition(of: $0) ?? -1 }
    let present = workNumbers.indices.filter { best[$0] >= 0 }
    switch order {
    case .liking: return Self.sorted(present) { work in (UInt64(likings[best[work]]), 0) }
    case .added:
      return Self.sorted(present) { work in
        (lateness(of: best[work]), UInt64(likings[best[work]]))
      }
    case .title, .author: return byText(present) { texts(of: best[$0], order) }
    }
  }

  /// The latest first, those without a day last.
  private func lateness(of edition: Int) -> UInt64 {
    UInt64(Int64(Int32.max) - Int64(added[edition]))
  }

  private func texts(of edition: Int, _ order: LaneOrder) -> (String, String) {
    let author = names.texts[Int(authors[edition])]
    return order == .title ? (titles[edition], author) : (author, titles[edition])
  }

  /// As the whole is put in order, for two works that are there.
  private func precedes(_ one: Int, _ other: Int, in order: LaneOrder) -> Bool {
    guard let mine = bestEdition(of: one), let theirs = bestEdition(of: other) else { return false }
    switch order {
    case .liking: return (likings[mine], one) < (likings[theirs], other)
    case .added:
      return (lateness(of: mine), likings[mine], one)
        < (lateness(of: theirs), likings[theirs], other)
    case .title, .author:
      return Line(texts(of: mine, order), workNumbers[one], one).precedes(
        Line(texts(of: theirs, order), workNumbers[other], other))
    }
  }

  private static func sorted(_ works: [Int], by key: (Int) -> (UInt64, UInt64)) -> [Int32] {
    var keyed = works.map { work in
      let key = key(work)
      return (key.0, key.1, Int32(work))
    }
    keyed.sort { $0 < $1 }
    return keyed.map(\.2)
  }

  private func byText(_ works: [Int], _ key: (Int) -> (String, String)) -> [Int32] {
    var keyed = works.map { Line(key($0), workNumbers[$0], $0) }
    keyed.sort { $0.precedes($1) }
    return keyed.map { Int32($0.work) }
  }

  /// Nearly all texts differ in their first letters, which are compared as one number. Without any
  /// text a work stands at the end.
  private struct Line {
    let head: UInt64
    let texts: (String, String)
    let number: Int64
    let work: Int

    init(_ texts: (String, String), _ number: Int64, _ work: Int) {
      (self.texts, self.number, self.work) = (texts, number, work)
      head = Self.head(texts.0)
    }

    func precedes(_ other: Line) -> Bool {
      if head != other.head { return head < other.head }
      if texts.0 != other.texts.0 { return Self.precedes(texts.0, other.texts.0) }
      if texts.1 != other.texts.1 { return Self.precedes(texts.1, other.texts.1) }
      return number < other.number
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
}
