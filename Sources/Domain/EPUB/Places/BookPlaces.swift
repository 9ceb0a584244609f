import Text

/// The places of one book: made from where a reader is, and found again later, in the same file or
/// in one that has changed.
package struct BookPlaces: Sendable {
  /// A place in the text of an item.
  package struct Place: Sendable, Hashable {
    package let spine: Int
    /// In the item's text; a range where words were kept.
    package let range: Range<Int>

    package init(spine: Int, range: Range<Int>) { (self.spine, self.range) = (spine, range) }
  }

  /// How sure it is that a place is the one that was meant.
  package enum Certainty: String, Sendable, Hashable { case exact, moved, approximate }

  package let book: Book
  package let positions: PositionList
  private let guide: ChapterGuide

  package init(_ book: Book) {
    (self.book, positions, guide) = (book, PositionList(book), ChapterGuide(book))
  }

  // MARK: - From a place

  /// A locator for a range of an item's text, or a place where the range is empty.
  package func locator(_ range: Range<Int>, in text: ItemText, spine: Int) -> Locator {
    let item = book.document.spine[spine]
    let progression = text.progression(of: range.lowerBound)
    var locator = Locator(
      href: text.path, type: (item.shown ?? item.item).mediaType.text)
    locator.title = guide.chapter(at: spine, range.lowerBound, in: text)?.label
    locator.progression = progression
    locator.position = positions.number(at: spine, progression: progression)
    locator.totalProgression = positions.total(at: spine, progression: progression)
    locator.spine = spine
    locator.cfi = cfi(range, in: text, spine: spine)
    // Of a book with a licence nothing is written down but what its reader marks.
    locator.quote = text.quote(range, around: book.isLicensed ? 0 : 40, in: .item)
    if range.isEmpty {
      // A bare place is known by the words that follow it.
      locator.quote.highlight = nil
    }
    return locator
  }

  /// The steps to a range of an item's text.
  package func cfi(_ range: Range<Int>, in text: ItemText, spine: Int) -> CFI {
    let item = book.document.spine[spine]
    let head: [CFI.Part] = [
      .step(book.document.spineStep, nil),
      .step(2 * (item.ordinal + 1), item.id.map { CFI.Assertion(before: $0) }), .indirection,
    ]
    if let element = text.picture(at: range.lowerBound)?.element {
      // A picture has no words to count, and is a place as a whole.
      return CFI(CFI.Path(head + text.tree.path(toElement: element).parts))
    }
    let start = text.tree.path(
      to: text.source(of: range.lowerBound), asserting: range.isEmpty && !book.isLicensed)
    guard !range.isEmpty else { return CFI(CFI.Path(head + start.parts, offset: start.offset)) }
    let stop = text.source(of: range.upperBound - 1)
    let isInside = stop < text.tree.text.count
    let last = stop + (isInside ? Scalars.read(text.tree.text, stop).length : 1)
    let end = text.tree.path(to: last, isEnd: true)
    let common = zip(start.parts, end.parts).prefix { $0 == $1 }.count
    return CFI(
      CFI.Path(head + start.parts.prefix(common)),
      ends: CFI.Ends(
        start: CFI.Path(Array(start.parts.dropFirst(common)), offset: start.offset),
        end: CFI.Path(Array(end.parts.dropFirst(common)), offset: end.offset)))
  }

  /// The entry of the table of contents that a place is under.
  package func chapter(at spine: Int, _ place: Int, in text: ItemText) -> Navigation.Entry? {
    guide.chapter(at: spine, place, in: text)
  }

  /// The page of the printed edition that a place is on.
  package func page(at spine: Int, _ place: Int, in text: ItemText) -> String? {
    guide.page(at: spine, place, in: text)
  }

  // MARK: - Back to it

  /// The place that a locator means, tried in this order: its steps, its fragment, its words, how
  /// far through the item, how far through the book. Nil only where the book has nothing to read.
  package func place(of locator: Locator, _ reading: inout TextReading) -> (Place, Certainty)? {
    if let found = bySteps(locator, &reading) { return found }
    let spine = spine(of: locator)
    if let spine, let found = byFragment(locator, spine, &reading) { return (found, .exact) }
    if let found = QuoteSearch(locator.quote).place(near: spine, locator.progression, &reading) {
      return (found, .moved)
    }
    if let spine, let progression = locator.progression,
      let place = place(spine, progression, &reading)
    {
      return (place, .approximate)
    }
    if let total = locator.totalProgression {
      let (spine, progression) = positions.place(ofTotal: total)
      return place(spine, progression, &reading).map { ($0, .approximate) }
    }
    return spine.flatMap { place($0, 0, &reading) }.map { ($0, .approximate) }
  }

  /// Where the steps lead, with what had to be put right; nil where they lead nowhere.
  package func place(of cfi: CFI, _ reading: inout TextReading) -> (Place, Certainty)? {
    guard let (spine, isRight) = spine(of: cfi) else { return nil }
    guard let inside = cfi.insideDocument else {
      return (Place(spine: spine, range: 0..<0), isRight ? .exact : .moved)
    }
    guard let text = try? reading.text(at: spine), let start = text.tree.found(inside.start) else {
      return nil
    }
    let end = inside.ends == nil ? start : text.tree.found(inside.end) ?? start
    if let picture = text.place(ofPicture: start.node) {
      return (
        Place(spine: spine, range: picture..<picture), isRight && start.isExact ? .exact : .moved
      )
    }
    let from = text.place(ofSource: start.offset)
    // The end is behind its last character, which may be the last of its paragraph.
    let to = end.offset > start.offset ? text.place(ofSource: end.offset - 1) + 1 : from
    let certainty: Certainty = isRight && start.isExact && end.isExact ? .exact : .moved
    return (Place(spine: spine, range: from..<text.characterEnd(max(from, to))), certainty)
  }

  private func bySteps(_ locator: Locator, _ reading: inout TextReading) -> (Place, Certainty)? {
    var found: (Place, Certainty)?
    if let cfi = locator.cfi {
      found = place(of: cfi, &reading)
    } else if let steps = locator.partialSteps, let spine = spine(of: locator) {
      let head: [CFI.Part] = [
        .step(book.document.spineStep, nil),
        .step(2 * (book.document.spine[spine].ordinal + 1), nil), .indirection,
      ]
      found = place(
        of: CFI(CFI.Path(head + steps.path.parts, offset: steps.path.offset), ends: steps.ends),
        &reading)
    }
    guard let found, let text = try? reading.text(at: found.0.spine),
      QuoteSearch(locator.quote).agrees(with: found.0.range, in: text)
    else { return nil }
    return found
  }

  private func byFragment(_ locator: Locator, _ spine: Int, _ reading: inout TextReading) -> Place?
  {
    guard !locator.fragments.isEmpty, let text = try? reading.text(at: spine) else { return nil }
    for fragment in locator.fragments {
      let id = fragment.hasPrefix("#") ? String(fragment.dropFirst()) : fragment
      guard let place = text.place(ofID: id),
        QuoteSearch(locator.quote).agrees(with: place..<place, in: text)
      else { continue }
      return Place(spine: spine, range: place..<place)
    }
    return nil
  }

  private func place(_ spine: Int, _ progression: Double, _ reading: inout TextReading) -> Place? {
    guard let text = try? reading.text(at: spine) else { return nil }
    let place = text.place(ofProgression: progression)
    return Place(spine: spine, range: place..<place)
  }

  /// The item a locator names: by its place in the spine where that still holds the same entry.
  private func spine(of locator: Locator) -> Int? {
    let items = book.document.spine
    func holds(_ item: SpineItem, _ path: String) -> Bool {
      item.shown?.path == path || item.item.path == path
    }
    let paths = [locator.href, Reference(locator.href, from: book.document.path).path]
    for path in paths.compactMap(\.self) {
      if let spine = locator.spine, items.indices.contains(spine), holds(items[spine], path) {
        return spine
      }
      if let spine = items.firstIndex(where: { holds($0, path) }) { return spine }
    }
    return nil
  }

  /// The item that the first steps lead to, and whether all they say of it is right.
  private func spine(of cfi: CFI) -> (Int, isRight: Bool)? {
    guard let (number, assertion) = cfi.itemStep else { return nil }
    let items = book.document.spine
    let counted = items.firstIndex { 2 * ($0.ordinal + 1) == number }
    guard let id = assertion?.before else { return counted.map { ($0, true) } }
    if let counted, items[counted].id == id { return (counted, true) }
    if let named = items.firstIndex(where: { $0.id == id }) { return (named, false) }
    // Some name the item of the manifest there.
    if let named = items.firstIndex(where: { $0.item.id == id }) {
      return (named, named == counted)
    }
    return nil
  }
}

extension ItemText {
  /// Forward to where a character ends.
  func characterEnd(_ place: Int) -> Int {
    var place = min(place, text.count)
    while place < text.count, Scalars.continues(text[place]) { place += 1 }
    return place
  }
}
