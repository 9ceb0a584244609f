/// A page of a book as its author wrote it, in a few flat arrays: places in a book are counted on
/// it, so nothing is left out that counts. Elements and texts stand in the order of the document;
/// everything inside an element lies between it and its `end`.
package struct SourceTree: Sendable {
  package struct Node: Sendable {
    /// Where in `names`; below zero for a text.
    package let name: Int32
    package let parent: Int32
    /// The node after the last one inside.
    package internal(set) var end: Int32
    /// Where in `text` it begins and ends. All text between two elements is one node.
    package let start: Int32
    package internal(set) var stop: Int32
    /// Where in `attributes` its own begin, and how many they are.
    let attributes: Int32
    let attributeCount: Int32

    package var isText: Bool { name < 0 }
    package var isElement: Bool { name >= 0 }
  }

  struct Attribute: Sendable {
    let name: Int32
    let start: Int32
    let stop: Int32
  }

  package internal(set) var nodes: [Node] = []
  /// All text of the page, references resolved, white space as written.
  package internal(set) var text: [UInt8] = []
  /// The nodes that are texts. Together they are all of `text`, without gaps.
  var texts: [Int32] = []
  /// Local names, each once.
  package internal(set) var names: [String] = []
  /// What each of the names means to a reader.
  var tags: [Tag] = []
  var attributes: [Attribute] = []
  var values: [UInt8] = []
  /// What was wrong with the page, where it had to be mended.
  package internal(set) var fault: String?

  init() {}

  package func tag(_ node: Int) -> Tag { tags[Int(nodes[node].name)] }

  package func name(_ node: Int) -> String { names[Int(nodes[node].name)] }

  /// The bytes of an attribute, whatever its namespace; nil where there is none.
  @inline(__always)
  func bytes(_ name: AttributeName, of node: Int) -> ArraySlice<UInt8>? {
    nodes[node].attributeCount == 0 ? nil : found(name, of: node)
  }

  private func found(_ name: AttributeName, of node: Int) -> ArraySlice<UInt8>? {
    let element = nodes[node]
    for place in Int(element.attributes)..<Int(element.attributes + element.attributeCount) {
      let attribute = attributes[place]
      if attribute.name == name.rawValue {
        return values[Int(attribute.start)..<Int(attribute.stop)]
      }
    }
    return nil
  }

  @inline(__always)
  package func attribute(_ name: AttributeName, of node: Int) -> String? {
    bytes(name, of: node).map { String(decoding: $0, as: UTF8.self) }
  }

  @inline(__always)
  func has(_ name: AttributeName, _ node: Int) -> Bool { bytes(name, of: node) != nil }

  /// The first element of this id; in old books the name of an anchor is as good.
  package func element(id: String) -> Int? {
    let wanted = Array(id.utf8)
    guard !wanted.isEmpty else { return nil }
    var named: Int?
    for (place, node) in nodes.enumerated() where node.attributeCount > 0 {
      for index in Int(node.attributes)..<Int(node.attributes + node.attributeCount) {
        let attribute = attributes[index]
        guard Int(attribute.stop - attribute.start) == wanted.count else { continue }
        let isID = attribute.name == AttributeName.id.rawValue
        guard isID || attribute.name == AttributeName.name.rawValue,
          values[Int(attribute.start)..<Int(attribute.stop)].elementsEqual(wanted)
        else { continue }
        if isID { return place }
        if named == nil, tag(place) == .a { named = place }
      }
    }
    return named
  }

  /// The elements and texts right inside.
  package func children(of node: Int) -> [Int] {
    var found: [Int] = []
    var next = node + 1
    while next < Int(nodes[node].end) {
      found.append(next)
      next = Int(nodes[next].end)
    }
    return found
  }

  /// The text that the character at this place of `text` belongs to; at the very end the last one.
  package func textNode(at offset: Int) -> Int? {
    guard !texts.isEmpty else { return nil }
    var low = 0
    var high = texts.count
    while low < high {
      let middle = (low + high) / 2
      if Int(nodes[Int(texts[middle])].start) <= offset { low = middle + 1 } else { high = middle }
    }
    return Int(texts[max(0, low - 1)])
  }
}

/// The attributes that anybody asks for, by number; others are kept out of the tree.
package enum AttributeName: Int32, Sendable, CaseIterable {
  case id, `class`, style, lang, dir, href, src, alt, title, type, role, hidden, start, value, name
  case reversed, colspan, rowspan, alttext, data, rel, media, clipBegin, clipEnd, textref
  /// The one with a prefix, which says what a thing is in a book.
  case semantics

  /// The number of an attribute from its local name; nil for those nobody asks for.
  static func number(_ local: String, isPrefixed: Bool) -> Int32? {
    if isPrefixed, local == "type" { return semantics.rawValue }
    return byName[local]
  }

  private static let byName: [String: Int32] = [
    "id": id, "class": `class`, "style": style, "lang": lang, "dir": dir, "href": href, "src": src,
    "alt": alt, "title": title, "type": type, "role": role, "hidden": hidden, "start": start,
    "value": value, "name": name, "reversed": reversed, "colspan": colspan, "rowspan": rowspan,
    "alttext": alttext, "data": data, "rel": rel, "media": media, "clipBegin": clipBegin,
    "clipEnd": clipEnd, "textref": textref, "clipbegin": clipBegin, "clipend": clipEnd,
  ].mapValues(\.rawValue)
}
