import Circulation
import Shelving

/// Where and when a rule is applied: what only the asker knows.
struct ShelfScope: Sendable {
  /// Only what these list is there.
  let libraries: [Int64]
  let today: Int64
  /// Editions under each subject that a rule names, as the index of words has them.
  var subjects: [String: Bits] = [:]
}

extension ShelfList {
  func present(at libraries: [Int64]) -> Bits {
    union(of: libraries.map(ShelfMark.library))
  }

  private func union(of marks: [String]) -> Bits {
    var union = Bits()
    for mark in marks { union.formUnion(bits(mark)) }
    return union
  }

  /// The editions that meet a rule.
  func editions(meeting rule: LaneRule, in scope: ShelfScope) -> Bits {
    var found = present(at: scope.libraries)
    for choice in choices(of: rule) { found.formIntersection(union(of: choice)) }
    for genre in rule.withoutGenres { found.subtract(bits(FaceMark.genre(genre))) }
    if !rule.subjects.isEmpty {
      var named = Bits()
      for subject in rule.subjects { named.formUnion(scope.subjects[subject] ?? Bits()) }
      found.formIntersection(named)
    }
    if let days = rule.addedWithin { keep(&found, since: scope.today - Int64(days), in: added) }
    if let days = rule.publishedWithin {
      keep(&found, since: scope.today - Int64(days), in: published)
    }
    if rule.standing == .queued { found.subtract(atOnce(of: found, at: scope.libraries)) }
    if let count = rule.bestLiked { found.formIntersection(bestLiked(count, at: scope.libraries)) }
    return found
  }

  /// The same asked of one edition; nil where other editions than those of its work have a say.
  func test(_ rule: LaneRule, in scope: ShelfScope) -> ((Int) -> Bool)? {
    guard rule.subjects.isEmpty, rule.bestLiked == nil else { return nil }
    let choices = ([scope.libraries.map(ShelfMark.library)] + choices(of: rule)).map { choice in
      choice.map(bits)
    }
    let without = rule.withoutGenres.map { bits(FaceMark.genre($0)) }
    let (here, now) = (choices[0], bits(ShelfMark.now))
    return { [self] place in
      guard choices.allSatisfy({ $0.contains { $0.contains(place) } }),
        !without.contains(where: { $0.contains(place) })
      else { return false }
      if let days = rule.addedWithin, !isSince(scope.today - Int64(days), added[place]) {
        return false
      }
      if let days = rule.publishedWithin, !isSince(scope.today - Int64(days), published[place]) {
        return false
      }
      guard rule.standing == .queued else { return true }
      var isAtOnce = false
      byWork.forEach(of: Int(works[place])) { other in
        if now.contains(other), here.contains(where: { $0.contains(other) }) { isAtOnce = true }
      }
      return !isAtOnce
    }
  }

  private func isSince(_ first: Int64, _ day: Int32) -> Bool {
    day >= Int32(clamping: first) && day != Self.never
  }

  /// Those whose work can be had now in another edition, or at another library: nobody has to wait
  /// for it.
  private func atOnce(of editions: Bits, at libraries: [Int64]) -> Bits {
    var now = bits(ShelfMark.now)
    now.formIntersection(present(at: libraries))
    let works = works(of: now)
    var (found, others) = (editions, editions)
    found.subtract(astray)
    found.formIntersection(works)
    others.formIntersection(astray)
    others.visit { if works.contains(Int(self.works[$0])) { found.insert($0) } }
    return found
  }

  /// Lists of marks, of each of which one must be there.
  private func choices(of rule: LaneRule) -> [[String]] {
    var choices = [
      rule.genres.map(FaceMark.genre), rule.audiences.map(FaceMark.audience),
      rule.languages.map(FaceMark.language), rule.forms.map(FaceMark.form),
      rule.formats.map(FaceMark.format), rule.collections.map(collection),
    ]
    choices.append(rule.kind.map { [FaceMark.kind($0)] } ?? [])
    choices.append(rule.standing.map { ["s" + $0.rawValue] } ?? [])
    return choices.filter { !$0.isEmpty }
  }

  /// A collection is a library, or all that one provider lists.
  func collection(_ name: String) -> String {
    libraryNames.filter { $0.value == name }.keys.max().map { ShelfMark.library($0) }
      ?? ShelfMark.provider(name)
  }

  private func keep(_ found: inout Bits, since day: Int64, in days: [Int32]) {
    var early: [Int] = []
    found.visit { if !isSince(day, days[$0]) { early.append($0) } }
    for place in early { found.remove(place) }
  }

  /// The best liked of each library: likings are comparable within one only.
  private func bestLiked(_ count: Int, at libraries: [Int64]) -> Bits {
    var best = Bits()
    for library in libraries {
      let own = bits(ShelfMark.library(library))
      var left = min(count, own.count)
      guard left > 0 else { continue }
      orders.liked?.walk { place in
        if own.contains(place) {
          best.insert(place)
          left -= 1
        }
        return left > 0
      }
    }
    return best
  }

  func works(of editions: Bits) -> Bits {
    var (found, others) = (editions, editions)
    found.subtract(astray)
    others.formIntersection(astray)
    others.visit { found.insert(Int(works[$0])) }
    return found
  }

  /// A stretch of works in an order, at the cost of that stretch: where few works are left, these
  /// are put in order, and where they are many for what is wanted, they are met soon on a walk along
  /// the whole order.
  func stretch(
    of works: Bits, count: Int, _ order: ShelfOrders.Order, from offset: Int, limit: Int
  ) -> [Int] {
    guard limit > 0, offset < count else { return [] }
    let steps = (offset + limit) * (order.works.count / count)
    if steps > count * 8 {
      var ranked: [(Int64, Int)] = []
      works.visit { ranked.append((order.works.rank(of: $0), $0)) }
      ranked.sort { $0 < $1 }
      return ranked.dropFirst(offset).prefix(limit).map(\.1)
    }
    var found: [Int] = []
    var passed = 0
    order.works.walk { work in
      guard works.contains(work) else { return true }
      passed += 1
      if passed > offset { found.append(work) }
      return found.count < limit
    }
    return found
  }
}
