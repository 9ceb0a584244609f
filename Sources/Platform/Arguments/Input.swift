/// What was typed for one command. Every value in it has already been checked, so reading one
/// again cannot fail for a parameter that the command declares.
package struct Input: Sendable {
  package let command: [String]
  private let texts: [String: [String]]

  init(command: [String], texts: [String: [String]]) {
    (self.command, self.texts) = (command, texts)
  }

  package subscript<Value>(_ declared: some Declared<Value>) -> Value {
    get throws(UsageError) { try declared.value(of: texts[declared.parameter.key] ?? []) }
  }

  /// Whether it was on the command line at all, be it with the default value.
  package func has(_ declared: some Declared) -> Bool { texts[declared.parameter.key] != nil }
}

extension Parameter {
  /// Arguments and flags are named apart: `format` and `--format` may both exist.
  var key: String { role == .argument ? name : "--" + name }
}
