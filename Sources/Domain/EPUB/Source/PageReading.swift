import Markup
package import XML

extension SourceTree {
  /// A page as well as it can be read: strictly, else mended, else as HTML with all its faults.
  package init(_ bytes: [UInt8], isHTML: Bool = false) throws(XMLError) {
    let bytes = bytes.withoutLeadingBlanks
    if isHTML {
      self = try Self.html(bytes)
      return
    }
    if let tree = PageScan.tree(bytes) {
      self = tree
      return
    }
    let fault: XMLError
    do throws(XMLError) {
      self = try Self.events(bytes, Self.options(.chapter), fault: nil)
      return
    } catch {
      fault = error
    }
    switch fault.reason {
    case .tooLarge, .entityDeclared: throw fault
    default: break
    }
    // What is nested too deep is flattened by the other reader.
    if case .tooDeep = fault.reason {
      self = try Self.html(bytes)
    } else {
      do throws(XMLError) {
        self = try Self.events(bytes, Self.options(.recovering), fault: fault.description)
      } catch {
        self = try Self.html(bytes)
      }
    }
    self.fault = fault.description
  }

  /// By the short way alone; nil where that is not for this page.
  package init?(quickly bytes: [UInt8]) {
    guard let tree = PageScan.tree(bytes) else { return nil }
    self = tree
  }

  /// Without the short way: where both read a page, they have to agree.
  package init(thoroughly bytes: [UInt8]) throws(XMLError) {
    self = try Self.events(bytes, Self.options(.chapter), fault: nil)
  }

  static func options(_ options: XMLOptions) -> XMLOptions {
    var options = options
    options.limits = XMLLimits(depth: TreeDraft.deepest, attributes: 1000)
    return options
  }

  private static func events(_ bytes: [UInt8], _ options: XMLOptions, fault: String?)
    throws(XMLError) -> SourceTree
  {
    var reader = XMLReader(bytes, options)
    var draft = TreeDraft(reserving: bytes.count)
    while let event = try reader.next() {
      switch event {
      case .start(let start): draft.begin(start.name, start.attributes)
      case .text(let text): draft.text(text.utf8)
      case .end: draft.end()
      case .comment, .instruction: continue
      }
    }
    let tree = draft.finished(fault: fault)
    guard !tree.nodes.isEmpty else { throw XMLError(.empty) }
    return tree
  }

  private static func html(_ bytes: [UInt8]) throws(XMLError) -> SourceTree {
    let limits = XMLLimits(bytes: Limits.chapter, depth: 256, nodes: 1_000_000)
    let document = try HTMLDocument(bytes, limits: limits)
    var draft = TreeDraft(reserving: bytes.count)
    let whole = document.content.contains {
      if case .element(let element) = $0 { element.name.local == "html" } else { false }
    }
    if !whole { draft.begin(QualifiedName("html"), []) }
    draft.add(document.content)
    let tree = draft.finished()
    guard !tree.nodes.isEmpty else { throw XMLError(.empty) }
    return tree
  }
}

extension TreeDraft {
  fileprivate mutating func begin(_ name: QualifiedName, _ attributes: [Element.Attribute]) {
    let first = nextAttribute
    for attribute in attributes {
      let (local, isPrefixed) = Self.local(attribute.name)
      if let number = AttributeName.number(local, isPrefixed: isPrefixed) {
        self.attribute(number, attribute.value.utf8)
      }
    }
    begin(number(of: Self.local(name).0), attributes: first)
  }

  /// A prefix nobody declared is still part of what a mending reader calls the name.
  private static func local(_ name: QualifiedName) -> (String, isPrefixed: Bool) {
    guard let colon = name.local.utf8.lastIndex(of: UInt8(ascii: ":")) else {
      return (name.local, name.namespace != nil)
    }
    return (String(name.local[name.local.index(after: colon)...]), true)
  }

  fileprivate mutating func add(_ content: [Content]) {
    enum Step {
      case content(Content)
      case end
    }
    var steps: [Step] = content.reversed().map(Step.content)
    while let step = steps.popLast() {
      switch step {
      case .end: end()
      case .content(.text(let text)): self.text(text.utf8)
      case .content(.element(let element)):
        begin(element.name, element.attributes)
        steps.append(.end)
        steps += element.children.reversed().lazy.map(Step.content)
      }
    }
  }
}
