package import JSON

/// A shelf of books as a list of shelves shows it.
package struct LaneItem: Sendable, Hashable {
  package var name: String
  package var title: String
  /// The lane it lies in; nil for those on top.
  package var parent: String?
  package var depth: Int
  /// Nil where it depends on what the reader reads.
  package var works: Int?

  package init(name: String, title: String, parent: String?, depth: Int, works: Int?) {
    (self.name, self.title, self.parent) = (name, title, parent)
    (self.depth, self.works) = (depth, works)
  }

  package var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "parent": JSONValue(parent),
      "depth": .integer(depth), "works": .number(works),
    ]
  }
}

/// One way to narrow a list, with how many works each choice leaves.
package struct FacetItem: Sendable, Hashable {
  package struct Choice: Sendable, Hashable {
    package var value: String
    package var works: Int
    package var isChosen: Bool

    package init(value: String, works: Int, isChosen: Bool) {
      (self.value, self.works, self.isChosen) = (value, works, isChosen)
    }

    package var json: JSONValue {
      ["value": .string(value), "works": .integer(works), "chosen": .bool(isChosen)]
    }
  }

  package var name: String
  package var choices: [Choice]

  package init(name: String, choices: [Choice]) { (self.name, self.choices) = (name, choices) }

  package var json: JSONValue {
    ["name": .string(name), "choices": .array(choices.map(\.json))]
  }
}
