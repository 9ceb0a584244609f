import Text

/// The text of one item of a book as it is read: paragraphs, headings and so on, in order, each
/// with what is marked in it. What is searched, shown, quoted and counted is this text, and every
/// place of it knows where in the author's document it stands.
package struct ItemText: Sendable {
  /// The entry it was read from.
  package let path: String
  package let tree: SourceTree
  /// The text of all blocks, in UTF-8; what lies between two blocks is nothing.
  package internal(set) var text: [UInt8] = []
  package internal(set) var blocks: [TextBlock] = []
  package internal(set) var runs: [TextRun] = []
  package internal(set) var links: [TextLink] = []
  package internal(set) var pictures: [Picture] = []
  package internal(set) var cells: [TableCell] = []
  package internal(set) var pageBreaks: [PageBreak] = []
  package internal(set) var languages: [String] = []
  /// The one in the document's head.
  package internal(set) var title: String?
  /// Where pieces of `text` were taken from; both sides only grow.
  var segments: [Segment] = []

  struct Segment: Sendable {
    let text: Int32
    let source: Int32
  }

  init(path: String, tree: SourceTree) { (self.path, self.tree) = (path, tree) }

  /// What was wrong with the document; a reader is told, because some of it may be missing.
  package var fault: String? { tree.fault }

  package func string(_ range: Range<Int>) -> String {
    String(decoding: text[range.clamped(to: 0..<text.count)], as: UTF8.self)
  }

  package func string(of block: TextBlock) -> String { string(block.range) }

  package func language(of block: TextBlock) -> String? {
    block.language < 0 ? nil : languages[Int(block.language)]
  }

  package func cell(of block: TextBlock) -> TableCell? {
    block.cell < 0 ? nil : cells[Int(block.cell)]
  }

  package func runs(of block: TextBlock) -> ArraySlice<TextRun> {
    runs[Int(block.firstRun)..<Int(block.lastRun)]
  }

  /// Which part of the text a run is.
  package func range(of run: Int, in block: TextBlock) -> Range<Int> {
    let end = run + 1 < Int(block.lastRun) ? Int(runs[run + 1].start) : block.range.upperBound
    return Int(runs[run].start)..<end
  }

  // MARK: - Places

  /// Where a place of the text stands in the text of the document.
  package func source(of place: Int) -> Int {
    guard let segment = last(where: { Int($0.text) <= place }) else { return 0 }
    return min(Int(segment.source) + place - Int(segment.text), tree.text.count)
  }

  /// The place of the text where a place of the document is read, or the next thing after it.
  package func place(ofSource offset: Int) -> Int {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if Int(segments[middle].source) <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    let segment = segments[low - 1]
    let end = low < segments.count ? Int(segments[low].text) : text.count
    return min(Int(segment.text) + offset - Int(segment.source), end)
  }

  private func last(where holds: (Segment) -> Bool) -> Segment? {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if holds(segments[middle]) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? segments[low - 1] : nil
  }

  /// The block that a place lies in, or the next one; nil behind the last.
  package func block(at place: Int) -> Int? {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].range.upperBound <= place { low = middle + 1 } else { high = middle }
    }
    return low < blocks.count ? low : nil
  }

  /// The picture that stands at a place.
  package func picture(at place: Int) -> Picture? {
    guard !pictures.isEmpty else { return nil }
    return runs.first { Int($0.start) == place && $0.picture != nil }?.picture.map { pictures[$0] }
  }

  /// Where the picture that an element is stands.
  func place(ofPicture node: Int) -> Int? {
    guard let number = pictures.firstIndex(where: { $0.element == node }) else { return nil }
    return runs.first { $0.picture == number }.map { Int($0.start) }
  }

  /// Where an element's text begins, or what comes next where it has none to show.
  package func place(ofElement node: Int) -> Int {
    place(ofPicture: node) ?? place(ofSource: Int(tree.nodes[node].start))
  }

  /// The place a link with this fragment leads to.
  package func place(ofID id: String) -> Int? { tree.element(id: id).map(place(ofElement:)) }

  /// The text of an element, block by block: of a note, for example.
  package func blocks(ofElement node: Int) -> Range<Int> {
    let start = place(ofElement: node)
    let end = place(ofSource: Int(tree.nodes[node].stop))
    let first = block(at: start) ?? blocks.count
    var last = first
    while last < blocks.count, blocks[last].range.lowerBound < end { last += 1 }
    return first..<last
  }

  /// How far through the item a place is, from 0 to 1.
  package func progression(of place: Int) -> Double {
    text.isEmpty ? 0 : min(1, max(0, Double(place) / Double(text.count)))
  }

  package func place(ofProgression progression: Double) -> Int {
    guard progression > 0 else { return 0 }
    var place = min(text.count, Int((progression * Double(text.count)).rounded()))
    while place < text.count, place > 0, Scalars.continues(text[place]) { place -= 1 }
    return place
  }
}
