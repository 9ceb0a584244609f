extension AllowList {
  /// The part of `content` this list allows, as nodes of ours. Whatever comes in, the result is
  /// well nested HTML within the list's limits, and rebuilding it again changes nothing.
  package func rebuild(_ content: [Content]) -> [Node] {
    var rebuilding = Rebuilding(allowing: self)
    var steps: [Rebuilding.Step] = content.reversed().map(Rebuilding.Step.visit)
    while let step = steps.popLast(), !rebuilding.isFull {
      switch step {
      case .visit(.text(let text)): rebuilding.add(text: text)
      case .visit(.element(let element)):
        guard let after = rebuilding.begin(element) else { continue }
        steps.append(after)
        steps += element.children.reversed().lazy.map(Rebuilding.Step.visit)
      case .end(let serial): rebuilding.end(serial)
      case .owe: rebuilding.owesBreak = true
      case .proceed: continue
      }
    }
    return rebuilding.finish()
  }
}

/// One run of an allow-list over a tree: the elements begun and not yet ended.
struct Rebuilding {
  /// What is left to do, innermost last.
  enum Step {
    case visit(Content)
    /// The content of that open element is over, unless something ended it before.
    case end(Int)
    /// The content of a block without tags is over.
    case owe
    case proceed
  }

  private struct Frame {
    let rule: AllowList.Rule
    let realm: AllowList.Realm
    let attributes: [Attribute]
    let serial: Int
    var children: [Node] = []
  }

  let list: AllowList
  /// A block lost its tags here: the words on both sides must not run into one.
  var owesBreak = false
  private var nesting = Nesting()
  private var frames: [Frame] = []
  private var roots: [Node] = []
  /// Text not yet a node: what lost the tags in between becomes one.
  private var run = ""
  private var (serial, nodes, textBytes) = (0, 0, 0)

  init(allowing list: AllowList) { self.list = list }

  var isFull: Bool { nodes >= list.maximumNodes || textBytes >= list.maximumText }

  /// What to do when the element's content has been visited; nil when it is not to be.
  mutating func begin(_ element: Element) -> Step? {
    let local = element.name.local.lowercased()
    if list.dropped.contains(local) {
      if Rebuilding.isBlock(local) { owesBreak = true }
      return nil
    }
    guard let realm = AllowList.Realm(element.name), mayBegin(local, in: realm),
      let rule = list.elements[realm]?[local],
      let attributes = attributes(of: element, by: rule, in: realm)
    else { return unwrap(element, local) }
    let name = rule.name.description

    if realm == .html {
      close(to: nesting.depth(beginning: name))
      if rule.name.isVoid {
        settleBreak(before: nil, isBlock: Rebuilding.isBlock(name))
        append(.element(rule.name, attributes, []))
        nodes += 1
        // XML can put content into these; it comes after them.
        return .proceed
      }
    }
    guard frames.count < list.maximumDepth else { return unwrap(element, local) }
    settleBreak(before: nil, isBlock: Rebuilding.isBlock(name))
    flush()
    (nodes, serial) = (nodes + 1, serial + 1)
    frames.append(Frame(rule: rule, realm: realm, attributes: attributes, serial: serial))
    realm == .html ? nesting.push(name) : nesting.pushForeign(name, endsScope: rule.isLeaf)
    return .end(serial)
  }

  mutating func end(_ serial: Int) {
    if let index = frames.lastIndex(where: { $0.serial == serial }) { close(to: index) }
  }

  mutating func add(text raw: String) {
    var text = Rebuilding.cleaned(raw)
    guard let first = text.utf8.first, textBytes < list.maximumText else { return }
    // A break that is owed counts as text, too.
    settleBreak(before: first, isBlock: false)
    if textBytes + text.utf8.count > list.maximumText {
      text = Rebuilding.clipped(text, to: list.maximumText - textBytes)
      // What is left may be too short for one more character; it is full all the same.
      textBytes = list.maximumText - text.utf8.count
    }
    join(text)
  }

  consuming func finish() -> [Node] {
    close(to: 0)
    flush()
    return roots
  }

  /// SVG begins with `svg` and goes on with SVG only; so does MathML. A parser that met anything
  /// else in there would leave the drawing, and read what follows by other rules.
  private func mayBegin(_ local: String, in realm: AllowList.Realm) -> Bool {
    guard let innermost = frames.last else { return realm == .html || local == realm.root }
    if innermost.rule.isLeaf { return false }
    return innermost.realm == realm || (innermost.realm == .html && local == realm.root)
  }

  private mutating func unwrap(_ element: Element, _ local: String) -> Step {
    if local == "img", let alternative = element["alt"] { add(text: alternative) }
    guard Rebuilding.isBlock(local) else { return .proceed }
    owesBreak = true
    return .owe
  }

  private mutating func close(to depth: Int) {
    while frames.count > depth, let frame = frames.last {
      flush()
      let children = frames.removeLast().children
      let isBlock = Rebuilding.isBlock(frame.rule.name.description)
      if frame.rule.isPruned && children.allSatisfy(Rebuilding.isBlank) {
        owesBreak = owesBreak || isBlock || !children.isEmpty
        resumeRun()
      } else {
        if isBlock { owesBreak = false }
        append(.element(frame.rule.name, frame.attributes, children))
      }
    }
    nesting.pop(to: min(depth, nesting.depth))
  }

  private mutating func append(_ node: Node) {
    flush()
    frames.isEmpty ? roots.append(node) : frames[frames.count - 1].children.append(node)
  }

  private mutating func join(_ text: String) {
    textBytes += text.utf8.count
    run += text
  }

  private mutating func flush() {
    guard !run.isEmpty else { return }
    let node = Node.text(run)
    run = ""
    frames.isEmpty ? roots.append(node) : frames[frames.count - 1].children.append(node)
  }

  /// Takes the text before an element that came to nothing back, for the text after it to join.
  private mutating func resumeRun() {
    if frames.isEmpty {
      guard case .text(let text)? = roots.last else { return }
      roots.removeLast()
      run = text
    } else if case .text(let text)? = frames[frames.count - 1].children.last {
      frames[frames.count - 1].children.removeLast()
      run = text
    }
  }

  /// Writes the line break that is owed, unless what stands on either side separates by itself.
  private mutating func settleBreak(before next: UInt8?, isBlock: Bool) {
    guard owesBreak else { return }
    owesBreak = false
    if isBlock || next.map(Rebuilding.isSpace) == true { return }
    if let last = run.utf8.last {
      if !Rebuilding.isSpace(last) { join("\n") }
    } else if case .element(let name, _, _)? = frames.last?.children.last ?? roots.last,
      frames.last.map({ !$0.children.isEmpty }) ?? true,
      !Rebuilding.isBlock(name.description)
    {
      join("\n")
    }
  }
}
