import Text

/// Finds words again by what they say, wherever they have got to.
struct QuoteSearch {
  private let quote: Locator.Quote
  private var folding = Folding()
  private let before: [UInt8]
  private let words: [UInt8]
  private let after: [UInt8]

  /// Fewer letters than these stand everywhere.
  private static let least = 6

  init(_ quote: Locator.Quote) {
    self.quote = quote
    before = folding.query(quote.before ?? "")
    words = folding.query(quote.highlight ?? "")
    after = folding.query(quote.after ?? "")
  }

  /// Whether the words stand at a place; nothing kept speaks for any place.
  func agrees(with range: Range<Int>, in text: ItemText) -> Bool {
    let wanted = (words.isEmpty ? after : words).filter { $0 != 0x20 }
    guard !wanted.isEmpty else { return true }
    var folding = folding
    return text.letters(from: range.lowerBound, atLeast: wanted.count, &folding)
      .starts(with: wanted)
  }

  /// The best place there is: in the item first, then in the others, those close to it first.
  func place(near spine: Int?, _ progression: Double?, _ reading: inout TextReading)
    -> BookPlaces.Place?
  {
    guard words.count + before.count + after.count >= Self.least else { return nil }
    let all = reading.book.document.spine.indices
    let start = spine ?? 0
    let order = all.sorted { (abs($0 - start), $0) < (abs($1 - start), $1) }
    for number in order {
      guard let text = try? reading.text(at: number) else { continue }
      let near = number == start ? progression ?? 0 : number < start ? 1 : 0
      if let range = range(in: text, near: near) {
        return BookPlaces.Place(spine: number, range: range)
      }
    }
    return nil
  }

  private func range(in text: ItemText, near progression: Double) -> Range<Int>? {
    var folding = folding
    var item = FoldedItem(text, &folding, between: .blank)
    let goal = Int(progression * Double(item.bytes.count))
    let (wanted, lead) = needle
    guard wanted.count >= Self.least || !words.isEmpty else { return nil }
    var best: (score: Int, distance: Int, at: Int)?
    var from = 0
    while let found = ByteSearch.first(of: wanted, in: item.bytes, from: from) {
      from = found + 1
      let score = score(at: found + lead, item.bytes)
      let distance = abs(found - goal)
      if best.map({ (score, $0.distance) > ($0.score, distance) }) ?? true {
        best = (score, distance, found)
      }
    }
    guard let best else { return nil }
    // Short words alone are no proof: something around them has to be as it was.
    if words.count < Self.least, best.score == 0 { return nil }
    var start = best.at + lead
    while start < item.bytes.count, item.bytes[start] == 0x20 { start += 1 }
    guard start < item.bytes.count else { return nil }
    guard !words.isEmpty else {
      return item.start(of: start, &folding).map { $0..<$0 }
    }
    let end = start + words.count
    if let (_, range) = item.place(of: start..<end, &folding) { return range }
    // Words of several blocks: their first and their last one.
    guard let from = item.start(of: start, &folding), let to = item.start(of: end - 1, &folding)
    else { return nil }
    return from..<text.characterEnd(to + 1)
  }

  /// What is looked for, and how much of it comes before the words.
  private var needle: (bytes: [UInt8], lead: Int) {
    if !words.isEmpty { return (words, 0) }
    if !after.isEmpty { return (after, 0) }
    return (before, before.count)
  }

  /// How many letters around a place are as they were.
  private func score(at start: Int, _ bytes: [UInt8]) -> Int {
    var score = 0
    var left = start - 1
    for byte in before.reversed() {
      if left >= 0, bytes[left] == 0x20, byte != 0x20 { left -= 1 }
      guard left >= 0, bytes[left] == byte else { break }
      score += 1
      left -= 1
    }
    var right = start + words.count
    for byte in after {
      if right < bytes.count, bytes[right] == 0x20, byte != 0x20 { right += 1 }
      guard right < bytes.count, bytes[right] == byte else { break }
      score += 1
      right += 1
    }
    return score
  }
}
