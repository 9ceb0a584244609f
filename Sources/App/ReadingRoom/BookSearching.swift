import EPUB
package import Items
package import Setup

// A book is read from two places at once, its beginning and its middle: two cores take little more
// than half of the time, and what comes first is still there first.
extension ReadingRoom {
  package func text(of source: BookSource, item: Int?) async throws(ErrorItem) -> [BookTextItem] {
    let book = try Self.open(source)
    let spine = book.document.spine
    if let item {
      guard spine.indices.contains(item) else {
        throw ErrorItem("no-such-item", "there are \(spine.count), from 0")
      }
      guard let text = Self.texts(of: book, item..<(item + 1)).first else {
        throw ErrorItem("item-unreadable", spine[item].item.path ?? spine[item].item.id)
      }
      return [text]
    }
    let middle = Self.middle(of: PositionList(book))
    async let rest = Self.textsBeside(of: book, middle..<spine.count)
    return Self.texts(of: book, 0..<middle) + (await rest)
  }

  /// Of all documents the ones that can be read are better than none.
  private static func texts(of book: Book, _ places: Range<Int>) -> [BookTextItem] {
    var reading = TextReading(book)
    var texts: [BookTextItem] = []
    for place in places where !Task.isCancelled {
      do throws(ResourceError) {
        let text = try reading.text(at: place)
        texts.append(
          BookTextItem(
            item: place, href: text.path, title: text.title,
            text: String(decoding: text.plain(), as: UTF8.self)))
      } catch {
        continue
      }
    }
    return texts
  }

  @concurrent private static func textsBeside(of book: Book, _ places: Range<Int>) async
    -> [BookTextItem]
  {
    texts(of: book, places)
  }

  package func search(
    _ source: BookSource, for order: ContentOrder,
    _ found: (ContentHitItem) throws(ErrorItem) -> Void
  ) async throws(ErrorItem) -> Int {
    let book = try Self.open(source)
    let places = BookPlaces(book)
    let middle = Self.middle(of: places.positions)
    async let rest = Self.hitsBeside(order, places, middle..<book.document.spine.count)
    var search = try Self.search(order, places, 0..<middle)
    var count = 0
    while count < order.limit, let hit = search.next(), let text = search.text {
      count += 1
      try found(ContentHitItem(hit, text, places))
    }
    let shown = count
    count += search.countRest()
    let (hits, more) = try await rest.get()
    for hit in hits.prefix(order.limit - shown) { try found(hit) }
    return count + more
  }

  /// Places that may be shown, and how many there are, shown or not.
  @concurrent private static func hitsBeside(
    _ order: ContentOrder, _ places: BookPlaces, _ items: Range<Int>
  ) async -> Result<(hits: [ContentHitItem], count: Int), ErrorItem> {
    do throws(ErrorItem) {
      var search = try search(order, places, items)
      var hits: [ContentHitItem] = []
      while hits.count < order.limit, !Task.isCancelled, let hit = search.next(),
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
