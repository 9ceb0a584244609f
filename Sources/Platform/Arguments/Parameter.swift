/// What parser, help, manual and completion need to know about a parameter, whatever its type.
package struct Parameter: Sendable {
  package enum Role: Sendable, Hashable {
    case argument
    case option
    case flag
    /// A flag that means more each time: `-vv`.
    case count
  }

  package enum Presence: Sendable, Hashable {
    case required
    case optional
    case repeated(atLeast: Int)
  }

  package let role: Role
  /// Without dashes; of an argument, in lower case.
  package let name: String
  package let short: Character?
  package let placeholder: String
  package let help: String
  package let presence: Presence
  package let defaultText: String?
  package let completion: Completion
  /// Whether help shows it among the first.
  package let isCommon: Bool
  /// Throws what is wrong with the texts given for it, however they came there.
  package let check: @Sendable ([String]) throws(UsageError) -> Void

  package var takesValue: Bool { role == .argument || role == .option }

  package var isRequired: Bool {
    switch presence {
    case .required: true
    case .optional: false
    case .repeated(let least): least > 0
    }
  }

  package var isRepeatable: Bool {
    if case .repeated = presence { return true }
    return false
  }

  /// How people name it: `--format`, or `TITLE`.
  package var spelling: String { role == .argument ? placeholder : "--" + name }
}

/// A value that declares one parameter and knows how to read it. Commands hold theirs as static
/// values, so a parameter's name, help and type are in one place.
package protocol Declared<Value>: Sendable {
  associatedtype Value: Sendable
  var parameter: Parameter { get }
  func value(of texts: [String]) throws(UsageError) -> Value
}

extension Parameter {
  static func read<Value>(_ text: String, _ kind: Kind<Value>, for spelling: String)
    throws(UsageError) -> Value
  {
    if let value = kind.parse(text) { return value }
    var near: [String] = []
    if case .choices(let words) = kind.completion { near = nearest(to: text, among: words) }
    throw UsageError(
      .badValue, "\(spelling) must be \(kind.expectation), not '\(text)'", suggestions: near)
  }

  static func readAll<Value>(_ texts: [String], _ kind: Kind<Value>, for spelling: String)
    throws(UsageError) -> [Value]
  {
    var values: [Value] = []
    for text in texts { values.append(try read(text, kind, for: spelling)) }
    return values
  }
}
