import Text

// Steps on a document, both ways.
extension SourceTree {
  /// What the steps lead to.
  package struct Found: Sendable, Hashable {
    package let node: Int
    /// In the text of the document.
    package let offset: Int
    /// Whether every step and everything asserted was right.
    package let isExact: Bool
  }

  // MARK: - From a place to steps

  /// The steps to a place of the text, with the ids on the way. Where two texts meet, it belongs to
  /// the one that begins there; the end of a range belongs to the one that ends.
  package func path(to offset: Int, isEnd: Bool = false, asserting: Bool = false) -> CFI.Path {
    let offset = min(max(0, offset), text.count)
    guard let node = textNode(at: isEnd ? max(0, offset - 1) : offset) else {
      return CFI.Path(nodes.isEmpty ? [] : [.step(2, nil)])
    }
    let start = Int(nodes[node].start)
    var place = CFI.Offset(characters: Scalars.utf16Length(text, start..<offset))
    if asserting { place.assertion = assertion(around: offset) }
    return CFI.Path(parts(to: node), offset: place)
  }

  /// The steps to an element.
  package func path(toElement node: Int) -> CFI.Path { CFI.Path(parts(to: node)) }

  private func parts(to node: Int) -> [CFI.Part] {
    var parts: [CFI.Part] = []
    var node = node
    while nodes[node].parent >= 0 {
      let parent = Int(nodes[node].parent)
      let before = elements(in: parent, before: node)
      if nodes[node].isText {
        parts.append(.step(2 * before + 1, nil))
      } else {
        let id = attribute(.id, of: node).flatMap { $0.isEmpty ? nil : $0 }
        parts.append(.step(2 * before + 2, id.map { CFI.Assertion(before: $0) }))
      }
      node = parent
    }
    return parts.reversed()
  }

  private func elements(in parent: Int, before node: Int) -> Int {
    var count = 0
    var next = parent + 1
    while next < node {
      if nodes[next].isElement { count += 1 }
      next = Int(nodes[next].end)
    }
    return count
  }

  /// Ten characters before and behind.
  private func assertion(around offset: Int) -> CFI.Assertion? {
    func words(_ range: Range<Int>) -> String {
      String(String(decoding: text[range], as: UTF8.self).collapsed)
    }
    var start = max(0, offset - 40)
    while start < offset, Scalars.continues(text[start]) { start += 1 }
    var end = min(text.count, offset + 40)
    while end > offset, end < text.count, Scalars.continues(text[end]) { end -= 1 }
    let before = String(words(start..<offset).suffix(10))
    let after = String(words(offset..<end).prefix(10))
    guard !before.isEmpty || !after.isEmpty else { return nil }
    return CFI.Assertion(before: before.isEmpty ? nil : before, after: after)
  }

  // MARK: - From steps to a place

  /// Follows steps that begin at the document's root. Where they no longer fit, an id that is
  /// asserted puts them right, and text that is asserted where they end. Nil where nothing does.
  package func found(_ path: CFI.Path) -> Found? {
    guard !nodes.isEmpty else { return nil }
    var node = 0
    var isExact = true
    var index = 0
    var text: Found?
    while index < path.parts.count {
      guard case .step(let number, let assertion) = path.parts[index] else {
        // Into a document inside this one, which is shown as a picture at most.
        return Found(node: node, offset: Int(nodes[node].start), isExact: false)
      }
      if !number.isMultiple(of: 2) {
        guard index == path.parts.count - 1 else { return nil }
        text = self.text(number, in: node, path.offset, isExact)
        break
      }
      let child = element(number, in: node)
      if let child, assertion?.before == nil || attribute(.id, of: child) == assertion?.before {
        node = child
      } else if let (right, place) = corrected(path.parts, from: index) {
        (node, index, isExact) = (right, place, false)
      } else {
        guard assertion?.before == nil, let edge = edge(number, in: node) else { return nil }
        return Found(node: node, offset: edge, isExact: isExact)
      }
      index += 1
    }
    let found =
      text ?? Found(node: node, offset: Int(nodes[node].start), isExact: isExact)
    return checked(found, path.offset?.assertion)
  }

  /// The first of the steps from here on that names an element that is there.
  private func corrected(_ parts: [CFI.Part], from index: Int) -> (node: Int, index: Int)? {
    for place in index..<parts.count {
      guard case .step(let number, let assertion) = parts[place] else { return nil }
      if number.isMultiple(of: 2), let id = assertion?.before, let node = element(id: id) {
        return (node, place)
      }
    }
    return nil
  }

  private func element(_ number: Int, in parent: Int) -> Int? {
    var left = number / 2
    guard left > 0 else { return nil }
    var next = parent + 1
    while next < Int(nodes[parent].end) {
      if nodes[next].isElement {
        left -= 1
        if left == 0 { return next }
      }
      next = Int(nodes[next].end)
    }
    return nil
  }

  /// The elements that stand for the beginning and the end of what an element holds.
  private func edge(_ number: Int, in parent: Int) -> Int? {
    if number == 0 { return Int(nodes[parent].start) }
    let count = children(of: parent).count { nodes[$0].isElement }
    return number == 2 * count + 2 ? Int(nodes[parent].stop) : nil
  }

  private func text(_ number: Int, in parent: Int, _ offset: CFI.Offset?, _ isExact: Bool) -> Found?
  {
    var left = number / 2
    var next = parent + 1
    // An empty text stands where the element before it ends.
    var at = Int(nodes[parent].start)
    while next < Int(nodes[parent].end) {
      if nodes[next].isElement {
        guard left > 0 else { break }
        left -= 1
        at = Int(nodes[next].stop)
      } else if left == 0 {
        let range = Int(nodes[next].start)..<Int(nodes[next].stop)
        let place = Scalars.index(afterUTF16: offset?.characters ?? 0, in: text, range)
        return Found(node: next, offset: place, isExact: isExact)
      }
      next = Int(nodes[next].end)
    }
    return left == 0 ? Found(node: parent, offset: at, isExact: isExact) : nil
  }
}
