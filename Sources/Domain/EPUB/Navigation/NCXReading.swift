import Markup

/// Reads the table of contents of EPUB 2.
struct NCXReading {
  private let path: String
  private(set) var navigation = Navigation()
  private(set) var isCut = false

  init(_ root: Element, at path: String) {
    self.path = path
    navigation.source = .ncx
    navigation.contents = points(root.first("navMap"))
    navigation.pages = targets(root.first("pageList"), "pageTarget")
    for list in root.all("navList") {
      let type = (list.any("class") ?? "").tokens.first ?? "list"
      navigation.lists[type] = targets(list, "navTarget")
    }
  }

  /// In the order of the document: `playOrder` is wrong more often than that.
  private mutating func points(_ map: Element?) -> [Navigation.Entry] {
    var found: [Navigation.Entry] = []
    var waiting = Self.steps(map, 0)
    while let (point, depth) = waiting.popLast() {
      guard found.count < Limits.tocEntries else {
        isCut = true
        break
      }
      if depth >= Limits.tocDepth { isCut = true }
      found.append(entry(point, min(depth, Limits.tocDepth - 1)))
      waiting += Self.steps(point, depth + 1)
    }
    return found
  }

  private static func steps(_ element: Element?, _ depth: Int) -> [(point: Element, depth: Int)] {
    (element?.all("navPoint") ?? []).reversed().map { ($0, depth) }
  }

  private func targets(_ list: Element?, _ kind: String) -> [Navigation.Entry] {
    (list?.all(kind) ?? []).prefix(Limits.tocEntries).map { entry($0, 0) }
  }

  private func entry(_ point: Element, _ depth: Int) -> Navigation.Entry {
    var label = (point.first("navLabel")?.first("text")?.text ?? "").cleaned(upTo: 4000)
    // A page's number may stand in its value alone.
    if label.isEmpty, let value = point.trimmed("value") { label = value }
    let source = point.first("content")?.any("src")
    return Navigation.Entry(
      label: label, target: source.map { Reference($0, from: path) }, depth: depth)
  }
}
