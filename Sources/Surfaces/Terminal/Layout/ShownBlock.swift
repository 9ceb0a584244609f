import EPUB
import Text

/// A paragraph as a terminal may show it: without what a terminal would obey, with names in place of
/// pictures and with the quotation marks and brackets that the markup stands for. It knows which
/// place of the text each of its bytes comes from.
struct ShownBlock {
  /// Mostly the item's own text, of which only `range` is the block's.
  private(set) var bytes: [UInt8]
  private(set) var range: Range<Int>
  /// Where pieces begin, here and in the text; empty where both are the same.
  private var pieces: [Piece] = []
  /// From where on the text is marked how.
  private(set) var marks: [Mark] = []

  private struct Piece {
    let shown: Int
    let text: Int
    /// Whether it is the text's own; else it stands for a place of it.
    let isOwn: Bool
  }

  struct Mark {
    let start: Int
    let style: TextStyle
    let link: Int?
  }

  private static let added: TextStyle = [.reading, .picture, .quotation]
  /// Bytes that no terminal obeys, alone or as the beginning of a character.
  private static let harmless = ByteSet {
    $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xE2 || $0 == 0x0A
  }

  init(_ item: ItemText, _ block: TextBlock) {
    bytes = item.text
    range = block.range
    let runs = item.runs(of: block)
    if !runs.contains(where: { !$0.style.isDisjoint(with: Self.added) }),
      Self.isTame(item.text, block.range)
    {
      marks = runs.map { Mark(start: Int($0.start), style: $0.style, link: $0.link) }
      return
    }
    bytes = []
    range = 0..<0
    build(item, block)
    range = 0..<bytes.count
  }

  private static func isTame(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    let place = harmless.skip(text, from: range.lowerBound, to: range.upperBound)
    guard place < range.upperBound else { return true }
    var tame: [UInt8] = []
    Taming.tamed(text, place..<range.upperBound, to: &tame)
    return tame.count == range.upperBound - place && !tame.contains(0x09)
  }

  private mutating func build(_ item: ItemText, _ block: TextBlock) {
    var isQuoted = false
    for run in Int(block.firstRun(in: item))..<Int(block.lastRun(in: item)) {
      let part = item.range(of: run, in: block)
      let style = item.runs[run].style
      marks.append(Mark(start: bytes.count, style: style, link: item.runs[run].link))
      if style.contains(.quotation) != isQuoted {
        add(isQuoted ? "”" : "“", at: part.lowerBound)
        isQuoted.toggle()
      }
      if let picture = item.runs[run].picture {
        let words = item.pictures[picture].alternative
        add(words.isEmpty ? "[picture]" : "[picture: \(words.collapsed)]", at: part.lowerBound)
        continue
      }
      if style.contains(.reading) { add("(", at: part.lowerBound) }
      copy(item.text, part)
      if style.contains(.reading) { add(")", at: part.upperBound) }
    }
    if isQuoted { add("”", at: block.range.upperBound) }
  }

  private mutating func add(_ words: String, at place: Int) {
    pieces.append(Piece(shown: bytes.count, text: place, isOwn: false))
    bytes += Array(Taming.tamed(words).utf8)
  }

  private mutating func copy(_ text: [UInt8], _ part: Range<Int>) {
    if Self.isTame(text, part) {
      pieces.append(Piece(shown: bytes.count, text: part.lowerBound, isOwn: true))
      bytes += text[part]
      return
    }
    var index = part.lowerBound
    while index < part.upperBound {
      let next = min(index + Scalars.read(text, index).length, part.upperBound)
      pieces.append(Piece(shown: bytes.count, text: index, isOwn: true))
      if text[index] == 0x09 {
        bytes += Array("    ".utf8)
      } else {
        Taming.tamed(text, index..<next, to: &bytes)
      }
      index = next
    }
  }

  // MARK: - Places

  /// The place of the text that a byte here comes from.
  func place(_ shown: Int) -> Int {
    guard !pieces.isEmpty else { return shown }
    guard let piece = last(where: { $0.shown <= shown }) else { return pieces[0].text }
    return piece.isOwn ? piece.text + shown - piece.shown : piece.text
  }

  /// Where a place of the text is shown.
  func shown(_ place: Int) -> Int {
    guard !pieces.isEmpty else { return min(max(place, range.lowerBound), range.upperBound) }
    guard let number = lastIndex(where: { $0.text <= place }) else { return 0 }
    let end = number + 1 < pieces.count ? pieces[number + 1].shown : bytes.count
    guard pieces[number].isOwn else { return pieces[number].shown }
    return min(pieces[number].shown + place - pieces[number].text, end)
  }

  private func last(where holds: (Piece) -> Bool) -> Piece? {
    lastIndex(where: holds).map { pieces[$0] }
  }

  private func lastIndex(where holds: (Piece) -> Bool) -> Int? {
    var low = 0
    var high = pieces.count
    while low < high {
      let middle = (low + high) / 2
      if holds(pieces[middle]) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}

extension TextBlock {
  fileprivate func firstRun(in item: ItemText) -> Int { item.runs(of: self).startIndex }
  fileprivate func lastRun(in item: ItemText) -> Int { item.runs(of: self).endIndex }
}

extension String {
  /// On one line.
  var collapsed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
