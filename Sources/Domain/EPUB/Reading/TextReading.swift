import XML

/// Reads the items of a book one by one, as they are wanted.
package struct TextReading: Sendable {
  package let book: Book
  private var sheets: [String: StyleRules] = [:]

  package init(_ book: Book) { self.book = book }

  /// The text of the item at this place of the spine.
  package mutating func text(at place: Int) throws(ResourceError) -> ItemText {
    guard book.document.spine.indices.contains(place),
      let item = book.document.spine[place].shown, let path = item.path
    else { throw .missing }
    return try text(of: item, path)
  }

  /// Of any item, in the spine or not.
  package mutating func text(of item: ManifestItem, _ path: String) throws(ResourceError)
    -> ItemText
  {
    guard item.mediaType.isDocument else { return Self.picture(path) }
    let bytes = try book.bytes(of: path, upTo: Limits.chapter)
    let tree: SourceTree
    do throws(XMLError) {
      tree = try SourceTree(bytes, isHTML: item.mediaType.text == "text/html")
    } catch {
      if case .tooLarge = error.reason { throw .tooLarge }
      throw .unreadable
    }
    return TextMaking.text(path, tree, rules(of: tree, path))
  }

  /// A page that is a picture and nothing else.
  private static func picture(_ path: String) -> ItemText {
    var draft = TreeDraft()
    let source = AttributeName.src.rawValue
    // An address, in which a percent sign of the name would mean something else.
    let address =
      "/" + path.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
    draft.attribute(source, address.utf8)
    draft.begin(draft.number(of: "img"), attributes: 0)
    return TextMaking.text(path, draft.finished())
  }

  /// From the sheets it names and those inside it, in the order of the document.
  private mutating func rules(of tree: SourceTree, _ path: String) -> StyleRules {
    var rules = StyleRules()
    guard let head = tree.nodes.indices.prefix(8).first(where: { isHead(tree, $0) }) else {
      return rules
    }
    for node in tree.children(of: head) where tree.nodes[node].isElement {
      switch tree.tag(node) {
      case .link: if let sheet = sheet(tree, node, path) { rules.add(sheet) }
      case .style:
        let element = tree.nodes[node]
        let text = tree.text[Int(element.start)..<Int(element.stop)]
        if Self.isForUs(tree, node) { rules.add(StyleRules(sheet: Array(text))) }
      default: continue
      }
    }
    return rules
  }

  private func isHead(_ tree: SourceTree, _ node: Int) -> Bool {
    tree.nodes[node].isElement && tree.tag(node) == .head
  }

  private static func isForUs(_ tree: SourceTree, _ node: Int) -> Bool {
    StyleCondition.holds(tree.attribute(.media, of: node) ?? "", width: 640)
  }

  private mutating func sheet(_ tree: SourceTree, _ node: Int, _ path: String) -> StyleRules? {
    let words = tree.attribute(.rel, of: node)?.lowercased().tokens ?? []
    guard words.contains("stylesheet"), !words.contains("alternate"), Self.isForUs(tree, node),
      let href = tree.attribute(.href, of: node), let path = Reference(href, from: path).path
    else { return nil }
    if let known = sheets[path] { return known }
    let bytes = try? book.bytes(of: path, upTo: Limits.sheet)
    let sheet = bytes.map { StyleRules(sheet: $0) } ?? StyleRules()
    sheets[path] = sheet
    return sheet
  }
}

extension ItemText {
  /// The text of a document that is in no book.
  package init(_ tree: SourceTree, at path: String, sheet: [UInt8] = []) {
    self = TextMaking.text(path, tree, StyleRules(sheet: sheet))
  }
}
