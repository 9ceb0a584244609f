/// A value without parts, exactly as written. What the text means is decided late and by the YAML
/// 1.2 core schema only: `no` is a text, `0123` a number, and anything in quotes always a text.
package struct YamlScalar: Sendable, Hashable {
  package enum Style: Sendable, Hashable {
    case plain, singleQuoted, doubleQuoted, literal, folded
  }

  package enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int)
    case float(Double)
    case string(String)

    package var kind: YamlNode.Kind {
      switch self {
      case .null: .null
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .string: .string
      }
    }
  }

  package let text: String
  package let style: Style
  package let value: Value

  package init(_ text: String, style: Style) {
    (self.text, self.style) = (text, style)
    self.value = style == .plain ? CoreSchema.value(of: text) : .string(text)
  }

  /// A plain text that a tag (`!!str`) declares to be text and nothing else.
  init(string text: String, style: Style) {
    (self.text, self.style, self.value) = (text, style, .string(text))
  }
}
