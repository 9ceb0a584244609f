/// The pages of an item: which line each begins with.
package struct Paging: Sendable, Hashable {
  package private(set) var starts: [Int] = []
  private let count: Int

  /// `forced` is a line that a page has to begin with, for a reader who is there already.
  package init(_ lines: [Line], height: Int, forced: Int? = nil) {
    count = lines.count
    let height = max(1, height)
    var at = 0
    while at < count {
      // No page begins with nothing.
      while at + 1 < count, at != forced, lines[at].kind == .blank { at += 1 }
      starts.append(at)
      let end = min(at + height, count)
      if let forced, at < forced, forced <= end {
        at = forced
      } else {
        at = end == count ? end : Self.cut(lines, at, end, height)
      }
    }
    if count > 0, starts.count > 1, lines[starts[starts.count - 1]...].allSatisfy(\.isBlank) {
      starts.removeLast()
    }
  }

  /// The page that a line is on.
  package func page(ofLine line: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= line { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  package func lines(ofPage page: Int) -> Range<Int> {
    guard starts.indices.contains(page) else { return 0..<0 }
    return starts[page]..<(page + 1 < starts.count ? starts[page + 1] : count)
  }

  /// A little earlier where a heading would be parted from its text, a paragraph would leave a line
  /// alone, or a table is cut that fits a page.
  private static func cut(_ lines: [Line], _ start: Int, _ end: Int, _ height: Int) -> Int {
    var cut = end
    if lines[cut].marks.contains(.block), !lines[cut].marks.contains(.opens) {
      var first = cut
      while first > start, !lines[first].marks.contains(.opens) { first -= 1 }
      var last = cut
      while last < lines.count, !lines[last].marks.contains(.closes) { last += 1 }
      if last - first < height { cut = first }
    }
    if lines[cut].marks.contains(.closes), !lines[cut].marks.contains(.opens) { cut -= 1 }
    if cut > start, lines[cut - 1].marks.contains(.opens),
      !lines[cut - 1].marks.contains(.closes)
    {
      cut -= 1
    }
    while cut > start, lines[cut - 1].marks.contains(.heading) || lines[cut - 1].isBlank {
      cut -= 1
    }
    // An emptier page than that is worse than what it avoids.
    return cut - start > height / 2 ? cut : end
  }
}

extension Line {
  var isBlank: Bool { kind == .blank }
}
