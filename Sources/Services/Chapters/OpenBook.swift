package import EPUB
import HTTP
import Markup
import Styles
import Synchronization

/// A book that is being read: opened once, with the texts that were looked at last.
package final class OpenBook: Sendable {
  package let book: Book
  package let places: BookPlaces
  /// Of its file.
  package let digest: String
  /// The items one turns through.
  package let line: [Int]

  private struct State {
    var reading: TextReading
    var texts: [(spine: Int, text: ItemText)] = []
    var chapters: [(spine: Int, name: String, chapter: Chapter)] = []
    var beginning: BookPlaces.Place??
    var timeline: Timeline?
  }

  private let state: Mutex<State>
  /// About as many as are looked at in turn.
  private static let kept = 6
  private static let largest = 256 << 20
  /// Of a drawing, and of what has to be cleared in memory.
  private static let held = 32 << 20
  /// Of what is not rebuilt, more is not held in memory.
  private static let small = 256 << 10

  package init(_ book: Book, digest: String) {
    (self.book, self.digest, line) = (book, digest, book.line)
    places = BookPlaces(book)
    state = Mutex(State(reading: TextReading(book)))
  }

  // MARK: - Texts

  package func text(at spine: Int) throws(ResourceError) -> ItemText {
    try locked { state throws(ResourceError) in try Self.text(at: spine, &state) }
  }

  private static func text(at spine: Int, _ state: inout State) throws(ResourceError) -> ItemText {
    if let known = state.texts.first(where: { $0.spine == spine }) { return known.text }
    let text = try state.reading.text(at: spine)
    state.texts.append((spine, text))
    if state.texts.count > kept { state.texts.removeFirst() }
    return text
  }

  /// For searches, which are long.
  package var reading: TextReading { state.withLock { $0.reading } }

  package func place(of locator: Locator) -> (BookPlaces.Place, BookPlaces.Certainty)? {
    state.withLock { places.place(of: locator, &$0.reading) }
  }

  package var beginning: BookPlaces.Place? {
    state.withLock { state in
      if let known = state.beginning { return known }
      let found = book.beginning(&state.reading)
      state.beginning = .some(found)
      return found
    }
  }

  /// What is read aloud, and when.
  package var timeline: Timeline {
    state.withLock { state in
      if let known = state.timeline { return known }
      let made = Timeline(book)
      state.timeline = made
      return made
    }
  }

  private func locked<Value: Sendable>(
    _ body: (inout sending State) throws(ResourceError) -> Value
  ) throws(ResourceError) -> Value {
    try state.withLock { state -> Result<Value, ResourceError> in
      do throws(ResourceError) { return .success(try body(&state)) } catch {
        return .failure(error)
      }
    }.get()
  }

  // MARK: - Pages

  package func chapter(
    at spine: Int, _ addresses: BookAddresses
  ) throws(ResourceError) -> Chapter {
    let kept = state.withLock { state in
      state.chapters.first { $0.spine == spine && $0.name == addresses.name }?.chapter
    }
    if let kept { return kept }
    guard book.document.spine.indices.contains(spine) else { throw .missing }
    let item = book.document.spine[spine]
    guard let shown = item.shown, let path = shown.path else { throw .missing }
    let chapter =
      shown.mediaType.isDocument
      ? try ChapterMaking.chapter(
        of: book, path, isHTML: shown.mediaType.text == "text/html",
        isFixed: book.document.isFixed(item), addresses)
      : ChapterMaking.picture(path, addresses)
    state.withLock { state in
      state.chapters.append((spine, addresses.name, chapter))
      if state.chapters.count > Self.kept { state.chapters.removeFirst() }
    }
    return chapter
  }

  /// Where in the text of an item a place of its page stands.
  package func place(
    ofShown shown: Int, at spine: Int, _ addresses: BookAddresses
  ) throws(ResourceError) -> Int {
    let (text, chapter) = (try text(at: spine), try chapter(at: spine, addresses))
    return text.place(ofSource: chapter.source(of: shown, in: text.tree.text))
  }

  /// And the other way.
  package func shown(
    ofPlace place: Int, at spine: Int, _ addresses: BookAddresses
  ) throws(ResourceError) -> Int {
    let (text, chapter) = (try text(at: spine), try chapter(at: spine, addresses))
    return chapter.shown(ofSource: text.source(of: place), in: text.tree.text)
  }

  // MARK: - Parts

  /// An entry as a page of the book may have it; documents and sheets are rebuilt.
  package func part(
    at path: String, _ addresses: BookAddresses
  ) throws(ResourceError) -> BookPart {
    guard book.isUsable(path) else { throw .missing }
    let type = book.mediaType(of: path)
    if type.isDocument, type.text != "image/svg+xml" {
      let page = try ChapterMaking.chapter(
        of: book, path, isHTML: type.text == "text/html", isFixed: false, addresses)
      return BookPart(bytes: page.bytes, type: .xhtml)
    }
    let isSheet = Self.isSheet(type)
    let isDrawing = type.text == "image/svg+xml"
    let most = book.isLicensed && !isDrawing ? Self.largest : Self.held
    let bytes = try book.bytes(of: path, upTo: isSheet ? StyleList.maximumText : most)
    // What bytes are is told by the bytes first.
    if let media = HTTP.MediaType.picture(bytes) ?? .font(bytes) {
      return BookPart(bytes: bytes, type: media)
    }
    if isSheet {
      let list = StyleList.own(book, from: path, addresses)
      let text = list.rebuild(sheet: Self.text(bytes))
      return BookPart(bytes: Array(text.utf8), type: .css)
    }
    if isDrawing { return try drawing(bytes, path, addresses) }
    guard let media = HTTP.MediaType.media(bytes, listed: type) else { throw .missing }
    return BookPart(bytes: bytes, type: media)
  }

  /// Whether an entry is to be had by `media` alone: it is large, and sent as it is.
  package func isLargeMedia(_ path: String) -> Bool {
    let type = book.mediaType(of: path)
    guard book.isUsable(path), !type.isDocument, type.text != "image/svg+xml",
      !Self.isSheet(type), let length = book.plainLength(of: path)
    else { return false }
    return length > Self.small
  }

  package func media(at path: String) throws(ResourceError) -> BookMedia {
    guard isLargeMedia(path), let length = book.plainLength(of: path) else { throw .missing }
    guard length <= Self.largest else { throw .tooLarge }
    return try BookMedia(book, path, length: length)
  }

  private static func isSheet(_ type: EPUB.MediaType) -> Bool {
    ["text/css", "text/x-oeb1-css"].contains(type.text)
  }

  private func drawing(
    _ bytes: [UInt8], _ path: String, _ addresses: BookAddresses
  ) throws(ResourceError) -> BookPart {
    let page = try PageElement(bytes)
    guard let node = ChapterMaking(book, path, base: path, addresses).drawing(page.root) else {
      throw .unreadable
    }
    return BookPart(bytes: XMLWriter.document(node), type: .svg)
  }

  /// In the encodings that sheets have: marked ones, else UTF-8.
  private static func text(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isBig = bytes[0] == 0xFE
      var units: [UInt16] = []
      for place in stride(from: 2, to: bytes.count - 1, by: 2) {
        let (one, two) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
        units.append(isBig ? one << 8 | two : two << 8 | one)
      }
      return String(decoding: units, as: UTF16.self)
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return String(decoding: bytes[start...], as: UTF8.self)
  }
}

extension OpenBook {
  /// Where the steps lead.
  package func place(of cfi: CFI) -> (BookPlaces.Place, BookPlaces.Certainty)? {
    var reading = reading
    return places.place(of: cfi, &reading)
  }

  /// The places of a section at which an entry of the contents begins, in order; its top among them.
  package func chapterStarts(in text: ItemText, at spine: Int) -> [Int] {
    let path = book.document.spine[spine].shown?.path
    let own = book.navigation.contents.compactMap { entry -> Int? in
      guard let target = entry.target, target.path == path, let fragment = target.fragment else {
        return nil
      }
      return text.place(ofID: fragment)
    }
    return Set(own + [0]).sorted()
  }
}
