import EPUB
package import Items
package import Setup

extension ReadingRoom {
  package func text(of source: BookSource, item: Int?) throws(ErrorItem) -> [BookTextItem] {
    let book = try Self.open(source)
    let spine = book.document.spine
    if let item, !spine.indices.contains(item) {
      throw ErrorItem("no-such-item", "there are \(spine.count), from 0")
    }
    var reading = TextReading(book)
    var texts: [BookTextItem] = []
    for place in item.map({ $0..<($0 + 1) }) ?? spine.indices {
      do throws(ResourceError) {
        let text = try reading.text(at: place)
        texts.append(
          BookTextItem(
            item: place, href: text.path, title: text.title,
            text: String(decoding: text.plain(), as: UTF8.self)))
      } catch {
        // Of all documents the ones that can be read are better than none.
        guard item == nil else {
          throw ErrorItem("item-unreadable", spine[place].item.path ?? spine[place].item.id)
        }
      }
    }
    return texts
  }

  package func search(
    _ source: BookSource, for order: ContentOrder,
    _ found: (ContentHitItem) throws(ErrorItem) -> Void
  ) throws(ErrorItem) -> Int {
    let book = try Self.open(source)
    let places = BookPlaces(book)
    var options: ContentSearch.Options = []
    if order.matchesCase { options.insert(.matchesCase) }
    if order.wholeWords { options.insert(.wholeWords) }
    var search: ContentSearch
    do throws(ContentSearch.Fault) {
      search = try ContentSearch(order.words, TextReading(book), places.positions, options)
    } catch {
      throw ErrorItem("query-too-long", "at most \(ContentSearch.longest) characters")
    }
    var count = 0
    while count < order.limit, let hit = search.next(), let text = search.text {
      count += 1
      try found(ContentHitItem(hit, text, places))
    }
    return count + search.countRest()
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
