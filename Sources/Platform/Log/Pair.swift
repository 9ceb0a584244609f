package import Secrets

/// A key and a value on a log line. The key is written in the source, so that no stranger names one;
/// the value is one of a few kinds, so that nothing is printed that was not thought of.
package struct Pair: Sendable {
  package let key: StaticString
  package let value: Value

  package init(_ key: StaticString, _ value: Value) { (self.key, self.value) = (key, value) }

  package enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
  {
    case text(String)
    case integer(Int)
    case decimal(Double)
    case flag(Bool)
    /// Written in milliseconds.
    case duration(Duration)
    /// Somebody's free text, of which only the length is told: libraries write names into theirs.
    case lengthOf(String)
    case secret

    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
  }

  package static func pair(_ key: StaticString, _ text: String) -> Pair { Pair(key, .text(text)) }

  package static func pair(_ key: StaticString, _ number: Int) -> Pair {
    Pair(key, .integer(number))
  }

  package static func pair(_ key: StaticString, _ flag: Bool) -> Pair { Pair(key, .flag(flag)) }

  package static func pair(_ key: StaticString, _ time: Duration) -> Pair {
    Pair(key, .duration(time))
  }

  package static func pair(_ key: StaticString, _ secret: Secret) -> Pair { Pair(key, .secret) }

  /// The kind of an error and its own words; an error made for people holds no secret, and the
  /// redactor reads it again all the same.
  package static func pair(_ key: StaticString, _ error: any Error) -> Pair {
    Pair(key, .text(String(describing: error)))
  }
}
