import Markup

/// Puts tokens of HTML together to a tree, closing what HTML closes by itself.
struct HTMLTree {
  private struct Open {
    let name: QualifiedName
    let attributes: [Element.Attribute]
    let line: Int32
    var children: [Content] = []
  }

  private var tokens: HTMLTokens
  private let limits: XMLLimits
  private var nesting = Nesting()
  private var open: [Open] = []
  private var roots: [Content] = []
  private var run = ""
  private var nodes = 0
  private var seen: Set<String> = []

  init(_ utf8: [UInt8], _ limits: XMLLimits) {
    tokens = HTMLTokens(utf8)
    self.limits = limits
  }

  mutating func build() throws(XMLError) -> [Content] {
    while let token = tokens.next(inForeign: isInForeign) {
      switch token {
      case .text(let text): run += text
      case .start(let tag): start(tag)
      case .end(let name): end(name)
      }
      if nodes > limits.nodes { throw XMLError(.tooLarge(.nodes, limit: limits.nodes)) }
    }
    close(to: 0)
    flush()
    return roots
  }

  /// Inside a drawing or formula, and not where those let HTML back in.
  private var isInForeign: Bool {
    guard let top = open.last, let namespace = top.name.namespace else { return false }
    return !HTMLTree.integrates(top.name.local, namespace)
  }

  private mutating func start(_ tag: HTMLTag) {
    let name = tag.name == "image" && !isInForeign ? "img" : tag.name
    if isInForeign {
      guard HTMLTree.leavesForeign(tag) else { return startForeign(tag, open.last?.name.namespace) }
      while isInForeign { close(to: open.count - 1) }
    }
    switch name {
    case "svg": return startForeign(tag, Namespaces.svg)
    case "math": return startForeign(tag, Namespaces.mathML)
    case "html", "head", "body":
      // One of each; a second one is noise.
      guard seen.insert(name).inserted else { return }
    default: break
    }
    // A head stands at the top or inside `html`, nowhere else.
    if let head = open.prefix(2).firstIndex(where: { $0.name.local == "head" }),
      !HTMLTree.belongsToHead.contains(name)
    {
      close(to: head)
    }
    close(to: nesting.depth(beginning: name))
    let attributes = tag.attributes.map { Element.Attribute(QualifiedName($0.name), $0.value) }
    if HTMLTree.voids.contains(name) {
      append(name, attributes, [])
    } else if HTMLTree.raws.contains(name) {
      let text = HTMLTokens.plain(name == "plaintext" ? tokens.rest() : tokens.raw(until: name))
      append(name, attributes, text.isEmpty ? [] : [.text(text)])
    } else if name == "textarea" || name == "title" {
      let text = tokens.decoded(tokens.raw(until: name), inAttribute: false)
      append(name, attributes, text.isEmpty ? [] : [.text(text)])
    } else {
      push(QualifiedName(name), attributes) { $0.push(name) }
      if name == "pre" || name == "listing" { tokens.skipLineBreak() }
    }
  }

  private mutating func startForeign(_ tag: HTMLTag, _ namespace: String?) {
    let name = QualifiedName(tag.name, in: namespace)
    let attributes = tag.attributes.map { attribute in
      switch attribute.name {
      case "xlink:href":
        Element.Attribute(QualifiedName("href", in: Namespaces.xlink), attribute.value)
      default: Element.Attribute(QualifiedName(attribute.name), attribute.value)
      }
    }
    if tag.isSelfClosing {
      append(name, attributes, [])
    } else {
      let endsScope = HTMLTree.integrates(tag.name, namespace)
      push(name, attributes) { $0.pushForeign(tag.name, endsScope: endsScope) }
    }
  }

  private mutating func end(_ name: String) {
    switch name {
    case "br": start(HTMLTag(name: name, attributes: [], isSelfClosing: false))
    case "html", "body": return  // What follows belongs to the body all the same.
    default:
      if let depth = nesting.depth(ending: name) { close(to: depth) }
    }
  }

  /// Beyond the depth limit an element is left out, and its content stays.
  private mutating func push(
    _ name: QualifiedName, _ attributes: [Element.Attribute], _ nest: (inout Nesting) -> Void
  ) {
    flush()
    nodes += 1 + attributes.count
    guard open.count < limits.depth else { return }
    open.append(Open(name: name, attributes: attributes, line: Int32(clamping: tokens.line())))
    nest(&nesting)
  }

  private mutating func append(
    _ name: String, _ attributes: [Element.Attribute], _ children: [Content]
  ) {
    append(QualifiedName(name), attributes, children)
  }

  private mutating func append(
    _ name: QualifiedName, _ attributes: [Element.Attribute], _ children: [Content]
  ) {
    nodes += 1 + attributes.count
    let line = Int32(clamping: tokens.line())
    append(
      .element(Element(name, attributes: attributes, children: children, line: line)))
  }

  private mutating func append(_ content: Content) {
    flush()
    open.isEmpty ? roots.append(content) : open[open.count - 1].children.append(content)
  }

  private mutating func flush() {
    guard !run.isEmpty else { return }
    nodes += 1
    let text = Content.text(run)
    run = ""
    open.isEmpty ? roots.append(text) : open[open.count - 1].children.append(text)
  }

  private mutating func close(to depth: Int) {
    while open.count > depth {
      flush()
      let last = open.removeLast()
      nesting.pop(to: open.count)
      append(
        .element(
          Element(
            last.name, attributes: last.attributes, children: last.children, line: last.line)))
    }
  }
}
