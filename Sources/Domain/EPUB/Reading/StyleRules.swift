import Text

/// What of a book's style sheets a reader of text honors: what is hidden, what keeps its line ends,
/// what is set off. Rules for one element, class or id count; those that ask what an element is in
/// do not.
struct StyleRules: Sendable {
  struct Looks: Sendable, Hashable {
    var isShown: Bool?
    var isBlock: Bool?
    var keepsSpace: Bool?
    var isItalic: Bool?
    var isBold: Bool?
    var isSmallCaps: Bool?
    var alignment: TextBlock.Alignment?

    var isHidden: Bool { isShown == false }

    mutating func take(_ other: Looks) {
      isShown = other.isShown ?? isShown
      isBlock = other.isBlock ?? isBlock
      keepsSpace = other.keepsSpace ?? keepsSpace
      isItalic = other.isItalic ?? isItalic
      isBold = other.isBold ?? isBold
      isSmallCaps = other.isSmallCaps ?? isSmallCaps
      alignment = other.alignment ?? alignment
    }

    func apply(to state: inout TextMaking.State) {
      if let keepsSpace { state.keepsSpace = keepsSpace }
      Self.set(.emphasis, isItalic, &state.style)
      Self.set(.strong, isBold, &state.style)
      Self.set(.smallCaps, isSmallCaps, &state.style)
      if let alignment { state.alignment = alignment }
    }

    private static func set(_ style: TextStyle, _ isSet: Bool?, _ all: inout TextStyle) {
      switch isSet {
      case true: all.insert(style)
      case false: all.remove(style)
      case nil: break
      }
    }
  }

  struct Selector: Sendable, Hashable {
    var element: String?
    var classes: [String] = []
    var id: String?
  }

  /// By what a selector names most exactly, in the order of the sheets.
  private var byElement: [String: Looks] = [:]
  private var byClass: [String: [(selector: Selector, looks: Looks)]] = [:]
  private var byID: [String: Looks] = [:]
  private var count = 0
  private static let most = 20_000
  /// Each element of a chapter is held against all the rules of each of its classes: a book in which both
  /// are many would be read for hours.
  private static let mostOfClass = 64
  private static let mostClasses = 16

  init() {}

  var isEmpty: Bool { count == 0 }
  var hasIDs: Bool { !byID.isEmpty }

  mutating func add(_ selector: Selector, _ looks: Looks) {
    guard count < Self.most else { return }
    count += 1
    if let id = selector.id {
      byID[id, default: Looks()].take(looks)
    } else if let name = selector.classes.first {
      add([(selector, looks)], of: name)
    } else if let element = selector.element {
      byElement[element, default: Looks()].take(looks)
    }
  }

  private mutating func add(_ rules: [(selector: Selector, looks: Looks)], of name: String) {
    let room = Self.mostOfClass - byClass[name, default: []].count
    byClass[name, default: []] += rules.prefix(room)
  }

  /// A page may name a sheet as often as it likes.
  mutating func add(_ other: StyleRules) {
    guard count < Self.most else { return }
    for (element, looks) in other.byElement { byElement[element, default: Looks()].take(looks) }
    for (name, rules) in other.byClass { add(rules, of: name) }
    for (id, looks) in other.byID { byID[id, default: Looks()].take(looks) }
    count += other.count
  }

  func looks(of node: Int, in tree: SourceTree) -> Looks {
    var looks = Looks()
    if !isEmpty {
      if !byElement.isEmpty, let own = byElement[tree.name(node)] { looks.take(own) }
      if !byClass.isEmpty, let written = tree.bytes(.class, of: node) {
        let classes = String(decoding: written, as: UTF8.self).tokens.prefix(Self.mostClasses)
        for name in classes {
          for (selector, own) in byClass[name] ?? []
          where selector.element.map({ $0 == tree.name(node) }) ?? true
            && selector.classes.allSatisfy(classes.contains)
          {
            looks.take(own)
          }
        }
      }
      if !byID.isEmpty, let id = tree.attribute(.id, of: node), let own = byID[id] {
        looks.take(own)
      }
    }
    if let written = tree.attribute(.style, of: node) {
      looks.take(Looks(declarations: Array(written.utf8)[...]))
    }
    return looks
  }
}
