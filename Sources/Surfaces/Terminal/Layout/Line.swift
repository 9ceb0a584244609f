/// A line of a laid out item. It says which part of which paragraph stands on it; the words are
/// fetched when they are shown, so that a whole book of lines is small.
package struct Line: Sendable, Hashable {
  package enum Kind: UInt8, Sendable, Hashable {
    case text
    case blank
    /// Between two scenes.
    case rule
    /// Cells of a table beside each other.
    case row
  }

  package struct Marks: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The first of its paragraph: the bullet stands before it.
    package static let opens = Marks(rawValue: 1)
    /// The last of its paragraph.
    package static let closes = Marks(rawValue: 2)
    /// The next line of the same paragraph is not the author's but ours.
    package static let runsOn = Marks(rawValue: 4)
    package static let heading = Marks(rawValue: 8)
    /// Part of what is kept together where it fits a page.
    package static let block = Marks(rawValue: 16)
    /// It ends inside a word, with a hyphen that is not in the text.
    package static let parted = Marks(rawValue: 32)
  }

  package let kind: Kind
  package var marks: Marks
  package let indent: Int16
  /// The paragraph; of a row its number in the layout's rows.
  package let block: Int32
  /// What part of it, in bytes as they are shown.
  let start: Int32
  let end: Int32
  /// The place of the item's text that it begins at.
  package let place: Int

  init(
    _ kind: Kind, block: Int, _ range: Range<Int> = 0..<0, place: Int, indent: Int = 0,
    marks: Marks = []
  ) {
    (self.kind, self.marks, self.place) = (kind, marks, place)
    self.indent = Int16(clamping: indent)
    self.block = Int32(clamping: block)
    (start, end) = (Int32(clamping: range.lowerBound), Int32(clamping: range.upperBound))
  }

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// A cell's part of one line of a table.
package struct RowPart: Sendable, Hashable {
  let block: Int
  let range: Range<Int>
  let column: Int
}
