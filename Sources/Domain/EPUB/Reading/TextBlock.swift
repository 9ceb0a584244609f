/// A paragraph or what is like one.
package struct TextBlock: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case paragraph
    /// From 1 to 6.
    case heading(Int)
    case caption
    case term
    case definition
    case preformatted
    /// Its line ends are the poet's.
    case verse
    /// A break between scenes; no text.
    case rule
    /// Nothing but pictures.
    case picture
  }

  package enum Direction: UInt8, Sendable, Hashable { case unsaid, leftToRight, rightToLeft }
  package enum Alignment: UInt8, Sendable, Hashable { case start, center, end, justified }

  package internal(set) var kind: Kind
  package internal(set) var range: Range<Int>
  /// Where in the runs of the item its own begin and end.
  var firstRun: Int32
  var lastRun: Int32
  package internal(set) var quoteDepth: Int = 0
  package internal(set) var listDepth: Int = 0
  /// The bullet or number it begins with; text of nobody's.
  package internal(set) var marker: String?
  var language: Int32 = -1
  package internal(set) var direction = Direction.unsaid
  package internal(set) var alignment = Alignment.start
  /// Whether it belongs to a note.
  package internal(set) var isNote = false
  var cell: Int32 = -1
  /// The element that it was begun in.
  package internal(set) var element: Int
}

/// How a piece of text is marked.
package struct TextStyle: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let strong = TextStyle(rawValue: 1)
  package static let emphasis = TextStyle(rawValue: 2)
  package static let code = TextStyle(rawValue: 4)
  package static let superscript = TextStyle(rawValue: 8)
  package static let `subscript` = TextStyle(rawValue: 16)
  package static let underline = TextStyle(rawValue: 32)
  package static let strike = TextStyle(rawValue: 64)
  package static let smallCaps = TextStyle(rawValue: 128)
  package static let highlight = TextStyle(rawValue: 256)
  /// In quotation marks that are not in the text.
  package static let quotation = TextStyle(rawValue: 512)
  /// How the characters before it are read aloud. It is shown beside them and not searched.
  package static let reading = TextStyle(rawValue: 1024)
  /// The text is one character that stands for a picture.
  package static let picture = TextStyle(rawValue: 2048)
  package static let noteReference = TextStyle(rawValue: 4096)
  package static let backLink = TextStyle(rawValue: 8192)
}

/// Text up to where the next run of the block begins.
package struct TextRun: Sendable, Hashable {
  package let start: Int32
  package let style: TextStyle
  /// Which of the item's links it is part of; below zero for none.
  let linkNumber: Int32
  /// Which of the item's pictures it is; below zero for none.
  let pictureNumber: Int32

  package var link: Int? { linkNumber < 0 ? nil : Int(linkNumber) }
  package var picture: Int? { pictureNumber < 0 ? nil : Int(pictureNumber) }
}

package struct TextLink: Sendable, Hashable {
  package let target: Reference
  package let element: Int
  package let isNoteReference: Bool
}

package struct Picture: Sendable, Hashable {
  /// Nil for a drawing inside the page.
  package let source: Reference?
  package let alternative: String
  package let element: Int
}

/// A cell of a table: several blocks may be in one.
package struct TableCell: Sendable, Hashable {
  package let table: Int
  package let row: Int
  package let column: Int
  package let rowSpan: Int
  package let columnSpan: Int
  package let isHeader: Bool
}

/// Where a page of the printed edition begins.
package struct PageBreak: Sendable, Hashable {
  package let label: String
  package let place: Int
}
