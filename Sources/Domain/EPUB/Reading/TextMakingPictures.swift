// What is no text: pages of the print, and pictures.
extension TextMaking {
  func isPageBreak(_ node: Int) -> Bool {
    tree.has(.semantics, node) && words(.semantics, node).contains("pagebreak")
      || tree.has(.role, node) && words(.role, node).contains("doc-pagebreak")
  }

  /// Nil where it holds more than a number: then its text is for reading.
  mutating func addPageBreak(_ node: Int) -> Int? {
    let own = text(of: node)
    let written = [AttributeName.title, .alt, .value]
      .compactMap { tree.attribute($0, of: node)?.cleaned(upTo: 200) }.first { !$0.isEmpty }
    item.pageBreaks.append(PageBreak(label: written ?? own, place: item.text.count))
    return own.utf8.count <= 40 ? Int(tree.nodes[node].end) : nil
  }

  // MARK: - Pictures

  /// Whether there has been nothing but pictures from this run on.
  func isPictures(from run: Int) -> Bool {
    for place in run..<item.runs.count where !item.runs[place].style.contains(.picture) {
      return false
    }
    return true
  }

  mutating func addPicture(_ node: Int) {
    let source = tree.attribute(.src, of: node) ?? tree.attribute(.href, of: node)
    let reference = source.map { Reference($0, from: item.path) }
    let alternative = tree.attribute(.alt, of: node)?.cleaned(upTo: 4000)
    // Empty on purpose: an ornament.
    if alternative == "" { return }
    let name = reference?.path?.split(separator: "/").last.map(String.init)
    let label = alternative ?? tree.attribute(.title, of: node)?.cleaned(upTo: 1000) ?? name ?? ""
    addPicture(node, Picture(source: reference, alternative: label, element: node))
  }

  mutating func addPicture(_ node: Int, _ picture: Picture) {
    item.pictures.append(picture)
    add(made: "\u{FFFC}", at: node, picture: Int32(item.pictures.count - 1))
  }

  /// A drawing stands for its title; what is written in it is read.
  mutating func addDrawing(_ node: Int) -> Int {
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
