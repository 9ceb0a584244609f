package import EPUB

/// An item of a book in lines of a width.
package struct ItemLayout: Sendable {
  package let item: ItemText
  package let setting: Setting
  let hyphens: Hyphens?
  package private(set) var lines: [Line] = []
  /// The parts of lines that are rows of tables.
  package private(set) var rows: [[RowPart]] = []

  package init(_ item: ItemText, _ setting: Setting, _ hyphens: Hyphens? = nil) {
    (self.item, self.setting, self.hyphens) = (item, setting, hyphens)
    lines.reserveCapacity(item.text.count / 48 + 2 * item.blocks.count)
    var number = 0
    while number < item.blocks.count {
      if number > 0 { separate(number - 1, number) }
      if let cell = item.cell(of: item.blocks[number]) {
        let last = tableEnd(number, cell.table)
        if addTable(number..<last) {
          number = last
          continue
        }
      }
      add(number)
      number += 1
    }
    if lines.isEmpty { lines.append(Line(.blank, block: 0, place: 0)) }
  }

  /// The line that a place of the text stands on.
  package func line(at place: Int) -> Int {
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].place <= place { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// Where the text of a line ends: where the next one begins.
  package func end(ofLine line: Int) -> Int {
    line + 1 < lines.count ? max(lines[line].place, lines[line + 1].place) : item.text.count
  }

  private func tableEnd(_ start: Int, _ table: Int) -> Int {
    var last = start
    while last < item.blocks.count, item.cell(of: item.blocks[last])?.table == table { last += 1 }
    return last
  }

  // MARK: - Blocks

  private mutating func separate(_ above: Int, _ below: Int) {
    let (one, two) = (item.blocks[above], item.blocks[below])
    if let left = item.cell(of: one), let right = item.cell(of: two), left.table == right.table,
      left.row == right.row
    {
      return
    }
    let isTight =
      one.listDepth > 0 && two.marker != nil && two.kind != .definition
      || one.kind == .term && two.kind == .definition || one.kind == .verse && two.kind == .verse
    guard !isTight else { return }
    var count = 1
    if case .heading = two.kind, !lines.isEmpty, !isHeading(one) { count = 2 }
    // The blank above a paragraph belongs to it: it begins where the paragraph does.
    for _ in 0..<count {
      lines.append(
        Line(
          .blank, block: below, place: two.range.lowerBound, marks: isHeading(one) ? .heading : []))
    }
  }

  private func isHeading(_ block: TextBlock) -> Bool {
    if case .heading = block.kind { true } else { false }
  }

  private mutating func add(_ number: Int) {
    let block = item.blocks[number]
    let place = block.range.lowerBound
    if block.kind == .rule {
      lines.append(Line(.rule, block: number, place: place, marks: [.opens, .closes]))
      return
    }
    let indent = indent(of: block)
    let room = setting.width - indent
    // A line of verse that does not fit goes on further in, so that it is not taken for the next.
    let hang = block.kind == .verse ? min(4, max(0, room - 8)) : 0
    let shown = ShownBlock(item, block)
    let pieces = LineBreaking.lines(
      shown.bytes, shown.range, first: room, rest: room - hang,
      parting: parting(of: block, shown))
    var marks: Line.Marks = []
    if isHeading(block) { marks.insert(.heading) }
    if block.kind == .picture || block.kind == .caption { marks.insert(.block) }
    for (place, piece) in pieces.enumerated() {
      var own = marks
      if place == 0 { own.insert(.opens) }
      if place + 1 == pieces.count { own.insert(.closes) }
      if !piece.isLast { own.insert(.runsOn) }
      if piece.isParted { own.insert(.parted) }
      lines.append(
        Line(
          .text, block: number, piece.range, place: shown.place(piece.range.lowerBound),
          indent: indent + (piece.isContinued ? hang : 0), marks: own))
      guard place + 1 < pieces.count, block.kind != .preformatted else { continue }
      for _ in 0..<setting.spacing {
        lines.append(Line(.blank, block: number, place: shown.place(piece.range.upperBound)))
      }
    }
  }

  /// Titles and verses keep their words whole.
  private func parting(of block: TextBlock, _ shown: ShownBlock) -> Parting? {
    guard [.paragraph, .definition, .caption].contains(block.kind),
      let rules = hyphens?.rules(for: item.language(of: block))
    else { return nil }
    let ends = shown.marks.dropFirst().map(\.start) + [shown.range.upperBound]
    let code = zip(shown.marks, ends).filter { $0.0.style.contains(.code) }
    // Straight edges need it more: what is left free there becomes wide blanks.
    let zone = setting.edge == .justified ? 3 : setting.width / 8
    return Parting(rules: rules, zone: zone, kept: code.map { $0.0.start..<max($0.0.start, $0.1) })
  }

  /// Quotes and lists stand further in, but never so far that no room is left for words.
  func indent(of block: TextBlock) -> Int {
    var depth = 2 * block.quoteDepth + 2 * max(0, block.listDepth - 1)
    if block.kind == .definition { depth += 2 }
    if let marker = block.marker {
      depth += marker.count + 1
    } else if block.listDepth > 0 {
      depth += 2
    }
    return min(depth, setting.width / 2)
  }

  private mutating func addTable(_ blocks: Range<Int>) -> Bool {
    guard let set = TableLayout(item, blocks, width: setting.width).rows() else { return false }
    var place = item.blocks[blocks.lowerBound].range.lowerBound
    for (number, parts) in set.enumerated() {
      if let first = parts.first {
        let shown = ShownBlock(item, item.blocks[first.block])
        place = max(place, shown.place(first.range.lowerBound))
      }
      var marks: Line.Marks = .block
      if number == 0 { marks.insert(.opens) }
      if number + 1 == set.count { marks.insert(.closes) }
      lines.append(Line(.row, block: rows.count, place: place, marks: marks))
      rows.append(parts)
    }
    return true
  }
}
