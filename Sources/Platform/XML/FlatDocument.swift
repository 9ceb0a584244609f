import Markup

/// A whole document in a few flat arrays, where an element is a number. A page of a catalog has a
/// hundred thousand of them, and a tree of values counts the references of each at every look-up.
/// Names are read without namespaces and prefixes, and found in whatever case they are written.
package final class FlatDocument: Sendable {
  /// An element or a text, by its place in the document. The root is the first one.
  package typealias Node = Int32

  private struct Entry {
    /// Where in `names`; below zero for a text.
    let name: Int32
    /// The one after it in the same element; 0, which is the root, for none.
    var next: Node = 0
    var first: Node = 0
    /// Where in `texts`, or where its attributes begin.
    let content: Int32
    let attributes: Int32
  }

  private struct Names {
    private(set) var all: [String] = []
    /// In lower case, one after the other, each from its start up to the next one's.
    private(set) var bytes: [UInt8] = []
    private(set) var starts: [Int32] = [0]
    private var numbers: [String: Int32] = [:]
    /// As written, and which came after which the last time: records are alike, so the guess is
    /// nearly always right, and a comparison costs less than a look into a table.
    private var written: [String] = []
    private var followers: [Int32] = []
    private var last: Int32 = 0

    mutating func number(of name: String) -> Int32 {
      if !followers.isEmpty {
        let guess = followers[Int(last)]
        if written[Int(guess)] == name {
          last = guess
          return guess
        }
      }
      let number = looked(up: name)
      followers[Int(last)] = number
      last = number
      return number
    }

    private mutating func looked(up name: String) -> Int32 {
      if let known = numbers[name] { return known }
      let number = Int32(all.count)
      written.append(name)
      followers.append(number)
      numbers[name] = number
      let local = Self.local(name)
      all.append(local)
      bytes.append(contentsOf: local.utf8.map(FlatDocument.folded))
      starts.append(Int32(bytes.count))
      return number
    }

    /// A prefix that nobody declared is still part of what the parser calls the name.
    private static func local(_ name: String) -> String {
      guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return name }
      return String(name[name.index(after: colon)...])
    }
  }

  private let entries: [Entry]
  private let names: Names
  private let texts: [String]
  private let attributes: [(name: Int32, value: String)]

  package init(_ bytes: [UInt8], _ options: XMLOptions) throws(XMLError) {
    var reader = XMLReader(bytes, options)
    var draft = Draft()
    while let event = try reader.next() {
      switch event {
      case .start(let start): draft.open(start)
      case .text(let text): draft.add(text)
      case .end: draft.close()
      case .comment, .instruction: continue
      }
      if draft.count > options.limits.nodes {
        throw XMLError(.tooLarge(.nodes, limit: options.limits.nodes))
      }
    }
    if draft.entries.isEmpty { throw XMLError(.empty) }
    (entries, names) = (draft.entries, draft.names)
    (texts, attributes) = (draft.texts, draft.attributes)
  }

  private struct Draft {
    var entries: [Entry] = []
    var names = Names()
    var texts: [String] = []
    var attributes: [(name: Int32, value: String)] = []
    /// The elements not closed yet, each with its last child.
    private var open: [(element: Int, last: Int)] = []
    private var isOver = false

    var count: Int { entries.count + attributes.count }

    mutating func open(_ start: XMLStart) {
      let entry = Entry(
        name: names.number(of: start.name.local), content: Int32(attributes.count),
        attributes: Int32(start.attributes.count))
      for attribute in start.attributes {
        attributes.append((names.number(of: attribute.name.local), attribute.value))
      }
      append(entry)
      open.append((entries.count - 1, 0))
    }

    mutating func add(_ text: String) {
      guard !open.isEmpty else { return }
      append(Entry(name: -1, content: Int32(texts.count), attributes: 0))
      texts.append(text)
    }

    mutating func close() {
      if open.popLast() != nil, open.isEmpty { isOver = true }
    }

    private mutating func append(_ entry: Entry) {
      let place = entries.count
      entries.append(entry)
      // What a mended document says after its root is no part of it.
      guard let parent = open.last, !isOver else { return }
      if parent.last == 0 {
        entries[parent.element].first = Node(place)
      } else {
        entries[parent.last].next = Node(place)
      }
      open[open.count - 1].last = place
    }
  }

  // MARK: - What is where

  package var root: Node { 0 }

  package func name(of node: Node) -> String { names.all[Int(entries[Int(node)].name)] }

  package func isElement(_ node: Node) -> Bool { entries[Int(node)].name >= 0 }

  package func isElement(_ node: Node, named wanted: String) -> Bool {
    isName(entries[Int(node)].name, wanted)
  }

  /// The first thing in it, and what follows a thing; nil where there is no more.
  package func first(in node: Node) -> Node? { some(entries[Int(node)].first) }

  package func next(after node: Node) -> Node? { some(entries[Int(node)].next) }

  private func some(_ node: Node) -> Node? { node == 0 ? nil : node }

  /// The first child of that name.
  package func child(of node: Node, named wanted: String) -> Node? {
    var place = entries[Int(node)].first
    while place != 0 {
      if isName(entries[Int(place)].name, wanted) { return place }
      place = entries[Int(place)].next
    }
    return nil
  }

  /// All text inside, exactly as written.
  package func text(in node: Node) -> String {
    let first = entries[Int(node)].first
    guard first != 0 else { return "" }
    // Nearly all elements that say something hold one text and nothing else.
    let only = entries[Int(first)]
    if only.name < 0, only.next == 0 { return texts[Int(only.content)] }
    var text = ""
    var place = first
    while place != 0 {
      let entry = entries[Int(place)]
      text += entry.name < 0 ? texts[Int(entry.content)] : self.text(in: place)
      place = entry.next
    }
    return text
  }

  package func attribute(of node: Node, named wanted: String) -> String? {
    let entry = entries[Int(node)]
    for place in entry.content..<(entry.content + entry.attributes)
    where isName(attributes[Int(place)].name, wanted) {
      return attributes[Int(place)].value
    }
    return nil
  }

  /// Byte by byte and without a copy: every field of every title is looked up by this.
  private func isName(_ number: Int32, _ wanted: String) -> Bool {
    guard number >= 0 else { return false }
    var place = Int(names.starts[Int(number)])
    let wanted = wanted.utf8
    guard wanted.count == Int(names.starts[Int(number) + 1]) - place else { return false }
    for byte in wanted {
      guard Self.folded(byte) == names.bytes[place] else { return false }
      place += 1
    }
    return true
  }

  /// Names are ASCII in all interfaces, so their case is folded as ASCII.
  private static func folded(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
