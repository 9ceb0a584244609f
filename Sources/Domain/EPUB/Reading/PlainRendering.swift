import Text

extension ItemText {
  /// All of it for a place without markup: paragraphs with an empty line between, list items and
  /// rows of tables on lines of their own, nothing in it that a terminal would obey.
  package func plain() -> [UInt8] {
    var rendering = PlainRendering(self)
    return rendering.run()
  }
}

private struct PlainRendering {
  let item: ItemText
  private var out: [UInt8] = []
  private static let special: TextStyle = [.reading, .picture, .quotation]

  init(_ item: ItemText) {
    self.item = item
    out.reserveCapacity(item.text.count + 4 * item.blocks.count)
  }

  mutating func run() -> [UInt8] {
    var last: TextBlock?
    for block in item.blocks {
      if let last { separate(last, block) }
      add(block)
      last = block
    }
    if last != nil { out.append(0x0A) }
    return out
  }

  private mutating func separate(_ one: TextBlock, _ two: TextBlock) {
    if let left = item.cell(of: one), let right = item.cell(of: two), left.table == right.table {
      let isSameCell = left.row == right.row && left.column == right.column
      out.append(isSameCell ? 0x20 : left.row == right.row ? 0x09 : 0x0A)
      return
    }
    let isTight =
      one.listDepth > 0 && two.marker != nil && two.kind != .definition
      || one.kind == .term && two.kind == .definition || one.kind == .verse && two.kind == .verse
    out.append(0x0A)
    if !isTight { out.append(0x0A) }
  }

  private mutating func add(_ block: TextBlock) {
    let depth = 2 * (block.quoteDepth + max(0, block.listDepth - (block.marker == nil ? 0 : 1)))
    let indent = [UInt8](repeating: 0x20, count: block.cell < 0 ? min(depth, 40) : 0)
    out += indent
    if let marker = block.marker { out += Array("\(marker) ".utf8) }
    if block.kind == .rule {
      out += Array("* * *".utf8)
      return
    }
    let start = out.count
    if item.runs(of: block).contains(where: { !$0.style.isDisjoint(with: Self.special) }) {
      addRuns(block)
    } else {
      Taming.tamed(item.text, block.range, to: &out)
    }
    guard !indent.isEmpty, out[start...].contains(0x0A) else { return }
    let lines = out[start...].split(separator: 0x0A, omittingEmptySubsequences: false)
    let joined = Array(lines.joined(separator: [0x0A] + indent))
    out.replaceSubrange(start..., with: joined)
  }

  /// With what is not in the text: quotation marks, brackets around readings, names of pictures.
  private mutating func addRuns(_ block: TextBlock) {
    var isQuoted = false
    for run in Int(block.firstRun)..<Int(block.lastRun) {
      let style = item.runs[run].style
      if style.contains(.quotation) != isQuoted {
        out += Array((isQuoted ? "”" : "“").utf8)
        isQuoted.toggle()
      }
      if let picture = item.runs[run].picture {
        let words = item.pictures[picture].alternative
        out += Array(Taming.tamed(words.isEmpty ? "[Image]" : "[Image: \(words)]").utf8)
        continue
      }
      if style.contains(.reading) { out.append(UInt8(ascii: "(")) }
      Taming.tamed(item.text, item.range(of: run, in: block), to: &out)
      if style.contains(.reading) { out.append(UInt8(ascii: ")")) }
    }
    if isQuoted { out += Array("”".utf8) }
  }
}
