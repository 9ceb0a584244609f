import EPUB
package import Items
package import Setup
import Synchronization

// A book is read from two places at once: two cores take little more than half of the time, and what
// comes first is still there first.
extension ReadingRoom {
  package func text(
    of source: BookSource, item: Int?, _ found: (BookTextItem) throws(ErrorItem) -> Void
  ) async throws(ErrorItem) {
    let book = try open(source, .spine)
    // A licence lets a book be read and not be written out.
    guard !book.isLicensed else { throw ErrorItem("not-written-out") }
    let spine = book.document.spine
    var reading = TextReading(book)
    if let item {
      guard spine.indices.contains(item) else {
        throw ErrorItem("no-such-item", "there are \(spine.count), from 0")
      }
      guard let text = Self.text(at: item, &reading) else {
        throw ErrorItem("item-unreadable", spine[item].item.path ?? spine[item].item.id)
      }
      try found(text)
      return
    }
    let rest = Rest(spine.indices)
    async let last = Self.textsFromTheEnd(of: book, rest)
    while !Task.isCancelled, let place = rest.first() {
      if let text = Self.text(at: place, &reading) { try found(text) }
    }
    for text in await last.reversed() { try found(text) }
  }

  /// From the last one back, until those are met that are read from the first one on: neither waits
  /// for the other, however much of the machine it gets.
  @concurrent private static func textsFromTheEnd(of book: Book, _ rest: Rest) async
    -> [BookTextItem]
  {
    var reading = TextReading(book)
    var texts: [BookTextItem] = []
    while !Task.isCancelled, let place = rest.last() {
      if let text = text(at: place, &reading) { texts.append(text) }
    }
    return texts
  }

  /// Of all documents the ones that can be read are better than none.
  private static func text(at place: Int, _ reading: inout TextReading) -> BookTextItem? {
    do throws(ResourceError) {
      let text = try reading.text(at: place)
      return BookTextItem(item: place, href: text.path, title: text.title, text: text.plain())
    } catch {
      return nil
    }
  }

  package func search(
    _ source: BookSource, for order: ContentOrder,
    _ found: (ContentHitItem) throws(ErrorItem) -> Void
  ) async throws(ErrorItem) -> Int {
    let book = try open(source)
    let places = BookPlaces(book)
    let middle = Self.middle(of: places.positions)
    let shown = Shown()
    async let last = Self.hitsBeside(order, places, middle..<book.document.spine.count, shown)
    var search = try Self.search(order, places, 0..<middle)
    while shown.count < order.limit, let hit = search.next(), let text = search.text {
      shown.add()
      try found(ContentHitItem(hit, text, places))
    }
    let rest = order.limit - shown.count
    let count = shown.count + search.countRest()
    let (hits, more) = try await last.get()
    for hit in hits.prefix(rest) { try found(hit) }
    return count + more
  }

  /// Places that may be shown, and how many there are, shown or not.
  @concurrent private static func hitsBeside(
    _ order: ContentOrder, _ places: BookPlaces, _ items: Range<Int>, _ shown: Shown
  ) async -> Result<(hits: [ContentHitItem], count: Int), ErrorItem> {
    do throws(ErrorItem) {
      var search = try search(order, places, items)
      var hits: [ContentHitItem] = []
      while hits.count < order.limit - shown.count, !Task.isCancelled, let hit = search.next(),
        let text = search.text
      {
        hits.append(ContentHitItem(hit, text, places))
      }
      return .success((hits, hits.count + search.countRest()))
    } catch {
      return .failure(error)
    }
  }

  private static func search(_ order: ContentOrder, _ places: BookPlaces, _ items: Range<Int>)
    throws(ErrorItem) -> ContentSearch
  {
    var options: ContentSearch.Options = []
    if order.matchesCase { options.insert(.matchesCase) }
    if order.wholeWords { options.insert(.wholeWords) }
    do throws(ContentSearch.Fault) {
      return try ContentSearch(
        order.words, TextReading(places.book), places.positions, options, items: items)
    } catch {
      throw ErrorItem("query-too-long", "at most \(ContentSearch.longest) characters")
    }
  }

  /// The item of the spine in which half of the book is read; never the first, with which every
  /// book begins.
  private static func middle(of positions: PositionList) -> Int {
    max(1, positions.place(ofTotal: 0.5).spine)
  }
}

extension ContentHitItem {
  fileprivate init(_ hit: ContentSearch.Hit, _ text: ItemText, _ places: BookPlaces) {
    self.init(
      item: hit.spine, href: text.path,
      chapter: places.chapter(at: hit.spine, hit.range.lowerBound, in: text)?.label,
      progression: hit.progression, total: hit.total,
      position: places.positions.number(at: hit.spine, progression: hit.progression),
      cfi: "\(places.cfi(hit.range, in: text, spine: hit.spine))", before: hit.before,
      match: hit.match, after: hit.after)
  }
}

/// The documents of a book that nobody has begun to read.
private final class Rest: Sendable {
  private let places: Mutex<Range<Int>>

  init(_ places: Range<Int>) { self.places = Mutex(places) }

  func first() -> Int? {
    places.withLock { places in
      guard let place = places.first else { return nil }
      places = places.dropFirst()
      return place
    }
  }

  func last() -> Int? {
    places.withLock { places in
      guard let place = places.last else { return nil }
      places = places.dropLast()
      return place
    }
  }
}

/// How many places are shown already. What is found beside needs no more than are left.
private final class Shown: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }

  func add() { number.add(1, ordering: .relaxed) }
}
