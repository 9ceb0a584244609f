import Markup

/// Reads the navigation document of EPUB 3.
struct NavReading {
  private let path: String
  private(set) var navigation = Navigation()
  private(set) var isCut = false

  init(_ root: Element, at path: String) {
    self.path = path
    navigation.source = .nav
    for nav in root.below("nav") {
      let types = (nav.any("type") ?? "").tokens
      guard let list = nav.first("ol") ?? nav.below("ol").first else { continue }
      if types.contains("toc"), navigation.contents.isEmpty {
        navigation.contents = entries(of: list).map(\.entry)
      } else if types.contains("page-list"), navigation.pages.isEmpty {
        navigation.pages = entries(of: list).map(\.entry)
      } else if types.contains("landmarks"), navigation.landmarks.isEmpty {
        navigation.landmarks = entries(of: list).map { found in
          Navigation.Landmark(types: found.types, entry: found.entry)
        }
      } else if let type = types.first {
        navigation.lists[type] = entries(of: list).map(\.entry)
      }
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
      if let label = item.first("a") ?? item.first("span") ?? item.below("a").first {
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
