import Text

/// Finds words in a book, item by item: the first hits are there before the last item is read, and
/// who asks for no more stops the reading.
package struct ContentSearch: Sequence, IteratorProtocol {
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let matchesCase = Options(rawValue: 1)
    package static let matchesMarks = Options(rawValue: 2)
    package static let wholeWords = Options(rawValue: 4)
  }

  package enum Fault: Error, Sendable, Hashable { case tooLong(limit: Int) }

  /// One thing that was found, with what is needed to show it and to go there.
  package struct Hit: Sendable, Hashable {
    /// Which item of the spine, from 0.
    package let spine: Int
    package let block: Int
    /// In the text of the item.
    package let range: Range<Int>
    package let before: String
    package let match: String
    package let after: String
    /// Through the item, from 0 to 1.
    package let progression: Double
    /// Through the book.
    package let total: Double
  }

  package static let longest = 1000
  /// Characters of what stands around a hit.
  private static let around = 60

  private var reading: TextReading
  private let positions: PositionList
  private let options: Options
  private let wanted: [UInt8]
  private var folding: Folding
  private var spine: Int
  /// Behind the last item that is searched.
  private let end: Int
  private var item: FoldedItem?
  private var at = 0
  /// Items that could not be read, each by its path.
  package private(set) var unread: [String] = []

  /// The words are compared as they stand, blanks of any kind and number being one.
  package init(_ words: String, in book: Book, _ options: Options = []) throws(Fault) {
    try self.init(words, TextReading(book), PositionList(book), options)
  }

  /// Where there are `items`, only those of the spine are searched.
  package init(
    _ words: String, _ reading: TextReading, _ positions: PositionList, _ options: Options = [],
    items: Range<Int>? = nil
  ) throws(Fault) {
    guard words.unicodeScalars.count <= Self.longest else {
      throw .tooLong(limit: Self.longest)
    }
    var differences: Folding.Differences = []
    if options.contains(.matchesCase) { differences.insert(.letterCase) }
    if options.contains(.matchesMarks) { differences.insert(.marks) }
    (self.reading, self.positions, self.options) = (reading, positions, options)
    let items = (items ?? reading.book.document.spine.indices)
      .clamped(to: reading.book.document.spine.indices)
    (spine, end) = (items.lowerBound, items.upperBound)
    folding = Folding(keeping: differences)
    wanted = folding.query(words)
  }

  /// The text of the item that the last hit was in.
  package var text: ItemText? { item?.item }

  package mutating func next() -> Hit? {
    guard let (block, range) = nextPlace(), let item else { return nil }
    return hit(block, range, item.item)
  }

  /// How many more there are: cheaper than hits that nobody is shown.
  package mutating func countRest() -> Int {
    var count = 0
    while nextPlace() != nil { count += 1 }
    return count
  }

  private mutating func nextPlace() -> (block: Int, Range<Int>)? {
    guard !wanted.isEmpty else { return nil }
    while true {
      if let place = nextInItem() { return place }
      item = nil
      guard spine < end else { return nil }
      readItem()
      spine += 1
    }
  }

  private mutating func readItem() {
    at = 0
    do throws(ResourceError) {
      item = FoldedItem(try reading.text(at: spine), &folding)
    } catch {
      let spineItem = reading.book.document.spine[spine]
      unread.append(spineItem.shown?.path ?? spineItem.item.id)
    }
  }

  private mutating func nextInItem() -> (block: Int, Range<Int>)? {
    while let bytes = item?.bytes, let found = ByteSearch.first(of: wanted, in: bytes, from: at) {
      let range = found..<(found + wanted.count)
      guard let (block, place) = item?.place(of: range, &folding), isWhole(place, block) else {
        at = found + 1
        continue
      }
      at = range.upperBound
      return (block, place)
    }
    return nil
  }

  private func isWhole(_ range: Range<Int>, _ block: Int) -> Bool {
    guard options.contains(.wholeWords), let item = item?.item else { return true }
    let bounds = item.blocks[block].range
    return WordBreaks.isBoundary(range.lowerBound, in: item.text, bounds)
      && WordBreaks.isBoundary(range.upperBound, in: item.text, bounds)
  }

  private func hit(_ block: Int, _ range: Range<Int>, _ item: ItemText) -> Hit {
    let place = spine - 1
    let progression = item.progression(of: range.lowerBound)
    let quote = item.quote(range, around: Self.around)
    return Hit(
      spine: place, block: block, range: range, before: quote.before ?? "",
      match: quote.highlight ?? "", after: quote.after ?? "", progression: progression,
      total: positions.total(at: place, progression: progression))
  }
}

extension ItemText {
  /// How far around a piece of text a quotation looks.
  package enum Surroundings: Sendable { case block, item }

  /// A piece of the text with what stands around it, cut where words end.
  package func quote(
    _ range: Range<Int>, around reach: Int, in surroundings: Surroundings = .block
  ) -> Locator.Quote {
    let block = block(at: range.lowerBound).map { blocks[$0].range }
    let bounds = surroundings == .block ? block ?? range.lowerBound..<text.count : 0..<text.count
    let start = max(bounds.lowerBound, range.lowerBound - 4 * reach)
    let end = min(max(bounds.upperBound, range.upperBound), range.upperBound + 4 * reach)
    var before = line(character(start, from: bounds)..<range.lowerBound)
    var after = line(range.upperBound..<character(end, from: bounds))
    // Where a block begins or ends there is a gap that is not in the text.
    if let block, !before.isEmpty, range.lowerBound <= block.lowerBound { before += " " }
    if !after.isEmpty, blocks.contains(where: { $0.range.upperBound == range.upperBound }),
      !range.isEmpty
    {
      after = " " + after
    }
    return Locator.Quote(
      before: Self.cut(before, reach, .front), highlight: line(range),
      after: Self.cut(after, reach, .back))
  }

  /// Back to where a character begins.
  private func character(_ place: Int, from bounds: Range<Int>) -> Int {
    var place = place
    while place > bounds.lowerBound, place < text.count, Scalars.continues(text[place]) {
      place -= 1
    }
    return place
  }

  /// On one line, with a blank between blocks.
  private func line(_ range: Range<Int>) -> String {
    var out: [UInt8] = []
    var number = block(at: range.lowerBound) ?? blocks.count
    while number < blocks.count, blocks[number].range.lowerBound < range.upperBound {
      if !out.isEmpty, out.last != 0x20 { out.append(0x20) }
      for piece in compared(blocks[number]) where piece.overlaps(range) {
        Taming.tamed(text, piece.clamped(to: range), to: &out)
      }
      number += 1
    }
    return String(decoding: out.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
  }

  private enum Side { case front, back }

  private static func cut(_ text: String, _ reach: Int, _ side: Side) -> String {
    guard text.count > reach else { return text }
    switch side {
    case .front:
      let piece = text.suffix(reach)
      return piece.firstIndex(of: " ").map { String(piece[piece.index(after: $0)...]) }
        ?? String(piece)
    case .back:
      let piece = text.prefix(reach)
      return piece.lastIndex(of: " ").map { String(piece[..<$0]) } ?? String(piece)
    }
  }
}
