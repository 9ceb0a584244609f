/// Small numbers in an order that changes little by little. They are kept in pieces of a few
/// hundred, so that one which comes or goes moves its own piece and not the whole.
struct Ranking: Sendable {
  /// None of them is empty.
  private var pieces: [[Int32]] = []
  /// Larger further down, with room in between; nothing more is meant by it.
  private var labels: [Int64] = []
  private(set) var count = 0

  private static let absent = Int64.max
  private static let spacing: Int64 = 1 << 32
  private static let most = 512

  init() {}

  init(_ sorted: [Int32]) {
    count = sorted.count
    var start = 0
    while start < sorted.count {
      // Half full, for what comes.
      let end = min(start + Self.most / 2, sorted.count)
      pieces.append(Array(sorted[start..<end]))
      start = end
    }
    labels = [Int64](repeating: Self.absent, count: Int(sorted.max() ?? -1) + 1)
    label()
  }

  /// Comparable with those of others; behind all of them for one that is not there.
  func rank(of number: Int) -> Int64 { number < labels.count ? labels[number] : Self.absent }

  func contains(_ number: Int32) -> Bool { rank(of: Int(number)) != Self.absent }

  /// From the first on, for as long as more are wanted.
  func walk(_ wantsMore: (Int) -> Bool) {
    for piece in pieces {
      for number in piece where !wantsMore(Int(number)) { return }
    }
  }

  mutating func remove(_ number: Int32) {
    let own = rank(of: Int(number))
    guard own != Self.absent else { return }
    let piece = Self.first(pieces.count) { labels[Int(pieces[$0][pieces[$0].count - 1])] >= own }
    let place = Self.first(pieces[piece].count) { labels[Int(pieces[piece][$0])] >= own }
    pieces[piece].remove(at: place)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
    labels[Int(number)] = Self.absent
    count -= 1
  }

  /// Puts one in that is not there, where it belongs among those that are.
  mutating func insert(_ number: Int32, by precedes: (Int32, Int32) -> Bool) {
    if Int(number) >= labels.count {
      labels.append(
        contentsOf: repeatElement(Self.absent, count: Int(number) + 1 - labels.count))
    }
    count += 1
    guard !pieces.isEmpty else {
      pieces = [[number]]
      labels[Int(number)] = 0
      return
    }
    let next = Self.first(pieces.count) { !precedes(pieces[$0][pieces[$0].count - 1], number) }
    let piece = min(next, pieces.count - 1)
    let place = Self.first(pieces[piece].count) { !precedes(pieces[piece][$0], number) }
    let (low, high) = neighbors(of: place, in: piece)
    pieces[piece].insert(number, at: place)
    if pieces[piece].count > Self.most { part(piece) }
    if let label = Self.label(between: low, high) {
      labels[Int(number)] = label
    } else {
      label()
    }
  }

  /// Nil where no room is left.
  private static func label(between low: Int64?, _ high: Int64?) -> Int64? {
    switch (low, high) {
    case (let low?, let high?): high - low < 2 ? nil : low + (high - low) / 2
    case (let low?, nil): low + spacing
    case (nil, let high?): high - spacing
    case (nil, nil): 0
    }
  }

  private func neighbors(of place: Int, in piece: Int) -> (Int64?, Int64?) {
    let own = pieces[piece]
    let before = place > 0 ? own[place - 1] : piece > 0 ? pieces[piece - 1].last : nil
    let after =
      place < own.count ? own[place] : piece + 1 < pieces.count ? pieces[piece + 1].first : nil
    return (before.map { labels[Int($0)] }, after.map { labels[Int($0)] })
  }

  private mutating func part(_ piece: Int) {
    let half = pieces[piece].count / 2
    let tail = Array(pieces[piece][half...])
    pieces[piece].removeLast(tail.count)
    pieces.insert(tail, at: piece + 1)
  }

  private mutating func label() {
    var label: Int64 = 0
    for piece in pieces {
      for number in piece {
        labels[Int(number)] = label
        label += Self.spacing
      }
    }
  }

  /// The first place of which this is true, as it is of all behind it; the end where it is of none.
  private static func first(_ count: Int, where isTrue: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isTrue(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
