/// A page, a feed or a part of one, as a value. There is no case for ready-made markup: foreign
/// markup becomes nodes through an `AllowList`, so nothing can be injected that cannot be spelled.
package enum Node: Sendable, Hashable {
  case text(String)
  case element(Name, [Attribute], [Node])
  /// The only content a script element can have.
  case data(DataBlock)
}

/// A JSON document inside a page, for scripts that come from files. It is not executable, and its
/// writer leaves no `<`, so no content can end the block early.
package struct DataBlock: Sendable, Hashable {
  package enum Format: Sendable { case json, linkedData }

  package let format: Format
  package let id: String?
  package let json: String

  package init(_ json: String, id: String? = nil, format: Format = .json) {
    (self.json, self.id, self.format) = (json, id, format)
  }
}

/// One element. The attributes that are absent are left out here, so that equal pages are equal.
package func tag(
  _ name: Name, _ attributes: Attribute..., @Children children: () -> [Node] = { [] }
) -> Node {
  tag(name, attributes: attributes, children: children())
}

package func tag(_ name: Name, attributes: [Attribute], children: [Node] = []) -> Node {
  guard attributes.contains(where: { $0.value == .absent }) else {
    return .element(name, attributes, children)
  }
  return .element(name, attributes.filter { $0.value != .absent }, children)
}
