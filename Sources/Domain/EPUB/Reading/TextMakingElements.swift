// What each element does to the text.
extension TextMaking {
  /// Goes into an element, or past it; returns the node to go on with.
  mutating func enter(_ node: Int) -> Int {
    let tag = tree.tag(node)
    let past = Int(tree.nodes[node].end)
    if tag == .head { readHead(node) }
    guard !tag.isUnread else { return past }
    let looks = rules.looks(of: node, in: tree)
    if looks.isHidden || tree.has(.hidden, node) { return past }
    if isPageBreak(node), let next = addPageBreak(node) { return next }
    switch tag {
    case .br:
      add(made: "\n", at: node)
      return past
    case .wbr:
      if open != nil { add(made: "\u{200B}", at: node) }
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
    if isVerse(node) { inner.kind = inner.kind == .paragraph ? .verse : inner.kind }
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

  private func words(_ name: AttributeName, _ node: Int) -> Set<String> {
    guard let text = tree.attribute(name, of: node) else { return [] }
    return Set(text.tokens.map { $0.lowercased() })
  }

  private static let verses = ["verse", "poem", "poetry", "stanza"]

  private func isVerse(_ node: Int) -> Bool {
    for name in [AttributeName.semantics, .class] {
      guard let text = tree.attribute(name, of: node)?.lowercased() else { continue }
      for token in text.tokens {
        let word = token.split(separator: ":").last.map(String.init) ?? token
        if Self.verses.contains(word) { return true }
      }
    }
    return false
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

  // MARK: - Pages of the print

  private func isPageBreak(_ node: Int) -> Bool {
    tree.has(.semantics, node) && words(.semantics, node).contains("pagebreak")
      || tree.has(.role, node) && words(.role, node).contains("doc-pagebreak")
  }

  /// Nil where it holds more than a number: then its text is for reading.
  private mutating func addPageBreak(_ node: Int) -> Int? {
    let own = text(of: node)
    let written = [AttributeName.title, .alt, .value]
      .compactMap { tree.attribute($0, of: node)?.cleaned(upTo: 200) }.first { !$0.isEmpty }
    item.pageBreaks.append(PageBreak(label: written ?? own, place: item.text.count))
    return own.utf8.count <= 40 ? Int(tree.nodes[node].end) : nil
  }

  // MARK: - Pictures

  private mutating func addPicture(_ node: Int) {
    let source = tree.attribute(.src, of: node) ?? tree.attribute(.href, of: node)
    let reference = source.map { Reference($0, from: item.path) }
    let alternative = tree.attribute(.alt, of: node)?.cleaned(upTo: 4000)
    // Empty on purpose: an ornament.
    if alternative == "" { return }
    let name = reference?.path?.split(separator: "/").last.map(String.init)
    let label = alternative ?? tree.attribute(.title, of: node)?.cleaned(upTo: 1000) ?? name ?? ""
    addPicture(node, Picture(source: reference, alternative: label, element: node))
  }

  private mutating func addPicture(_ node: Int, _ picture: Picture) {
    item.pictures.append(picture)
    add(made: "\u{FFFC}", at: node, picture: Int32(item.pictures.count - 1))
  }

  /// A drawing stands for its title; what is written in it is read.
  private mutating func addDrawing(_ node: Int) -> Int {
    let end = Int(tree.nodes[node].end)
    var label = ""
    var source: Reference?
    var next = node + 1
    while next < end {
      if tree.nodes[next].isElement {
        switch tree.tag(next) {
        case .title, .desc: if label.isEmpty { label = text(of: next) }
        case .image where source == nil:
          source = tree.attribute(.href, of: next).map { Reference($0, from: item.path) }
        default: break
        }
      }
      next += 1
    }
    addPicture(node, Picture(source: source, alternative: label, element: node))
    addWords(from: node + 1, before: end)
    return end
  }

  /// All text that is drawn, and nothing else.
  private mutating func addWords(from first: Int, before end: Int) {
    var next = first
    while next < end {
      guard tree.nodes[next].isElement, tree.tag(next) == .text else {
        next += 1
        continue
      }
      close()
      let last = Int(tree.nodes[next].end)
      while next < last {
        if tree.nodes[next].isText { add(tree.nodes[next]) }
        next += 1
      }
      close()
    }
  }
}
