package import EPUB
package import Hyphenation

/// A reader with a book open: what they see, and what each key makes of it. It is a value: it
/// touches no terminal and keeps nothing; what is to be done outside comes out as errands.
package struct ReaderModel: Sendable {
  package struct Window: Sendable, Hashable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
      (self.columns, self.rows) = (max(1, columns), max(1, rows))
    }
  }

  package enum Manner: Sendable, Hashable { case pages, scroll }

  /// What a reader likes.
  package struct Taste: Sendable, Hashable {
    package var theme = Theme.own
    /// The widest line, in cells.
    package var width = 72
    package var spacing = 0
    package var edge = Setting.Edge.ragged
    package var manner = Manner.pages

    static let widths = 20...200

    package init() {}
  }

  /// Where one is: an item of the spine and a place of its text.
  struct Spot: Sendable, Hashable {
    var spine: Int
    var place: Int
  }

  package let book: Book
  package let places: BookPlaces
  var reading: TextReading
  package internal(set) var window: Window
  package internal(set) var taste: Taste
  package internal(set) var marks: [ReaderMark]
  var text: ItemText
  var layout: ItemLayout
  var paging: Paging
  /// The first character a reader sees. It stays what it was while the window changes, so that
  /// changing back leads back.
  var spot: Spot
  /// The line at the top.
  var top = 0
  var mode = Mode.reading
  /// Said once, in place of the status.
  var message: String?
  /// Where links and jumps came from.
  var trail: [Spot] = []
  var search: FoundWords?
  /// Where another device left off, as long as it is offered.
  var elsewhere: Elsewhere?
  /// Marks that were taken away, to be brought back.
  var removed: [ReaderMark] = []
  var errands: [Errand] = []
  /// Where words may be parted, where that is known.
  private var hyphens: Hyphens?

  /// Opens the book at a place, or at its beginning; nil where nothing in it can be read.
  package init?(
    _ book: Book, window: Window, at locator: Locator? = nil, marks: [ReaderMark] = [],
    taste: Taste = Taste()
  ) {
    let places = BookPlaces(book)
    var reading = TextReading(book)
    let found = locator.flatMap { places.place(of: $0, &reading) }?.0
    let start = found.map { Spot(spine: $0.spine, place: $0.range.lowerBound) }
    guard let first = start ?? Self.beginning(of: book, &reading),
      let text = Self.text(first.spine, &reading)
    else { return nil }
    (self.book, self.places, self.reading, self.text) = (book, places, reading, text)
    (self.window, self.taste, self.marks, spot) = (window, taste, marks, first)
    layout = ItemLayout(text, Self.setting(window, taste))
    paging = Paging([], height: 1)
    relay()
  }

  /// Begins with the title page, as a book begins with its cover.
  package mutating func showJacket(_ elsewhere: ElsewherePlace? = nil) {
    mode = .jacket(hasBegun: trailheadIsLater)
    self.elsewhere = elsewhere.flatMap { Elsewhere($0, in: places, &reading) }
    if self.elsewhere?.spot == spot { self.elsewhere = nil }
  }

  private var trailheadIsLater: Bool {
    var reading = reading
    return Self.beginning(of: book, &reading) != spot
  }

  static func text(_ spine: Int, _ reading: inout TextReading) -> ItemText? {
    do throws(ResourceError) { return try reading.text(at: spine) } catch { return nil }
  }

  private static func beginning(of book: Book, _ reading: inout TextReading) -> Spot? {
    book.beginning(&reading).map { Spot(spine: $0.spine, place: $0.range.lowerBound) }
  }

  // MARK: - Setting

  /// Rows for text.
  var height: Int { max(1, window.rows - statusRows - topRows) }
  var statusRows: Int { window.rows > 2 ? 1 : 0 }
  var topRows: Int { window.rows >= 16 ? 1 : 0 }
  var left: Int { max(0, (window.columns - layout.setting.width) / 2) }

  static func setting(_ window: Window, _ taste: Taste) -> Setting {
    let margin = window.columns >= 40 ? 2 : 0
    return Setting(
      width: min(taste.width, window.columns - 2 * margin), spacing: taste.spacing,
      edge: taste.edge)
  }

  /// Sets the item anew, with what is at the top where it was.
  mutating func relay() {
    layout = ItemLayout(text, Self.setting(window, taste), hyphens)
    top = layout.line(at: spot.place)
    let isFirst = layout.lines[..<top].allSatisfy(\.isBlank)
    paging = Paging(layout.lines, height: height, forced: isFirst ? nil : top)
    if taste.manner == .pages { top = paging.starts[page] }
  }

  var page: Int { paging.page(ofLine: top) }

  /// The lines on the screen.
  var visible: Range<Int> {
    guard taste.manner == .pages else { return top..<min(top + height, layout.lines.count) }
    return paging.lines(ofPage: page)
  }

  /// The part of the text on the screen.
  var visibleText: Range<Int> {
    let lines = visible
    guard let last = lines.last else { return spot.place..<spot.place }
    let start = layout.lines[lines.lowerBound].place
    return start..<max(start, layout.end(ofLine: last))
  }

  package mutating func resize(_ window: Window) {
    guard window != self.window else { return }
    self.window = window
    relay()
  }

  /// Parts words from now on, by dictionaries that may come while the book is read.
  package mutating func part(by dictionaries: Hyphenation) {
    hyphens = Hyphens(dictionaries, language: book.document.metadata.language)
    relay()
  }

  mutating func change(_ change: (inout Taste) -> Void) {
    change(&taste)
    relay()
  }

  // MARK: - What is told outside

  /// Where the reader is, to be kept.
  package var locator: Locator {
    places.locator(spot.place..<spot.place, in: text, spine: spot.spine)
  }

  /// How far through the book what is on the screen ends, from 0 to 1.
  package var progress: Double {
    isAtEnd
      ? 1
      : min(
        0.9999,
        places.positions.total(
          at: spot.spine, progression: text.progression(of: visibleText.upperBound)))
  }

  package var isOnJacket: Bool { if case .jacket = mode { true } else { false } }

  var isAtEnd: Bool {
    visible.upperBound >= layout.lines.count && nextItem(after: spot.spine) == nil
  }
}

/// What is to be done outside.
package enum Errand: Sendable, Hashable {
  /// The reader has moved.
  case keepPlace
  case addMark(ReaderMark)
  case removeMark(ReaderMark)
  /// Into the clipboard.
  case copy(String)
  case rate(Int)
  case giveBack
  case redraw
  case leave
}

extension [Errand] {
  /// Of keys that came at once: without the marks that were put in and taken out again before they
  /// had a name to be taken out by.
  var settled: [Errand] {
    var left: [Errand] = []
    for errand in self {
      if case .removeMark(let mark) = errand, mark.id.isEmpty,
        let place = left.lastIndex(of: .addMark(mark))
      {
        left.remove(at: place)
      } else {
        left.append(errand)
      }
    }
    return left
  }
}
