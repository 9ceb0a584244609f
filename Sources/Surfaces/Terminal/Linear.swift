package import EPUB
import Text

/// Reading without a screen: chapter after chapter as plain text, with its headings announced, for
/// programs that read aloud and for terminals that cannot do more. One line is asked for between
/// two chapters.
package struct LinearReader: Sendable {
  package let book: Book
  private let places: BookPlaces
  private var reading: TextReading
  /// The item that is read next.
  private var spine: Int
  private var place: Int
  package private(set) var isOver = false

  /// Where another device left off.
  private let elsewhere: Elsewhere?

  package init(_ book: Book, at locator: Locator? = nil, elsewhere: ElsewherePlace? = nil) {
    let places = BookPlaces(book)
    var reading = TextReading(book)
    let found = locator.flatMap { places.place(of: $0, &reading) }?.0
    self.elsewhere = elsewhere.flatMap { Elsewhere($0, in: places, &reading) }
    (self.book, self.places, self.reading) = (book, places, reading)
    spine = found?.spine ?? book.line.first ?? 0
    place = found?.range.lowerBound ?? 0
  }

  /// Where the next chapter begins, to be kept; nil behind the last.
  package var locator: Locator? {
    mutating get {
      guard let text = ReaderModel.text(spine, &reading) else { return nil }
      return places.locator(place..<place, in: text, spine: spine)
    }
  }

  package mutating func opening() -> String {
    let metadata = book.document.metadata
    let makers = metadata.creators.map(\.name).joined(separator: ", ")
    let by = makers.isEmpty ? "" : ", by \(makers)"
    let offer = elsewhere.map { "\($0.sentence) c goes on from there.\n" } ?? ""
    return "\(book.title)\(by)".tame + ".\n" + offer + Self.help
  }

  private static let help =
    "Enter reads on, p goes back a chapter, t tells the contents, a number goes there, q quits.\n"

  /// What a line that was typed leads to.
  package mutating func answer(_ line: String) -> String {
    switch line.tame {
    case "": return next()
    case "q": isOver = true
    case "?", "h": return Self.help
    case "p":
      let before = book.line.filter { $0 < spine }
      guard let back = before.dropLast().last ?? before.last else { return "The beginning.\n" }
      (spine, place) = (back, 0)
      return next()
    case "c":
      guard let elsewhere else { return "No other device was further on in this book.\n" }
      (spine, place) = (elsewhere.spot.spine, elsewhere.spot.place)
      return next()
    case "t":
      return book.navigation.contents.enumerated().map { number, entry in
        "\(number + 1). \(entry.label.tame)\n"
      }.joined()
    case let word: return goTo(word)
    }
    return ""
  }

  private mutating func goTo(_ word: String) -> String {
    let contents = book.navigation.contents
    guard let number = Int(word), contents.indices.contains(number - 1) else { return Self.help }
    guard let target = contents[number - 1].target, let found = book.spine(of: target) else {
      return "That leads nowhere.\n"
    }
    let text = ReaderModel.text(found, &reading)
    spine = found
    place = target.fragment.flatMap { text?.place(ofID: $0) } ?? 0
    return next()
  }

  /// From the place to the end of its item.
  package mutating func next() -> String {
    guard let text = ReaderModel.text(spine, &reading) else { return skip() }
    var out: [UInt8] = []
    if let chapter = places.chapter(at: spine, place, in: text) {
      out += Array("\nChapter: \(chapter.label.tame).\n\n".utf8)
    }
    for block in text.blocks where block.range.upperBound > place || block.kind == .rule {
      if block.range.upperBound < place { continue }
      out += Array(Self.said(text, block).utf8)
    }
    advance()
    if isOver { out += Array("\nThe end of the book.\n".utf8) }
    return String(decoding: out, as: UTF8.self)
  }

  private mutating func skip() -> String {
    advance()
    return "A part of the book cannot be read.\n"
  }

  private mutating func advance() {
    guard let next = book.line.first(where: { $0 > spine }) else {
      isOver = true
      return
    }
    (spine, place) = (next, 0)
  }

  private static func said(_ item: ItemText, _ block: TextBlock) -> String {
    if block.kind == .rule { return "Break.\n\n" }
    let shown = ShownBlock(item, block)
    let words = String(decoding: shown.bytes[shown.range], as: UTF8.self)
    let quote = block.quoteDepth > 0 ? "Quote: " : ""
    let marker = block.marker.map { Taming.tamed($0) + " " } ?? ""
    switch block.kind {
    case .heading(let level): return "Heading \(level): \(words)\n\n"
    case .caption: return "Caption: \(words)\n\n"
    default: return quote + marker + words + "\n\n"
    }
  }
}
