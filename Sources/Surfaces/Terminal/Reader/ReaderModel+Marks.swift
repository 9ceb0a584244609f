import EPUB

// Bookmarks, highlights, notes, and sharing.
extension ReaderModel {
  /// The bookmark on the page, if there is one.
  var bookmarkOnPage: ReaderMark? {
    let page = visibleText
    return marks.first { mark in
      guard mark.kind == .bookmark, let place = mark.place, place.spine == spot.spine else {
        return false
      }
      return place.range.lowerBound == page.lowerBound || page.contains(place.range.lowerBound)
    }
  }

  mutating func toggleBookmark() {
    if let mark = bookmarkOnPage {
      take(mark)
      message = "The bookmark is taken out."
    } else {
      keepMark(.bookmark, spot.place..<spot.place)
      message = "A bookmark is put in."
    }
  }

  mutating func keepMark(_ kind: ReaderMark.Kind, _ range: Range<Int>, note: String? = nil) {
    let mark = ReaderMark(
      kind, places.locator(range, in: text, spine: spot.spine), note: note,
      place: BookPlaces.Place(spine: spot.spine, range: range))
    add(mark)
    message = kind == .note ? "The note is kept." : "Marked."
  }

  private mutating func add(_ mark: ReaderMark) {
    marks.append(mark)
    errands.append(.addMark(mark))
  }

  private mutating func take(_ mark: ReaderMark) {
    marks.removeAll { $0 == mark }
    removed.append(mark)
    errands.append(.removeMark(mark))
  }

  /// The name that a kept mark was given.
  package mutating func name(_ mark: ReaderMark, _ id: String) {
    guard let place = marks.lastIndex(of: mark) else { return }
    marks[place].id = id
  }

  /// What could not be done outside.
  package mutating func tell(_ words: String) { message = words }

  // MARK: - The list

  /// In the order of the book; what is not in this file comes last.
  private var marksInOrder: [ReaderMark] {
    marks.sorted { one, two in
      func order(_ mark: ReaderMark) -> (Int, Int) {
        mark.place.map { ($0.spine, $0.range.lowerBound) } ?? (Int.max, 0)
      }
      return order(one) < order(two)
    }
  }

  mutating func showMarks(chosen: Int = 0) {
    let entries = marksInOrder.map { mark in
      Menu.Entry(
        label: label(mark), depth: 0,
        goal: mark.place.map { .spot(Spot(spine: $0.spine, place: $0.range.lowerBound)) })
    }
    guard !entries.isEmpty else {
      mode = .reading
      message = message ?? "There are no bookmarks yet; b puts one in."
      return
    }
    mode = .menu(
      Menu(
        kind: .marks, title: "Bookmarks and notes · d takes one out, u brings it back",
        entries: entries, chosen: min(chosen, entries.count - 1)))
  }

  private func label(_ mark: ReaderMark) -> String {
    let percent = mark.locator.totalProgression.map { "\(Int(($0 * 100).rounded(.down)))% " } ?? ""
    let sign = mark.kind == .bookmark ? "★ " : mark.kind == .highlight ? "▌ " : "✎ "
    let words = mark.locator.quote.highlight ?? mark.locator.quote.after ?? ""
    let chapter = mark.locator.title.map { "\($0.collapsed) · " } ?? ""
    let note = mark.note.map { " — \($0.collapsed)" } ?? ""
    return sign + percent + chapter + String(words.collapsed.prefix(80)) + note
  }

  mutating func removeMark(_ menu: Menu) {
    let order = marksInOrder
    guard order.indices.contains(menu.chosen) else { return }
    take(order[menu.chosen])
    message = "Taken out; u brings it back."
    showMarks(chosen: menu.chosen)
  }

  mutating func bringBackMark() {
    guard let last = removed.popLast() else { return }
    add(ReaderMark(last.kind, last.locator, note: last.note, place: last.place))
    showMarks()
  }

  // MARK: - Choosing words

  mutating func beginSelecting(_ purpose: Selection.Purpose) {
    guard let range = paragraphOnTop else {
      message = "There are no words on this page."
      return
    }
    mode = .selecting(Selection(purpose: purpose, unit: .paragraph, range: range))
  }

  /// The first paragraph that begins on the page, or the one it begins with.
  var paragraphOnTop: Range<Int>? {
    let page = visibleText
    let blocks = text.blocks.filter { $0.range.overlaps(page) && !$0.range.isEmpty }
    return (blocks.first { $0.range.lowerBound >= page.lowerBound } ?? blocks.first)?.range
  }

  mutating func pressed(_ key: Key, on selection: Selection) {
    var selection = selection
    switch key {
    case .down, .right, .character("j"), .character(" "): move(&selection, 1)
    case .up, .left, .character("k"): move(&selection, -1)
    case .tab, .character("u"):
      selection.unit = selection.unit == .paragraph ? .sentence : .paragraph
      let place = selection.range.lowerBound
      selection.range = units(selection.unit).first { $0.contains(place) } ?? selection.range
    case .character("S"): return share(selection.range)
    case .character("h"): return finish(.highlight, selection.range)
    case .character("a"): return finish(.note, selection.range)
    case .enter: return finish(selection.purpose, selection.range)
    default:
      mode = .reading
      return
    }
    mode = .selecting(selection)
  }

  private mutating func finish(_ purpose: Selection.Purpose, _ range: Range<Int>) {
    switch purpose {
    case .highlight:
      mode = .reading
      keepMark(.highlight, range)
    case .note: mode = .prompt(Prompt(purpose: .note(range)))
    }
  }

  /// All paragraphs or sentences of the item.
  private func units(_ unit: Selection.Unit) -> [Range<Int>] {
    let paragraphs = text.blocks.map(\.range).filter { !$0.isEmpty }
    return unit == .paragraph ? paragraphs : paragraphs.flatMap { Sentences.all(text.text, $0) }
  }

  /// To the one before or behind it; the page goes along.
  private mutating func move(_ selection: inout Selection, _ step: Int) {
    let all = units(selection.unit)
    let from = selection.range.lowerBound
    let next =
      step > 0
      ? all.first { $0.lowerBound > from } : all.last { $0.lowerBound < from }
    guard let next else { return }
    selection.range = next
    if !visibleText.contains(next.lowerBound) {
      go(to: Spot(spine: spot.spine, place: next.lowerBound))
    }
  }

  // MARK: - Sharing

  /// More is more than a quotation.
  private static let longestQuote = 500

  mutating func share(_ range: Range<Int>?) {
    guard let range else {
      message = "There are no words on this page."
      return
    }
    let words = text.quote(range, around: 0).highlight?.collapsed ?? ""
    let quote =
      words.count > Self.longestQuote ? String(words.prefix(Self.longestQuote)) + "…" : words
    let metadata = book.document.metadata
    let makers = metadata.creators.map(\.name.collapsed).joined(separator: ", ")
    let source = [metadata.title?.collapsed ?? "", makers].filter { !$0.isEmpty }
    let shared = "“\(quote)”\n— \(source.joined(separator: ", ").tame)"
    errands.append(.copy(shared))
    mode = .slip(Slip(title: "Copied", lines: wrapped(shared)))
  }

  func wrapped(_ words: String) -> [Row] {
    let bytes = Array(words.utf8)
    let width = layout.setting.width
    return LineBreaking.lines(bytes, 0..<bytes.count, first: width, rest: width).map {
      Row(String(decoding: bytes[$0.range], as: UTF8.self))
    }
  }
}
