import EPUB
import Text

// What is on the screen.
extension ReaderModel {
  /// As many rows as the window has, none wider than it.
  package func view() -> Screenful {
    var screen = drawn()
    screen.rows = screen.rows.prefix(window.rows).map { $0.clipped(to: window.columns) }
    while screen.rows.count < window.rows { screen.rows.append(Row()) }
    return screen
  }

  private func drawn() -> Screenful {
    switch mode {
    case .jacket(let hasBegun): framed(centered(jacket(hasBegun)))
    case .reading: framed(page([]))
    case .menu(let menu): framed(list(menu))
    case .prompt(let prompt): asking(prompt)
    case .slip(let slip): framed(laid(slip))
    case .selecting(let selection):
      framed(page([LineRendering.Overlay(range: selection.range, look: .chosen)]))
    case .ending: framed(centered(endingLines))
    }
  }

  private func framed(_ rows: [Row]) -> Screenful {
    var all = Array(repeating: Row(), count: topRows) + rows.prefix(height)
    while all.count < topRows + height { all.append(Row()) }
    if statusRows > 0 { all.append(status) }
    return Screenful(all)
  }

  // MARK: - The page

  private func page(_ more: [LineRendering.Overlay]) -> [Row] {
    var drawing = LineRendering(layout, overlays + more)
    return visible.map { drawing.row($0).indented(by: left) }
  }

  private var overlays: [LineRendering.Overlay] {
    var all: [LineRendering.Overlay] = []
    for mark in marks where mark.kind != .bookmark {
      guard let place = mark.place, place.spine == spot.spine else { continue }
      all.append(LineRendering.Overlay(range: place.range, look: .marked))
    }
    if let search {
      for hit in search.hits where hit.spine == spot.spine {
        all.append(LineRendering.Overlay(range: hit.range, look: .found))
      }
    }
    return all
  }

  // MARK: - The line below

  private var status: Row {
    let words = message ?? hint
    if let words {
      return Row(" " + words.tame.shortened(to: max(1, window.columns - 2)), .status)
        .filled(to: window.columns)
    }
    let percent = "\(Int((progress * 100).rounded(.down)))%"
    guard window.columns >= 24 else { return Row(percent, .status).filled(to: window.columns) }
    var right = "\(percent) "
    if window.columns >= 60 { right = "\(gauge(of: 12)) " + right + pageNumber }
    let counter = taste.manner == .pages ? "\(page + 1)/\(paging.starts.count)" : ""
    let sign = bookmarkOnPage == nil ? "" : "★ "
    let room = window.columns - Clusters.cells(of: right) - counter.count - sign.count - 5
    let chapter = (chapterTitle ?? book.title).tame.shortened(to: max(0, room))
    let start = " \(sign)\(chapter) \(counter)"
    let gap = max(1, window.columns - Clusters.cells(of: start) - Clusters.cells(of: right) - 1)
    return Row(start + String(repeating: " ", count: gap) + right, .status)
      .filled(to: window.columns)
  }

  /// Of pages that no window changes.
  private var pageNumber: String {
    let number = places.positions.number(
      at: spot.spine, progression: text.progression(of: spot.place))
    return "\(number)/\(places.positions.count) "
  }

  private func gauge(of cells: Int) -> String {
    let full = Int((progress * Double(cells)).rounded(.down))
    return String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
  }

  private var chapterTitle: String? {
    places.chapter(at: spot.spine, spot.place, in: text)?.label
  }

  private var hint: String? {
    switch mode {
    case .reading, .prompt, .slip: nil
    case .jacket where elsewhere != nil:
      "space opens the book · c goes on from there · ? help · q quit"
    case .jacket: "space opens the book · ? help · q quit"
    case .menu: "↑ ↓ choose · Enter goes there · Esc back"
    case .selecting:
      "↑ ↓ other words · Tab sentence or paragraph · h mark · a note · S share · Esc back"
    case .ending: "p page before · 1–5 rate · r return · g beginning · q quit"
    }
  }

  private func asking(_ prompt: Prompt) -> Screenful {
    var more: [LineRendering.Overlay] = []
    if case .note(let range) = prompt.purpose {
      more.append(LineRendering.Overlay(range: range, look: .chosen))
    }
    var screen = framed(page(more))
    let label = prompt.label
    var typed = prompt.text.tame
    if prompt.text.last == " " { typed += " " }
    let room = max(1, window.columns - label.count - 2)
    while Clusters.cells(of: typed) > room { typed.removeFirst() }
    let line = Row(" \(label)\(typed)", .status).filled(to: window.columns)
    if screen.rows.count >= window.rows { screen.rows.removeLast() }
    screen.rows.append(line)
    let column = min(window.columns - 1, 1 + label.count + Clusters.cells(of: typed))
    screen.cursor = Screenful.Cursor(row: screen.rows.count - 1, column: column)
    return screen
  }

  // MARK: - Lists and slips

  private func list(_ menu: Menu) -> [Row] {
    let room = max(1, height - 2)
    let first = max(0, min(menu.chosen - room / 2, menu.entries.count - room))
    let shown = menu.entries.indices.dropFirst(first).prefix(room)
    let width = layout.setting.width
    var rows = [Row(menu.title.tame.shortened(to: width), .bold).indented(by: left), Row()]
    for number in shown {
      let entry = menu.entries[number]
      let words = String(repeating: "  ", count: min(entry.depth, 8)) + entry.label.tame
      let text = " " + words.shortened(to: max(1, width - 2)) + " "
      rows.append(
        Row(text.padded(to: width), number == menu.chosen ? .chosen : []).indented(by: left))
    }
    return rows
  }

  /// Rows of a slip that are seen at once.
  var slipHeight: Int { max(1, height - 3) }

  /// Over the lower part of the page, as a footnote stands; a long one takes all of it.
  private func laid(_ slip: Slip) -> [Row] {
    let shown = slip.lines.dropFirst(slip.top).prefix(slipHeight)
    let isMore = slip.top + slipHeight < slip.lines.count
    let width = layout.setting.width
    let rule = String(repeating: "─", count: max(0, width - slip.title.count - 4))
    var rows = [Row("── \(slip.title.tame) \(rule)", .dim)] + shown
    if isMore { rows.append(Row("space for more", .dim)) }
    let over = rows.map { $0.indented(by: left) }
    let under = page([])
    let kept = max(0, height - over.count)
    return Array((under + Array(repeating: Row(), count: height)).prefix(kept)) + over
  }

  // MARK: - Jacket and end

  private func centered(_ rows: [Row]) -> [Row] {
    let above = max(0, (height - rows.count) / 3)
    let all = rows.map { $0.indented(by: max(0, (window.columns - $0.cells) / 2)) }
    return Array(repeating: Row(), count: above) + all
  }

  private func jacket(_ hasBegun: Bool) -> [Row] {
    let metadata = book.document.metadata
    let width = layout.setting.width
    var rows = wrapped(book.title.tame).map { Row($0.text, .bold) }
    if let subtitle = metadata.subtitle { rows += wrapped(subtitle.tame) }
    rows.append(Row())
    for creator in metadata.creators.prefix(4) { rows += wrapped(creator.name.tame) }
    if let series = metadata.series {
      rows += [Row(), Row((series.name + (series.position.map { ", \($0)" } ?? "")).tame)]
    }
    let made = [metadata.publishers.first, metadata.published.map { String($0.prefix(4)) }]
    let line = made.compactMap(\.self).joined(separator: ", ").tame
    if !line.isEmpty { rows += [Row(), Row(line.shortened(to: width), .dim)] }
    if hasBegun {
      let percent = Int((progress * 100).rounded(.down))
      let chapter = chapterTitle.map { ": \($0)" } ?? ""
      rows += [Row(), Row("You are at \(percent)%\(chapter)".tame.shortened(to: width))]
    }
    if let elsewhere {
      rows += [Row()] + wrapped(elsewhere.sentence) + [Row("c goes on from there", .dim)]
    }
    return rows
  }

  private var endingLines: [Row] {
    [
      Row("The end", .bold), Row(), Row(book.title.tame.shortened(to: layout.setting.width)), Row(),
      Row("1 2 3 4 5  rate it"), Row("r  return it"), Row("p  the page before"),
      Row("q  close the book"),
    ]
  }
}

extension Row {
  fileprivate func filled(to width: Int) -> Row {
    var row = clipped(to: width)
    let free = width - row.cells
    guard free > 0 else { return row }
    let look = row.spans.last?.look ?? []
    row.spans.append(Span(String(repeating: " ", count: free), look))
    return row
  }
}

extension String {
  /// On one line, with nothing in it that a terminal would obey.
  var tame: String { Taming.tamed(self).collapsed }
}

extension Book {
  var title: String { document.metadata.title ?? "Untitled" }
}
