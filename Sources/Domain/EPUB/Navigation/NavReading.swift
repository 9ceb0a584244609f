import Markup

/// Reads the navigation document of EPUB 3.
struct NavReading {
  private let path: String
  private(set) var navigation = Navigation()
  private(set) var isCut = false

  init(_ root: Element, at path: String) {
    self.path = path
    navigation.source = .nav
    // Of each kind the first counts.
    var known: Set<String> = []
    for nav in root.below("nav") {
      let types = (nav.any("type") ?? "").tokens
      let kind = Self.kinds.first { types.contains($0) } ?? types.first
      guard let kind, known.insert(kind).inserted else { continue }
      let isNamed = Self.kinds.contains(kind)
      guard let list = nav.first("ol") ?? (isNamed ? nav.below("ol").first : nil) else { continue }
      take(entries(of: list), as: kind)
    }
  }

  private static let kinds = ["toc", "page-list", "landmarks"]

  private mutating func take(_ found: [Found], as kind: String) {
    switch kind {
    case "toc": navigation.contents = found.map(\.entry)
    case "page-list": navigation.pages = found.map(\.entry)
    case "landmarks":
      navigation.landmarks = found.map { Navigation.Landmark(types: $0.types, entry: $0.entry) }
    default: navigation.lists[kind] = found.map(\.entry)
    }
  }

  private typealias Found = (entry: Navigation.Entry, types: [String])

  /// The lists within lists are walked with a stack of our own.
  private mutating func entries(of list: Element) -> [Found] {
    var found: [Found] = []
    var waiting = Self.steps(list, 0)
    while let (item, depth) = waiting.popLast() {
      guard found.count < Limits.tocEntries else {
        isCut = true
        break
      }
      var below = depth
      if let label = Self.label(of: item) {
        if depth >= Limits.tocDepth { isCut = true }
        found.append(
          (entry(label, min(depth, Limits.tocDepth - 1)), (label.any("type") ?? "").tokens))
        below += 1
      }
      for list in item.all("ol").reversed() { waiting += Self.steps(list, below) }
    }
    return found
  }

  private static func steps(_ list: Element, _ depth: Int) -> [(item: Element, depth: Int)] {
    list.all("li").reversed().map { ($0, depth) }
  }

  /// The link or the heading, wherever it is but in a list of its own.
  private static func label(of item: Element) -> Element? {
    if let label = item.first("a") ?? item.first("span") { return label }
    var waiting = Array(item.elements.reversed())
    while let next = waiting.popLast() {
      if next.kind == "a" { return next }
      if next.kind != "ol" { waiting += next.elements.reversed() }
    }
    return nil
  }

  private func entry(_ label: Element, _ depth: Int) -> Navigation.Entry {
    var text = Self.text(of: label)
    if text.isEmpty { text = (label.any("title") ?? "").cleaned(upTo: 4000) }
    let href = label.kind == "a" ? label.any("href") : nil
    return Navigation.Entry(
      label: text, target: href.map { Reference($0, from: path) }, depth: depth)
  }

  /// Pictures stand for their alternative text.
  private static func text(of element: Element) -> String {
    var text = ""
    var waiting = Array(element.children.reversed())
    while let next = waiting.popLast() {
      switch next {
      case .text(let part): text += part
      case .element(let child):
        if child.kind == "img" { text += child.any("alt") ?? "" }
        waiting.append(contentsOf: child.children.reversed())
      }
    }
    return text.cleaned(upTo: 4000)
  }
}
