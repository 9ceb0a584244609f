/// A value known by its place: `carrel config check FILE`.
package struct Argument<Value: Sendable>: Declared {
  package let parameter: Parameter
  private let read: @Sendable ([String]) throws(UsageError) -> Value

  /// One that must be there.
  package init(_ name: String, _ kind: Kind<Value>, _ help: String) {
    let spelling = name.uppercased()
    self.init(name, .required, kind.completion, help) { texts throws(UsageError) in
      guard let text = texts.last else {
        throw UsageError(.missingArgument, "missing argument \(spelling)")
      }
      return try Parameter.read(text, kind, for: spelling)
    }
  }

  /// One whose form needs no name of its own.
  package init(_ name: String, _ help: String, parse: @escaping @Sendable (String) -> Value?) {
    self.init(name, Kind(name.uppercased(), "a valid \(name)", parse: parse), help)
  }

  /// One that may be left out.
  package init<Wrapped>(optional name: String, _ kind: Kind<Wrapped>, _ help: String)
  where Value == Wrapped? {
    let spelling = name.uppercased()
    self.init(name, .optional, kind.completion, help) { texts throws(UsageError) in
      guard let text = texts.last else { return nil }
      return try Parameter.read(text, kind, for: spelling)
    }
  }

  /// All words that are left.
  package init<Element>(
    list name: String, atLeast least: Int = 0, _ kind: Kind<Element>, _ help: String
  )
  where Value == [Element] {
    let spelling = name.uppercased()
    self.init(name, .repeated(atLeast: least), kind.completion, help) { texts throws(UsageError) in
      try Parameter.readAll(texts, kind, for: spelling)
    }
  }

  private init(
    _ name: String, _ presence: Parameter.Presence, _ completion: Completion, _ help: String,
    read: @escaping @Sendable ([String]) throws(UsageError) -> Value
  ) {
    self.read = read
    parameter = Parameter(
      role: .argument, name: name, short: nil, placeholder: name.uppercased(), help: help,
      presence: presence, defaultText: nil, completion: completion, isCommon: true,
      check: { texts throws(UsageError) in _ = try read(texts) })
  }

  package func value(of texts: [String]) throws(UsageError) -> Value { try read(texts) }
}
