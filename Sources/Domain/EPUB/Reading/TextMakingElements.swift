// What each element does to the text.
extension TextMaking {
  /// Goes into an element, or past it; returns the node to go on with.
  mutating func enter(_ node: Int) -> Int {
    let tag = tree.tag(node)
    let past = Int(tree.nodes[node].end)
    if tag == .head { readHead(node) }
    guard !tag.isUnread else { return past }
    let manner = manner(of: node)
    let looks = manner.looks
    if looks.isHidden || tree.has(.hidden, node) { return past }
    if isPageBreak(node), let next = addPageBreak(node) { return next }
    switch tag {
    case .br:
      add(made: "\n", at: node)
      return past
    case .wbr:
      if isOpen { add(made: "\u{200B}", at: node) }
      return past
    case .hr:
      addRule(node)
      return past
    case .img:
      addPicture(node)
      return past
    case .svg: return addDrawing(node)
    case .math where tree.has(.alttext, node):
      let text = tree.attribute(.alttext, of: node) ?? ""
      addPicture(node, Picture(source: nil, alternative: text.cleaned(upTo: 1000), element: node))
      return past
    case .pagenum:
      let label = text(of: node)
      item.pageBreaks.append(PageBreak(label: label, place: item.text.count))
      return past
    // What needs a reader that knows more stands beside what does not.
    case .case: return past
    default: break
    }
    var inner = state
    inner.end = tree.nodes[node].end
    inner.element = node
    inner.isBlock = looks.isBlock ?? tag.isBlock
    if inner.isBlock {
      close()
      startBlock(tag, node, &inner)
      if manner.isVerse || isVerse(.semantics, node), inner.kind == .paragraph {
        inner.kind = .verse
      }
    } else {
      inner.element = state.element
    }
    style(tag, node, &inner)
    looks.apply(to: &inner)
    readLanguage(node, &inner)
    push(inner)
    return node + 1
  }

  private mutating func startBlock(_ tag: Tag, _ node: Int, _ inner: inout State) {
    if tag == .p || tag == .div || tag == .section || tag == .li { markNote(node, &inner) }
    switch tag {
    case .h1, .h2, .h3, .h4, .h5, .h6, .doctitle:
      inner.kind = .heading(tag.headingLevel ?? 1)
    case .blockquote: inner.quoteDepth += 1
    case .pre, .listing, .xmp, .textarea:
      inner.kind = .preformatted
      inner.keepsSpace = true
    case .figcaption, .caption, .legend: inner.kind = .caption
    case .summary: inner.style.insert(.strong)
    case .dt:
      inner.kind = .term
      inner.style.insert(.strong)
    case .dd:
      inner.kind = .definition
      inner.listDepth += 1
    case .line, .linegroup, .poem: inner.kind = .verse
    case .ul, .ol, .menu, .dir:
      lists.append(ListCounting(tree, node, depth: inner.listDepth))
      inner.list = lists.count - 1
      inner.listDepth += 1
    case .li:
      if inner.list >= 0 { marker = lists[inner.list].next(tree, node) }
      if inner.kind != .verse { inner.kind = .paragraph }
    case .table:
      tables.append(TableCounting())
      inner.table = tables.count - 1
      inner.cell = -1
    case .tr: if inner.table >= 0 { tables[inner.table].beginRow() }
    case .td, .th:
      if inner.table >= 0 {
        item.cells.append(
          tables[inner.table].cell(tree, node, table: inner.table, isHeader: tag == .th))
        inner.cell = Int32(item.cells.count - 1)
      }
      if tag == .th { inner.style.insert(.strong) }
    case .aside, .note: markNote(node, &inner)
    default: break
    }
  }

  private static let noteWords: Set<String> = [
    "footnote", "endnote", "rearnote", "note", "doc-footnote", "doc-endnote",
  ]

  private func markNote(_ node: Int, _ inner: inout State) {
    if !words(.semantics, node).isDisjoint(with: Self.noteWords)
      || !words(.role, node).isDisjoint(with: Self.noteWords)
    {
      inner.isNote = true
    }
  }

  func words(_ name: AttributeName, _ node: Int) -> Set<String> {
    guard let text = tree.attribute(name, of: node) else { return [] }
    return Set(text.tokens.map { $0.lowercased() })
  }

  private static let verses = ["verse", "poem", "poetry", "stanza"]

  private func isVerse(_ name: AttributeName, _ node: Int) -> Bool {
    guard let text = tree.attribute(name, of: node)?.lowercased() else { return false }
    return text.tokens.contains { token in
      let word = token.split(separator: ":").last.map(String.init) ?? token
      return Self.verses.contains(word)
    }
  }

  /// Worked out once for each name and class: a book has thousands of elements and few kinds.
  private mutating func manner(of node: Int) -> Manner {
    let name = tree.nodes[node].name
    if tree.has(.style, node) || tree.has(.id, node) && rules.hasIDs { return newManner(node) }
    guard let classes = tree.bytes(.class, of: node) else {
      if let known = manners[Int(name)] { return known }
      let manner = newManner(node)
      manners[Int(name)] = manner
      return manner
    }
    let key = ClassedName(name: name, classes: Array(classes))
    if let known = mannersByClass[key] { return known }
    let manner = newManner(node)
    mannersByClass[key] = manner
    return manner
  }

  private func newManner(_ node: Int) -> Manner {
    Manner(looks: rules.looks(of: node, in: tree), isVerse: isVerse(.class, node))
  }

  private mutating func style(_ tag: Tag, _ node: Int, _ inner: inout State) {
    switch tag {
    case .b, .strong: inner.style.insert(.strong)
    case .i, .em, .cite, .dfn, .var: inner.style.insert(.emphasis)
    case .code, .kbd, .samp, .tt: inner.style.insert(.code)
    case .sup: inner.style.insert(.superscript)
    case .sub: inner.style.insert(.subscript)
    case .u, .ins: inner.style.insert(.underline)
    case .s, .strike, .del: inner.style.insert(.strike)
    case .mark: inner.style.insert(.highlight)
    case .q: inner.style.insert(.quotation)
    case .rt, .rtc: inner.style.insert(.reading)
    case .center: inner.alignment = .center
    case .a, .noteref: link(tag, node, &inner)
    default: break
    }
  }

  private mutating func link(_ tag: Tag, _ node: Int, _ inner: inout State) {
    guard let written = tree.attribute(.href, of: node) else { return }
    let target = Reference(written, from: item.path)
    let types = words(.semantics, node).union(words(.role, node))
    let isBack = types.contains("backlink") || types.contains("doc-backlink")
    // Old books have no word for it: a raised link to a place is one.
    let isRaised =
      inner.style.contains(.superscript)
      || node + 1 < Int(tree.nodes[node].end) && tree.nodes[node + 1].isElement
        && tree.tag(node + 1) == .sup
    let isNote =
      tag == .noteref || types.contains("noteref") || types.contains("doc-noteref")
      || isRaised && target.fragment != nil && !isBack && !inner.isNote
    if isNote { inner.style.insert(.noteReference) }
    if isBack { inner.style.insert(.backLink) }
    inner.link = Int32(item.links.count)
    item.links.append(TextLink(target: target, element: node, isNoteReference: isNote))
  }

  private mutating func readLanguage(_ node: Int, _ inner: inout State) {
    if let written = tree.attribute(.lang, of: node)?.cleaned(upTo: 100) {
      if let known = languages[written] {
        inner.language = known
      } else {
        inner.language = Int32(item.languages.count)
        item.languages.append(written)
        languages[written] = inner.language
      }
    }
    switch tree.attribute(.dir, of: node)?.lowercased() {
    case "ltr": inner.direction = .leftToRight
    case "rtl": inner.direction = .rightToLeft
    case "auto": inner.direction = .unsaid
    default: break
    }
  }

  private mutating func readHead(_ node: Int) {
    for child in tree.children(of: node)
    where tree.nodes[child].isElement && tree.tag(child) == .title {
      item.title = item.title ?? text(of: child)
    }
  }

  func text(of node: Int) -> String {
    let element = tree.nodes[node]
    return String(decoding: tree.text[Int(element.start)..<Int(element.stop)], as: UTF8.self)
      .cleaned(upTo: 1000)
  }
}

/// How an element is shown, as far as its name and its class tell.
struct Manner {
  let looks: StyleRules.Looks
  let isVerse: Bool
}

struct ClassedName: Hashable {
  let name: Int32
  let classes: [UInt8]
}
