/// One value of a document with the place where it was written. Order is kept, and nothing is
/// guessed away: a scalar keeps its text and whether it was quoted.
package struct YamlNode: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    case scalar(YamlScalar)
    case sequence([YamlNode])
    case mapping(YamlMapping)
  }

  package let content: Content
  package let position: YamlPosition

  package init(_ content: Content, at position: YamlPosition) {
    (self.content, self.position) = (content, position)
  }

  /// What a reader of the file would call this value; faults are worded with it.
  package enum Kind: Sendable, Hashable {
    case null, bool, int, float, string, sequence, mapping

    package var words: String {
      switch self {
      case .null: "nothing"
      case .bool: "true or false"
      case .int: "a whole number"
      case .float: "a number"
      case .string: "a text"
      case .sequence: "a list"
      case .mapping: "a group of settings"
      }
    }
  }

  package var kind: Kind {
    switch content {
    case .scalar(let scalar): scalar.value.kind
    case .sequence: .sequence
    case .mapping: .mapping
    }
  }

  /// A value written as nothing at all (`port:`) or as `null`.
  package var isNull: Bool { kind == .null }

  package var scalar: YamlScalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  package var items: [YamlNode]? {
    if case .sequence(let items) = content { items } else { nil }
  }

  package var mapping: YamlMapping? {
    if case .mapping(let mapping) = content { mapping } else { nil }
  }

  package subscript(key: String) -> YamlNode? { mapping?[key]?.value }
}

/// The settings of one group in the order they were written, each key at most once.
package struct YamlMapping: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package let key: String
    package let keyPosition: YamlPosition
    package let value: YamlNode
  }

  package private(set) var entries: [Entry] = []
  private var places: [String: Int] = [:]

  package subscript(key: String) -> Entry? { places[key].map { entries[$0] } }

  /// Adds an entry, or returns where its key already stands.
  mutating func add(_ entry: Entry) -> YamlPosition? {
    if let place = places[entry.key] { return entries[place].keyPosition }
    places[entry.key] = entries.count
    entries.append(entry)
    return nil
  }
}
