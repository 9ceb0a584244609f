import Text

/// Makes the text of an item out of its document.
struct TextMaking {
  /// What holds inside an element.
  struct State {
    var end: Int32 = .max
    var element = 0
    /// Whether a paragraph ends with the element.
    var isBlock = true
    var kind = TextBlock.Kind.paragraph
    var style: TextStyle = []
    var link: Int32 = -1
    var keepsSpace = false
    var quoteDepth = 0
    var listDepth = 0
    var list = -1
    var table = -1
    var cell: Int32 = -1
    var language: Int32 = -1
    var direction = TextBlock.Direction.unsaid
    var alignment = TextBlock.Alignment.start
    var isNote = false
  }

  let tree: SourceTree
  let rules: StyleRules
  var item: ItemText
  var state = State()
  var outer: [State] = []
  /// Whether the last block is being written.
  private(set) var isOpen = false
  var marker: String?
  var lists: [ListCounting] = []
  var tables: [TableCounting] = []
  var languages: [String: Int32] = [:]
  private var delta = Int.min
  private var runStyle: TextStyle = []
  private var runLink: Int32 = -1
  private var needsRun = true
  // Copies, because a look at a shared one costs more than what is looked up.
  private let kinds = allKinds
  private let plain = allPlain
  var manners: [Manner?]
  var mannersByClass: [ClassedName: Manner] = [:]

  init(_ path: String, _ tree: SourceTree, _ rules: StyleRules) {
    (self.tree, self.rules) = (tree, rules)
    manners = Array(repeating: nil, count: tree.names.count)
    item = ItemText(path: path, tree: tree)
    item.text.reserveCapacity(tree.text.count)
  }

  static func text(_ path: String, _ tree: SourceTree, _ rules: StyleRules = StyleRules())
    -> ItemText
  {
    var making = TextMaking(path, tree, rules)
    making.run()
    return making.item
  }

  private mutating func run() {
    var node = 0
    while node < tree.nodes.count {
      while Int(state.end) <= node { leave() }
      if tree.nodes[node].isText {
        add(tree.nodes[node])
        node += 1
      } else {
        node = enter(node)
      }
    }
    while !outer.isEmpty { leave() }
    close()
  }

  mutating func push(_ inner: State) {
    outer.append(state)
    state = inner
  }

  private mutating func leave() {
    if state.isBlock {
      close()
      if tree.tag(state.element) == .li { marker = nil }
    }
    if let before = outer.popLast() { state = before } else { state.end = .max }
  }

  // MARK: - Blocks

  mutating func begin() {
    guard !isOpen else { return }
    isOpen = true
    let runs = Int32(item.runs.count)
    item.blocks.append(
      TextBlock(
        kind: state.kind, range: item.text.count..<item.text.count, firstRun: runs, lastRun: runs,
        quoteDepth: state.quoteDepth, listDepth: state.listDepth, marker: marker,
        language: state.language, direction: state.direction, alignment: state.alignment,
        isNote: state.isNote, cell: state.cell, element: state.element))
    marker = nil
    needsRun = true
  }

  /// Where the text of the block begins that is being written.
  private var start: Int? { isOpen ? item.blocks.last?.range.lowerBound : nil }

  /// Ends the block that is being written, if there is one.
  mutating func close() {
    guard let start else { return }
    isOpen = false
    let place = item.blocks.count - 1
    let firstRun = Int(item.blocks[place].firstRun)
    trim(to: start)
    guard item.text.count > start else {
      item.runs.removeLast(item.runs.count - firstRun)
      marker = marker ?? item.blocks[place].marker
      item.blocks.removeLast()
      return
    }
    item.blocks[place].range = start..<item.text.count
    item.blocks[place].lastRun = Int32(item.runs.count)
    if item.blocks[place].kind == .paragraph, isPictures(from: firstRun) {
      item.blocks[place].kind = .picture
    }
  }

  /// A block without text.
  mutating func addRule(_ node: Int) {
    close()
    let place = item.text.count
    let runs = Int32(item.runs.count)
    item.blocks.append(
      TextBlock(
        kind: .rule, range: place..<place, firstRun: runs, lastRun: runs,
        quoteDepth: state.quoteDepth, listDepth: state.listDepth, element: node))
  }

  /// Takes white space off the end, and runs that have nothing left.
  private mutating func trim(to start: Int) {
    while item.text.count > start, let last = item.text.last, last == 0x20 || last == 0x0A {
      item.text.removeLast()
    }
    while let last = item.runs.last, Int(last.start) >= item.text.count, Int(last.start) >= start {
      item.runs.removeLast()
      needsRun = true
    }
    while let last = item.segments.last, Int(last.text) > item.text.count {
      item.segments.removeLast()
      delta = .min
    }
    delta = .min
  }

  // MARK: - Text

  /// What comes next stands at this place of the document.
  @inline(__always)
  private mutating func align(_ source: Int) {
    let wanted = source - item.text.count
    guard wanted != delta else { return }
    delta = wanted
    item.segments.append(.init(text: Int32(item.text.count), source: Int32(source)))
  }

  private mutating func mark(picture: Int32 = -1, _ more: TextStyle = []) {
    let style = state.style.union(more)
    guard needsRun || style != runStyle || state.link != runLink || picture >= 0 else { return }
    item.runs.append(
      TextRun(
        start: Int32(item.text.count), style: style, linkNumber: state.link, pictureNumber: picture)
    )
    (runStyle, runLink, needsRun) = (style, state.link, picture >= 0)
  }

  private enum Kind: UInt8 { case plain, space, perhaps }

  /// White space; and bytes that begin a control, which is dropped wherever it stands.
  private static let allKinds: [Kind] = (0..<256).map { byte in
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0C, 0x0D: .space
    case ..<0x20, 0x7F, 0xC2: .perhaps
    default: .plain
    }
  }

  private static let allPlain = ByteSet { allKinds[Int($0)] == .plain }

  mutating func add(_ node: SourceTree.Node) {
    if state.keepsSpace {
      addAsIs(Int(node.start)..<Int(node.stop))
      return
    }
    let source = tree.text
    let stop = Int(node.stop)
    var index = Int(node.start)
    while index < stop {
      if kinds[Int(source[index])] == .space {
        addBlank(index)
        index += 1
        while index < stop, kinds[Int(source[index])] == .space { index += 1 }
        continue
      }
      let start = index
      index = piece(source, index, stop)
      if index > start {
        begin()
        mark()
        align(start)
        item.text += source[start..<index]
      } else {
        // A control character: C0, DEL, or the two bytes of C1.
        index += source[index] == 0xC2 ? 2 : 1
      }
    }
  }

  /// The end of what can be taken as it is: words with single blanks between.
  private func piece(_ source: [UInt8], _ start: Int, _ stop: Int) -> Int {
    var index = start
    while true {
      index = PlainBytes.words(source, from: index, to: stop)
      index = plain.skip(source, from: index, to: stop)
      guard index < stop else { return stop }
      switch kinds[Int(source[index])] {
      case .plain: index += 1
      case .space:
        guard source[index] == 0x20, index + 1 < stop, kinds[Int(source[index + 1])] == .plain
        else { return index }
        index += 2
      case .perhaps:
        guard source[index] == 0xC2, index + 1 < stop, source[index + 1] >= 0xA0 else {
          return index
        }
        index += 2
      }
    }
    return index
  }

  private mutating func addBlank(_ source: Int) {
    guard let start, item.text.count > start, let last = item.text.last,
      last != 0x20, last != 0x0A
    else { return }
    mark()
    align(source)
    item.text.append(0x20)
  }

  /// Text whose white space counts.
  private mutating func addAsIs(_ range: Range<Int>) {
    var index = range.lowerBound
    // The line end after the tag is for the eyes of the author.
    if !isOpen, index < range.upperBound, tree.text[index] == 0x0A { index += 1 }
    while index < range.upperBound {
      let start = index
      while index < range.upperBound, !isControl(index) { index += 1 }
      if index > start {
        begin()
        mark()
        align(start)
        item.text += tree.text[start..<index]
      }
      if index < range.upperBound { index += tree.text[index] == 0xC2 ? 2 : 1 }
    }
  }

  private func isControl(_ index: Int) -> Bool {
    switch tree.text[index] {
    case 0x09, 0x0A: false
    case ..<0x20, 0x7F: true
    case 0xC2: index + 1 < tree.text.count && tree.text[index + 1] < 0xA0
    default: false
    }
  }

  /// A character that is not in the document, at a place where something else is.
  mutating func add(made text: String, at node: Int, picture: Int32 = -1) {
    if text == "\n" {
      guard let start else { return }
      while item.text.count > start, item.text.last == 0x20 {
        item.text.removeLast()
      }
      delta = .min
    }
    begin()
    mark(picture: picture, picture >= 0 ? .picture : [])
    align(Int(tree.nodes[node].start))
    item.text += Array(text.utf8)
    // The next text begins where it begins, however long this was.
    delta = .min
  }
}
