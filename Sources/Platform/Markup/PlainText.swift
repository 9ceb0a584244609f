/// The text of markup for places without markup: a terminal, a search index, a notice. Blocks
/// become lines and paragraphs, white space is what a browser would show.
package struct PlainText {
  private enum Gap: Int { case none, space, line, paragraph }

  private var text = ""
  private var gap = Gap.none
  private var preformatted = 0
  private var isAfterBullet = false

  package static func of(_ content: [Content]) -> String {
    var plain = PlainText()
    plain.add(content)
    return plain.text
  }

  package static func of(_ nodes: [Node]) -> String {
    var plain = PlainText()
    plain.add(nodes)
    return plain.text
  }

  private enum Step<Item> {
    case item(Item)
    case end(String)
  }

  private mutating func add(_ content: [Content]) {
    var steps: [Step<Content>] = content.reversed().map(Step.item)
    while let step = steps.popLast() {
      switch step {
      case .end(let name): end(name)
      case .item(.text(let part)): add(text: part)
      case .item(.element(let element)):
        let name = element.name.local.lowercased()
        guard begin(name, alternative: element["alt"]) else { continue }
        steps.append(.end(name))
        steps += element.children.reversed().lazy.map(Step.item)
      }
    }
  }

  private mutating func add(_ nodes: [Node]) {
    for node in nodes {
      switch node {
      case .data: continue
      case .text(let part): add(text: part)
      case .element(let tag, let attributes, let children):
        let name = tag.description.lowercased()
        var alternative: String?
        for case (.text(let text), "alt") in attributes.map({ ($0.value, $0.name) }) {
          alternative = text
        }
        guard begin(name, alternative: alternative) else { continue }
        add(children)
        end(name)
      }
    }
  }

  /// False when the content is not for reading.
  private mutating func begin(_ name: String, alternative: String?) -> Bool {
    switch name {
    case _ where PlainText.unread.contains(name): return false
    case "br": text.isEmpty ? () : text.append("\n")
    case "img": alternative.map { add(text: $0) }
    case "li":
      widen(.line)
      add(text: "•")
      gap = .space
      isAfterBullet = true
    case "pre":
      widen(.paragraph)
      preformatted += 1
    default: widen(PlainText.gaps[name] ?? .none)
    }
    return true
  }

  private mutating func end(_ name: String) {
    if name == "pre" { preformatted -= 1 }
    widen(name == "li" ? .line : name == "pre" ? .paragraph : PlainText.gaps[name] ?? .none)
  }

  private mutating func widen(_ wanted: Gap) {
    if wanted.rawValue > gap.rawValue && !isAfterBullet { gap = wanted }
  }

  private mutating func add(text part: String) {
    if preformatted > 0 {
      close()
      text += part
      return
    }
    for scalar in part.unicodeScalars {
      switch scalar {
      case " ", "\t", "\n", "\r", "\u{0C}": widen(.space)
      default:
        close()
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Writes the white space that is due before the next visible character.
  private mutating func close() {
    defer { (gap, isAfterBullet) = (.none, false) }
    guard let last = text.utf8.last else { return }
    switch gap {
    case .none: break
    case .space: if last != 0x0A { text.append(" ") }
    case .line: if last != 0x0A { text.append("\n") }
    case .paragraph: text.append(last == 0x0A ? "\n" : "\n\n")
    }
  }

  private static let unread: Set<String> = [
    "script", "style", "head", "template", "iframe", "object", "noscript", "title", "textarea",
    "select", "svg", "audio", "video", "canvas", "rp",
  ]

  private static let gaps: [String: Gap] = {
    var gaps: [String: Gap] = ["td": .space, "th": .space]
    for name in ["div", "dt", "dd", "tr", "caption", "summary", "figcaption", "option", "legend"] {
      gaps[name] = .line
    }
    for name in [
      "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "blockquote", "table", "section",
      "article", "aside", "header", "footer", "nav", "figure", "hr", "address", "main", "details",
      "form", "fieldset",
    ] {
      gaps[name] = .paragraph
    }
    return gaps
  }()
}
