/// Puts a tree together as a document is read. Elements in too many others are left out and what
/// they hold stays, so that no page is too deep.
struct TreeDraft {
  private(set) var tree = SourceTree()
  private var open: [Int32] = []
  /// Elements that were left out and are not ended yet.
  private var flattened = 0
  private(set) var isFlat = false
  private var numbers: [String: Int32] = [:]
  private var short = ShortNames()
  private var isOver = false

  static let deepest = 512

  init(reserving bytes: Int = 0) {
    tree.text.reserveCapacity(bytes)
    tree.nodes.reserveCapacity(bytes / 64)
  }

  var depth: Int { open.count }

  /// The number of a local name.
  mutating func number(of name: String) -> Int32 {
    if let known = numbers[name] { return known }
    let number = Int32(tree.names.count)
    tree.names.append(name)
    tree.tags.append(Tag(named: name))
    numbers[name] = number
    return number
  }

  /// The same for bytes: nearly all names fit into one word, which is looked up faster than text.
  mutating func number(of name: Range<Int>, in bytes: [UInt8]) -> Int32 {
    guard name.count <= 8 else {
      return number(of: String(decoding: bytes[name], as: UTF8.self))
    }
    var key: UInt64 = 0
    for place in name { key = key << 8 | UInt64(bytes[place]) }
    if let known = short[key] { return known }
    // Asked for by its bytes only, so that it need not be found as text.
    let number = Int32(tree.names.count)
    tree.names.append(String(decoding: bytes[name], as: UTF8.self))
    tree.tags.append(Tag(key: key, named: tree.names[Int(number)]))
    short[key] = number
    return number
  }

  mutating func begin(_ name: Int32, attributes: Int) {
    guard open.count < Self.deepest, !isOver else {
      (flattened, isFlat) = (flattened + 1, true)
      return
    }
    let place = Int32(tree.nodes.count)
    let at = Int32(tree.text.count)
    tree.nodes.append(
      SourceTree.Node(
        name: name, parent: open.last ?? -1, end: place + 1, start: at, stop: at,
        attributes: Int32(attributes), attributeCount: Int32(tree.attributes.count - attributes)))
    open.append(place)
  }

  mutating func end() {
    if flattened > 0 {
      flattened -= 1
      return
    }
    guard let last = open.popLast() else { return }
    tree.nodes[Int(last)].end = Int32(tree.nodes.count)
    tree.nodes[Int(last)].stop = Int32(tree.text.count)
    if open.isEmpty { isOver = true }
  }

  mutating func endAll() {
    flattened = 0
    while !open.isEmpty { end() }
  }

  /// Where attributes of the next element begin.
  var nextAttribute: Int { tree.attributes.count }

  /// Only the attributes somebody asks for are kept.
  mutating func attribute(_ name: Int32, _ value: some Sequence<UInt8>) {
    let start = Int32(tree.values.count)
    tree.values.append(contentsOf: value)
    tree.attributes.append(
      SourceTree.Attribute(name: name, start: start, stop: Int32(tree.values.count)))
  }

  /// Text in the open element. What follows a comment belongs to what came before it.
  mutating func text(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty, let parent = open.last else { return }
    let start = Int32(tree.text.count)
    tree.text.append(contentsOf: bytes)
    let stop = Int32(tree.text.count)
    if let last = tree.nodes.last, last.isText, last.parent == parent, last.stop == start {
      tree.nodes[tree.nodes.count - 1].stop = stop
      return
    }
    let place = Int32(tree.nodes.count)
    tree.texts.append(place)
    tree.nodes.append(
      SourceTree.Node(
        name: -1, parent: parent, end: place + 1, start: start, stop: stop, attributes: 0,
        attributeCount: 0))
  }

  mutating func finished(fault: String? = nil) -> SourceTree {
    endAll()
    tree.fault = fault ?? (isFlat ? "Elements are nested deeper than \(Self.deepest)." : nil)
    return tree
  }
}
