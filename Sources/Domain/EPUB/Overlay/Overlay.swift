import XML

/// How a document of a book is read aloud: which words are said by which piece of which recording.
package struct Overlay: Sendable, Hashable {
  package struct Clip: Sendable, Hashable {
    /// The words, as the place of an element.
    package let text: Reference
    package let audio: Reference?
    /// Seconds into the recording.
    package let begin: Double
    /// Nil for its end.
    package let end: Double?
    /// What it is in the book, and what it lies in: `footnote`, `table` and so on.
    package let types: [String]

    /// Nil where only the recording knows.
    package var duration: Double? {
      audio == nil ? 0 : end.map { max(0, $0 - begin) }
    }
  }

  package private(set) var clips: [Clip] = []
  /// Pieces that said something nobody understands, and were left out.
  package private(set) var skipped = 0

  /// Readers may want to pass over these altogether.
  package static let skippable: Set<String> = [
    "footnote", "endnote", "rearnote", "note", "noteref", "pagebreak", "annotation", "marginalia",
    "practice", "help", "sidebar",
  ]
  /// Or to get out of these before they end.
  package static let escapable: Set<String> = [
    "table", "table-row", "table-cell", "list", "list-item", "figure",
  ]

  private static let mostClips = 200_000

  package init(_ tree: SourceTree, at path: String) {
    /// What the elements that are open say of what is in them.
    var open: [(end: Int32, types: [String])] = []
    var node = 0
    while node < tree.nodes.count, clips.count < Self.mostClips {
      defer { node += 1 }
      guard tree.nodes[node].isElement else { continue }
      while let last = open.last, Int(last.end) <= node { open.removeLast() }
      let types = (tree.attribute(.semantics, of: node) ?? "").tokens
      let name = tree.name(node)
      if name == "par" {
        if let clip = Self.clip(tree, node, path, (open.last?.types ?? []) + types) {
          clips.append(clip)
        } else {
          skipped += 1
        }
      } else if name == "seq" || name == "body" {
        open.append((tree.nodes[node].end, (open.last?.types ?? []) + types))
      }
    }
  }

  /// Nil where it has no words, or a time that is none.
  private static func clip(_ tree: SourceTree, _ node: Int, _ path: String, _ types: [String])
    -> Clip?
  {
    var text: Reference?
    var audio: Int?
    for child in tree.children(of: node) where tree.nodes[child].isElement {
      switch tree.name(child) {
      case "text": text = text ?? tree.attribute(.src, of: child).map { Reference($0, from: path) }
      case "audio": audio = audio ?? child
      default: continue
      }
    }
    guard let text, text.path != nil else { return nil }
    guard let audio, let source = tree.attribute(.src, of: audio) else {
      return Clip(text: text, audio: nil, begin: 0, end: nil, types: types)
    }
    var begin = 0.0
    var end: Double?
    if let written = tree.attribute(.clipBegin, of: audio) {
      guard let value = ClockValue.seconds(written) else { return nil }
      begin = value
    }
    if let written = tree.attribute(.clipEnd, of: audio) {
      guard let value = ClockValue.seconds(written), value > begin else { return nil }
      end = value
    }
    return Clip(
      text: text, audio: Reference(source, from: path), begin: begin, end: end, types: types)
  }
}

/// Times as SMIL 3.0 writes them.
package enum ClockValue {
  package static func seconds(_ written: String) -> Double? {
    let text = written.cleaned(upTo: 100)
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return count(text)
    case 2:
      guard parts[0].utf8.count == 2, let minutes = whole(parts[0], below: 60) else { return nil }
      return second(parts[1]).map { 60 * minutes + $0 }
    case 3:
      guard let hours = whole(parts[0], below: 1e6), parts[1].utf8.count == 2,
        let minutes = whole(parts[1], below: 60)
      else { return nil }
      return second(parts[2]).map { 3600 * hours + 60 * minutes + $0 }
    default: return nil
    }
  }

  private static func count(_ text: String) -> Double? {
    for (unit, worth) in [("ms", 0.001), ("min", 60.0), ("h", 3600.0), ("s", 1.0)]
    where text.hasSuffix(unit) {
      return number(text.dropLast(unit.count)).map { $0 * worth }
    }
    return number(text[...])
  }

  private static func whole(_ text: Substring, below limit: Double) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let value = Double(text), value < limit
    else { return nil }
    return value
  }

  /// Two digits, and a fraction perhaps.
  private static func second(_ text: Substring) -> Double? {
    let digits = text.prefix { $0 != "." }
    guard digits.utf8.count == 2, let value = number(text), value < 60 else { return nil }
    return value
  }

  private static func number(_ text: Substring) -> Double? {
    let sides = text.split(separator: ".", omittingEmptySubsequences: false)
    guard sides.count <= 2, text.utf8.count <= 20,
      sides.allSatisfy({
        !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
      })
    else { return nil }
    return Double(text)
  }
}
