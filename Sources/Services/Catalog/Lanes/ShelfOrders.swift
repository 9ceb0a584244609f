import Shelving

/// Works in the orders that were asked for, made when they are first needed. Of what changes later
/// only the works are noted, and find their new places when the order is needed again.
struct ShelfOrders: Sendable {
  struct Order: Sendable {
    /// Places of works, first to last.
    fileprivate(set) var works: Ranking
    fileprivate var changed: Set<Int32> = []
  }

  private var made: [LaneOrder: Order] = [:]
  /// Places of editions, the best liked first.
  fileprivate(set) var liked: Ranking?
  fileprivate var changedLikings: Set<Int32> = []

  fileprivate(set) subscript(_ order: LaneOrder) -> Order? {
    get { made[order] }
    _modify { yield &made[order] }
  }

  mutating func note(_ work: Int32) {
    for order in made.keys { made[order]?.changed.insert(work) }
  }

  mutating func noteLiking(of edition: Int) {
    if liked != nil { changedLikings.insert(Int32(edition)) }
  }
}

extension ShelfList {
  mutating func prepare(_ order: LaneOrder) {
    if order == .liking { prepareLikings() }
    guard let changed = orders[order]?.changed, let count = orders[order]?.works.count,
      changed.count < max(1, count / 16)
    else {
      orders[order] = ShelfOrders.Order(works: Ranking(all(in: order)))
      return
    }
    if changed.isEmpty { return }
    // Taken out of the list meanwhile, so that it is changed where it lies and not copied.
    guard var works = orders[order]?.works else { return }
    orders[order]?.works = Ranking()
    works.renew(
      changed, where: { bestEdition(of: Int($0)) != nil },
      by: { self.precedes(Int($0), Int($1), in: order) })
    orders[order] = ShelfOrders.Order(works: works)
  }

  private mutating func prepareLikings() {
    let changed = orders.changedLikings
    orders.changedLikings = []
    guard var liked = orders.liked, changed.count < max(1, liked.count / 16) else {
      orders.liked = Ranking(
        Self.sorted(editions.indices.filter { sets[$0] != 0 }) { place in
          (UInt64(likings[place]), 0)
        })
      return
    }
    if changed.isEmpty { return }
    orders.liked = nil
    liked.renew(
      changed, where: { sets[Int($0)] != 0 },
      by: { (likings[Int($0)], $0) < (likings[Int($1)], $1) })
    orders.liked = liked
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

extension Ranking {
  /// Takes those that have changed out and puts them, where they are still there, in where they
  /// belong now.
  fileprivate mutating func renew(
    _ changed: Set<Int32>, where isThere: (Int32) -> Bool, by precedes: (Int32, Int32) -> Bool
  ) {
    for one in changed { remove(one) }
    for one in changed where isThere(one) { insert(one, by: precedes) }
  }
}
