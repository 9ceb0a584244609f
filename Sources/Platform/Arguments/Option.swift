/// A named value: `--limit 20`, `--limit=20`, `-l20`.
package struct Option<Value: Sendable>: Declared {
  package let parameter: Parameter
  private let read: @Sendable ([String]) throws(UsageError) -> Value

  /// One that may be left out.
  package init<Wrapped>(
    _ name: String, short: Character? = nil, _ kind: Kind<Wrapped>, _ help: String,
    common: Bool = false
  ) where Value == Wrapped? {
    self.init(name, short, .optional, kind.placeholder, kind.completion, nil, help, common) {
      texts throws(UsageError) in
      guard let text = texts.last else { return nil }
      return try Parameter.read(text, kind, for: "--" + name)
    }
  }

  /// One whose form needs no name of its own.
  package init<Wrapped>(
    _ name: String, short: Character? = nil, _ help: String, common: Bool = false,
    parse: @escaping @Sendable (String) -> Wrapped?
  ) where Value == Wrapped? {
    let kind = Kind(name.uppercased(), "a valid \(name)", parse: parse)
    self.init(name, short: short, kind, help, common: common)
  }

  /// One that always has a value.
  package init(
    _ name: String, short: Character? = nil, _ kind: Kind<Value>, default fallback: Value,
    shown: String? = nil, _ help: String, common: Bool = false
  ) {
    let text = shown ?? "\(fallback)"
    self.init(name, short, .optional, kind.placeholder, kind.completion, text, help, common) {
      texts throws(UsageError) in
      guard let text = texts.last else { return fallback }
      return try Parameter.read(text, kind, for: "--" + name)
    }
  }

  /// One that may be given many times, each adding a value.
  package init<Element>(
    list name: String, short: Character? = nil, _ kind: Kind<Element>, _ help: String,
    common: Bool = false
  ) where Value == [Element] {
    self.init(
      name, short, .repeated(atLeast: 0), kind.placeholder, kind.completion, nil, help, common
    ) { texts throws(UsageError) in
      try Parameter.readAll(texts, kind, for: "--" + name)
    }
  }

  private init(
    _ name: String, _ short: Character?, _ presence: Parameter.Presence, _ placeholder: String,
    _ completion: Completion, _ defaultText: String?, _ help: String, _ isCommon: Bool,
    read: @escaping @Sendable ([String]) throws(UsageError) -> Value
  ) {
    self.read = read
    parameter = Parameter(
      role: .option, name: name, short: short, placeholder: placeholder, help: help,
      presence: presence, defaultText: defaultText, completion: completion, isCommon: isCommon,
      check: { texts throws(UsageError) in _ = try read(texts) })
  }

  package func value(of texts: [String]) throws(UsageError) -> Value { try read(texts) }
}
