/// A place in a path that holds a value: how to read it, and how to write it into a link.
package struct PathParameter<Value: Sendable>: Sendable {
  package let name: String
  /// One segment, or everything that is left.
  let takesRest: Bool
  let parse: @Sendable (ArraySlice<String>) -> Value?
  let print: @Sendable (Value) -> [String]

  /// A value of one segment. `parse` gets the decoded text and answers nil where the path should
  /// count as unknown.
  package init(
    _ name: String, parse: @escaping @Sendable (String) -> Value?,
    print: @escaping @Sendable (Value) -> String
  ) {
    (self.name, takesRest) = (name, false)
    self.parse = { $0.first.flatMap(parse) }
    self.print = { [print($0)] }
  }

  fileprivate init(
    rest name: String, parse: @escaping @Sendable (ArraySlice<String>) -> Value?,
    print: @escaping @Sendable (Value) -> [String]
  ) {
    (self.name, takesRest, self.parse, self.print) = (name, true, parse, print)
  }
}

extension PathParameter where Value == String {
  /// Any text but none.
  package static func text(_ name: String) -> PathParameter {
    PathParameter(name, parse: { $0.isEmpty ? nil : $0 }, print: { $0 })
  }
}

extension PathParameter where Value == Int {
  /// Written in one way only: no sign, no leading zero.
  package static func number(_ name: String) -> PathParameter {
    PathParameter(
      name, parse: { text in Int(text).flatMap { String($0) == text ? $0 : nil } },
      print: { String($0) })
  }
}

extension PathParameter where Value == [String] {
  /// The rest of the path, at least one segment. A segment with a slash inside is refused: below
  /// a folder it would name something else than the path shows.
  package static func rest(_ name: String) -> PathParameter {
    PathParameter(
      rest: name,
      parse: { segments in
        let isPlain = segments.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0x2F) }
        return segments.isEmpty || !isPlain ? nil : Array(segments)
      }, print: { $0 })
  }
}
