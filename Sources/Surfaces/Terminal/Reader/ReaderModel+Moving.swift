import EPUB

// Turning pages, and jumping.
extension ReaderModel {
  func nextItem(after spine: Int) -> Int? { book.line.first { $0 > spine } }
  func itemBefore(_ spine: Int) -> Int? { book.line.last { $0 < spine } }

  mutating func turn() {
    if taste.manner == .scroll { return scroll(by: max(1, height - 1)) }
    if page + 1 < paging.starts.count { return show(page: page + 1) }
    enterNext()
  }

  mutating func turnBack() {
    if taste.manner == .scroll { return scroll(by: -max(1, height - 1)) }
    if page > 0 { return show(page: page - 1) }
    enterPrevious()
  }

  /// Behind the last page is the end of the book.
  private mutating func enterNext() {
    var next = nextItem(after: spot.spine)
    while let spine = next {
      if enter(spine) { return land(on: 0) }
      next = nextItem(after: spine)
    }
    mode = .ending
  }

  private mutating func enterPrevious() {
    var next = itemBefore(spot.spine)
    while let spine = next {
      if enter(spine) {
        return land(on: taste.manner == .pages ? layout.lines.count - 1 : lastTop)
      }
      next = itemBefore(spine)
    }
    message = "This is the beginning."
  }

  private var lastTop: Int { max(0, layout.lines.count - height) }

  mutating func scroll(by count: Int) {
    let wanted = top + count
    if wanted < 0, top == 0 { return enterPrevious() }
    if wanted > lastTop, top >= lastTop { return enterNext() }
    land(on: max(0, min(lastTop, wanted)))
  }

  private mutating func show(page: Int) { land(on: paging.starts[page]) }

  /// Opens an item; false where it cannot be read.
  private mutating func enter(_ spine: Int) -> Bool {
    if spine == spot.spine { return true }
    guard let next = Self.text(spine, &reading) else { return false }
    text = next
    spot = Spot(spine: spine, place: 0)
    relay()
    return true
  }

  /// Puts a line on the screen, at the top of its page.
  private mutating func land(on line: Int) {
    top = line
    if taste.manner == .pages { top = paging.starts[page] }
    spot.place = layout.lines[top].place
    errands.append(.keepPlace)
  }

  /// Goes to a place, leaving a trail back.
  mutating func jump(to goal: Spot) {
    let from = spot
    guard go(to: goal) else {
      message = "That part of the book cannot be read."
      return
    }
    if from != spot { trail.append(from) }
  }

  /// The page that a place is on.
  @discardableResult
  mutating func go(to goal: Spot) -> Bool {
    guard enter(goal.spine) else { return false }
    if paging.starts != Paging(layout.lines, height: height).starts {
      paging = Paging(layout.lines, height: height)
    }
    let line = layout.line(at: goal.place)
    land(on: taste.manner == .pages ? line : min(line, lastTop))
    mode = .reading
    return true
  }

  mutating func goBack() {
    guard let last = trail.popLast() else {
      message = "No link was followed to here."
      return
    }
    go(to: last)
  }

  // MARK: - Chapters

  /// Where the entries of the contents lead in one item, in its order; other items stay unread.
  private mutating func chapters(in spine: Int) -> [Spot] {
    let targets = book.navigation.contents.compactMap(\.target)
    let here = targets.filter { book.spine(of: $0) == spine }
    return Array(Set(here.compactMap { spot(of: $0) })).sorted { $0.place < $1.place }
  }

  private var chapterItems: [Int] {
    Set(book.navigation.contents.compactMap { $0.target.flatMap(book.spine) }).sorted()
  }

  mutating func nextChapter() {
    let end = max(visibleText.upperBound, spot.place + 1)
    if let next = chapters(in: spot.spine).first(where: { $0.place >= end }) {
      return jump(to: next)
    }
    if let spine = chapterItems.first(where: { $0 > spot.spine }) {
      return jump(to: chapters(in: spine).first ?? Spot(spine: spine, place: 0))
    }
    message = "This is the last chapter."
  }

  mutating func previousChapter() {
    if let last = chapters(in: spot.spine).last(where: { $0.place < spot.place }) {
      return jump(to: last)
    }
    if let spine = chapterItems.last(where: { $0 < spot.spine }) {
      return jump(to: chapters(in: spine).last ?? Spot(spine: spine, place: 0))
    }
    message = "This is the first chapter."
  }

  mutating func goToBeginning() {
    if let first = book.line.first { jump(to: Spot(spine: first, place: 0)) }
  }

  mutating func goToEnd() {
    guard let last = book.line.last(where: { Self.text($0, &reading) != nil }) else { return }
    jump(to: Spot(spine: last, place: Int.max))
  }

  /// Where an address in the book leads; nil where it leads out of it.
  mutating func spot(of target: Reference) -> Spot? {
    if let fragment = target.fragment, fragment.hasPrefix("epubcfi("), let cfi = Self.cfi(fragment)
    {
      return places.place(of: cfi, &reading).map {
        Spot(spine: $0.0.spine, place: $0.0.range.lowerBound)
      }
    }
    guard let spine = book.spine(of: target) else { return nil }
    guard let fragment = target.fragment, !fragment.isEmpty else {
      return Spot(spine: spine, place: 0)
    }
    let item = spine == spot.spine ? text : Self.text(spine, &reading)
    return Spot(spine: spine, place: item?.place(ofID: fragment) ?? 0)
  }

  private static func cfi(_ text: String) -> CFI? {
    do throws(CFI.Fault) { return try CFI(text) } catch { return nil }
  }

  /// `45%`, or the number of a page.
  mutating func goTo(_ words: String) {
    let words = words.filter { !$0.isWhitespace }
    if words.hasSuffix("%"), let percent = Double(words.dropLast()), (0...100).contains(percent) {
      let (spine, progression) = places.positions.place(ofTotal: percent / 100)
      return jump(spine, progression)
    }
    if let number = Int(words), let position = places.positions[number] {
      return jump(position.spine, position.progression)
    }
    message = "There are pages from 1 to \(places.positions.count), and 0% to 100%."
  }

  private mutating func jump(_ spine: Int, _ progression: Double) {
    let item = spine == spot.spine ? text : Self.text(spine, &reading)
    jump(to: Spot(spine: spine, place: item?.place(ofProgression: progression) ?? 0))
  }
}
