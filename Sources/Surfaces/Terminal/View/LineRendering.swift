import EPUB
import Text

/// Turns laid out lines into rows: fetches the words, marks what is marked, and puts them where
/// they belong between the margins.
struct LineRendering {
  /// Places of the text that look different for now, the later ones over the earlier.
  struct Overlay {
    let range: Range<Int>
    let look: Look
  }

  let layout: ItemLayout
  var overlays: [Overlay] = []
  private var shownBlock: (number: Int, ShownBlock)?

  init(_ layout: ItemLayout, _ overlays: [Overlay] = []) {
    (self.layout, self.overlays) = (layout, overlays)
  }

  /// No picture of several people takes more bytes; a letter under hundreds of marks does, and
  /// terminals choke on it.
  private static let longestCluster = 64

  mutating func row(_ number: Int) -> Row {
    let line = layout.lines[number]
    switch line.kind {
    case .blank: return Row()
    case .rule:
      return Row("* * *", .dim).indented(by: max(0, (layout.setting.width - 5) / 2))
    case .row: return tableRow(layout.rows[Int(line.block)])
    case .text: return textRow(line)
    }
  }

  private mutating func shown(_ number: Int) -> ShownBlock {
    if let known = shownBlock, known.number == number { return known.1 }
    let made = ShownBlock(layout.item, layout.item.blocks[number])
    shownBlock = (number, made)
    return made
  }

  private mutating func textRow(_ line: Line) -> Row {
    let block = layout.item.blocks[Int(line.block)]
    var row = Row(spans(line.range, block, shown(Int(line.block))))
    if line.marks.contains(.parted), let last = row.spans.indices.last {
      row.spans[last].text += "-"
    }
    var indent = Int(line.indent)
    if line.marks.contains(.opens), let marker = block.marker {
      let tame = Taming.tamed(marker)
      indent = max(0, indent - tame.count - 1)
      row.spans.insert(Span(tame + " ", .dim), at: 0)
    }
    let free = layout.setting.width - indent - row.cells
    switch block.alignment {
    case .center where free > 1: indent += free / 2
    case .end: indent += max(0, free)
    case .start where block.direction == .rightToLeft: indent += max(0, free)
    default: if line.marks.contains(.runsOn) { justify(&row, free, block) }
    }
    return row.indented(by: indent)
  }

  private mutating func tableRow(_ parts: [RowPart]) -> Row {
    var row = Row()
    for part in parts {
      let cells = row.cells
      if part.column > cells {
        row.spans.append(Span(String(repeating: " ", count: part.column - cells)))
      }
      let block = layout.item.blocks[part.block]
      var own = spans(part.range, block, shown(part.block))
      if layout.item.cell(of: block)?.isHeader == true {
        for place in own.indices { own[place].look.insert(.bold) }
      }
      row.spans += own
    }
    return row
  }

  // MARK: - Words

  private func spans(_ range: Range<Int>, _ block: TextBlock, _ shown: ShownBlock) -> [Span] {
    guard !range.isEmpty else { return [] }
    var edges: Set<Int> = [range.lowerBound, range.upperBound]
    for mark in shown.marks where range.contains(mark.start) { edges.insert(mark.start) }
    let over = overlays.map { overlay in
      (
        shown.shown(
          overlay.range.lowerBound)..<max(
            shown.shown(overlay.range.lowerBound), shown.shown(overlay.range.upperBound)),
        overlay.look
      )
    }
    for (part, _) in over {
      for edge in [part.lowerBound, part.upperBound] where range.contains(edge) {
        edges.insert(edge)
      }
    }
    let order = edges.sorted()
    var out: [Span] = []
    for (from, to) in zip(order, order.dropFirst()) {
      var look = Look(block: block)
      if let mark = shown.marks.last(where: { $0.start <= from }) {
        look.formUnion(Look(mark.style))
        if mark.link != nil { look.insert(.link) }
      }
      for (part, own) in over where part.contains(from) { look.formUnion(own) }
      let text = words(shown.bytes, from..<to)
      if !text.isEmpty { out.append(Span(text, look)) }
    }
    if LineBreaking.endsSoftly(shown.bytes, range), !out.isEmpty {
      out[out.count - 1].text += "-"
    }
    return out
  }

  private func words(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    var out: [UInt8] = []
    for start in Self.clusters(bytes, range) {
      let cluster = bytes[start].prefix(Self.longestCluster)
      if cluster.first == 0xC2, cluster.dropFirst().first == 0xAD { continue }
      out += cluster.first == 0x0A ? [0x20] : Array(Self.whole(cluster))
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func clusters(_ bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    let starts = Clusters.starts(in: bytes, range)
    return starts.indices.map { place in
      starts[place]..<(place + 1 < starts.count ? starts[place + 1] : range.upperBound)
    }
  }

  /// Without a character that was cut in two.
  private static func whole(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard bytes.count == longestCluster else { return bytes }
    var bytes = bytes
    while let last = bytes.last, Scalars.continues(last) { bytes.removeLast() }
    if let last = bytes.last, last >= 0x80 { bytes.removeLast() }
    return bytes
  }

  // MARK: - Both edges straight

  /// Widens the blanks of a line that is full enough to bear it.
  private func justify(_ row: inout Row, _ free: Int, _ block: TextBlock) {
    guard layout.setting.edge == .justified, free > 0, 10 * free < 4 * layout.setting.width,
      [.paragraph, .definition].contains(block.kind)
    else { return }
    let gaps = row.spans.reduce(0) { $0 + $1.text.count { $0 == " " } }
    guard gaps > 0 else { return }
    var seen = 0
    for place in row.spans.indices {
      var out = ""
      for character in row.spans[place].text {
        out.append(character)
        guard character == " " else { continue }
        let wide = free * (seen + 1) / gaps - free * seen / gaps
        out += String(repeating: " ", count: wide)
        seen += 1
      }
      row.spans[place].text = out
    }
  }
}

extension Look {
  fileprivate init(block: TextBlock) {
    self = []
    if case .heading = block.kind { insert(.bold) }
    if block.kind == .term { insert(.bold) }
    if block.kind == .caption || block.kind == .picture { insert(.italic) }
  }

  fileprivate init(_ style: TextStyle) {
    self = []
    if style.contains(.strong) { insert(.bold) }
    if style.contains(.emphasis) { insert(.italic) }
    if style.contains(.underline) { insert(.underline) }
    if style.contains(.strike) { insert(.strike) }
    if style.contains(.highlight) { insert(.marked) }
    if style.contains(.reading) || style.contains(.picture) { insert(.dim) }
  }
}
