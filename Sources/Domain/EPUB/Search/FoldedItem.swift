import Text

/// The text of an item as a search compares it: how words are read aloud and what stands for pictures is
/// left out.
struct FoldedItem {
  let item: ItemText
  private(set) var bytes: [UInt8] = []
  /// Where each block begins.
  private var starts: [Int32] = []
  /// Where in the text each block begins whose bytes all stand for one byte there, which are nearly
  /// all in many languages; -1 for the others.
  private var plain: [Int32] = []
  /// The block asked about last: most hits are in the one before.
  private var known: (number: Int, origins: [Int32])?

  /// What stands between two blocks: a byte that no query has, so that nothing is found across
  /// them, or a blank, for words that may be anywhere.
  enum Gap: UInt8 {
    case wall = 0
    case blank = 0x20
  }

  init(_ item: ItemText, _ folding: inout Folding, between gap: Gap = .wall) {
    self.item = item
    bytes.reserveCapacity(item.text.count + item.blocks.count)
    starts.reserveCapacity(item.blocks.count)
    plain.reserveCapacity(item.blocks.count)
    for block in item.blocks {
      starts.append(Int32(bytes.count))
      if item.isComparedWhole(block) {
        let start = bytes.count
        folding.append(item.text, block.range, to: &bytes)
        let isPlain = Self.isPlain(item.text, block.range, bytes.count - start)
        plain.append(isPlain ? Int32(block.range.lowerBound) : -1)
      } else {
        for piece in item.compared(block) { folding.append(item.text, piece, to: &bytes) }
        plain.append(-1)
      }
      bytes.append(gap.rawValue)
    }
  }

  /// No byte of ASCII folds to more than one, so that as many as there were are the same ones.
  private static func isPlain(_ text: [UInt8], _ piece: Range<Int>, _ folded: Int) -> Bool {
    folded == piece.count
      && PlainBytes.ascii(text, from: piece.lowerBound, to: piece.upperBound) == piece.upperBound
      && ByteSearch.first(0x0D, in: text, piece) == nil
  }

  /// Where the character begins that a folded byte comes from.
  mutating func start(of place: Int, _ folding: inout Folding) -> Int? {
    guard let (number, origins) = block(at: place, &folding) else { return nil }
    let inside = place - Int(starts[number])
    return inside < origins.count ? Int(origins[inside]) : nil
  }

  private func number(at place: Int) -> Int? {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// The block of a place, folded again with where each byte comes from.
  private mutating func block(at place: Int, _ folding: inout Folding)
    -> (number: Int, origins: [Int32])?
  {
    guard let number = number(at: place) else { return nil }
    if let known, known.number == number { return known }
    var folded: [UInt8] = []
    var origins: [Int32] = []
    for piece in item.compared(item.blocks[number]) {
      folding.append(item.text, piece, to: &folded, origins: &origins)
    }
    known = (number, origins)
    return known
  }

  /// What was found at `range` of the folded bytes, as a piece of the item's text. Nil where that
  /// would cut a letter in two.
  mutating func place(of range: Range<Int>, _ folding: inout Folding) -> (block: Int, Range<Int>)? {
    let place = number(at: range.lowerBound)
    if let place, plain[place] >= 0 {
      let start = Int(plain[place]) + range.lowerBound - Int(starts[place])
      return start + range.count <= item.blocks[place].range.upperBound
        ? (place, start..<(start + range.count)) : nil
    }
    guard let (number, origins) = block(at: range.lowerBound, &folding) else { return nil }
    let block = item.blocks[number]
    let first = range.lowerBound - Int(starts[number])
    let last = range.upperBound - Int(starts[number])
    guard first >= 0, last > first, last <= origins.count else { return nil }
    let start = Int(origins[first])
    // Half of what one character folds to is no hit: the f of a ligature alone.
    guard first == 0 || Int(origins[first - 1]) != start else { return nil }
    var end = block.range.upperBound
    if last < origins.count {
      guard origins[last] != origins[last - 1] else { return nil }
      end = Self.end(ofCharacter: Int(origins[last - 1]), in: item, before: Int(origins[last]))
    }
    let found = start..<end
    guard Clusters.isBoundary(found.lowerBound, in: item.text, block.range),
      Clusters.isBoundary(found.upperBound, in: item.text, block.range)
    else { return nil }
    return (number, found)
  }

  /// Behind the letter and what belongs to it, but not behind what is merely left out.
  private static func end(ofCharacter start: Int, in item: ItemText, before next: Int) -> Int {
    var end = start + Scalars.read(item.text, start).length
    while end < next, !Clusters.isBoundary(end, in: item.text, start..<next) {
      end += Scalars.read(item.text, end).length
    }
    return end
  }
}

extension ItemText {
  private static let skipped: TextStyle = [.reading, .picture]

  func isComparedWhole(_ block: TextBlock) -> Bool {
    for run in Int(block.firstRun)..<Int(block.lastRun)
    where !runs[run].style.isDisjoint(with: Self.skipped) {
      return false
    }
    return true
  }

  /// What of a block is compared and quoted: not how words are read aloud, and not what stands for
  /// a picture.
  func compared(_ block: TextBlock) -> [Range<Int>] {
    let skipped = Self.skipped
    var pieces: [Range<Int>] = []
    var start = block.range.lowerBound
    for run in Int(block.firstRun)..<Int(block.lastRun)
    where !runs[run].style.isDisjoint(with: skipped) {
      let range = range(of: run, in: block)
      if range.lowerBound > start { pieces.append(start..<range.lowerBound) }
      start = range.upperBound
    }
    if start < block.range.upperBound { pieces.append(start..<block.range.upperBound) }
    return pieces
  }

  /// What follows a place, folded and without any blanks, as much as is asked for where there is so
  /// much.
  func letters(from place: Int, atLeast count: Int, _ folding: inout Folding) -> [UInt8] {
    var letters: [UInt8] = []
    var number = block(at: place) ?? blocks.count
    while number < blocks.count, letters.count < count {
      for piece in compared(blocks[number]) where piece.upperBound > place {
        // A long paragraph is not folded for the sake of its first words.
        let start = max(piece.lowerBound, place)
        let end = characterEnd(min(piece.upperBound, start + 8 * count + 64))
        var folded: [UInt8] = []
        folding.append(text, start..<end, to: &folded)
        letters += folded.filter { $0 != 0x20 }
        if letters.count >= count { break }
      }
      number += 1
    }
    return letters
  }
}
