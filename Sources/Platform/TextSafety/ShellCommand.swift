/// A command line that people may copy into a shell. What stands in the source code goes as it is;
/// each value becomes one word: quoted where the shell would see more in it, and behind `--` where
/// the program would take it for a flag. Only a number may stand within quotes.
package struct ShellCommand: Sendable, Hashable, CustomStringConvertible,
  ExpressibleByStringInterpolation
{
  private var words: String
  /// What stands behind `--`, with a blank before each word.
  private var operands = ""

  package init(stringLiteral value: String) { words = value }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.command }

  /// Of words that were typed, all of them as they were.
  package init(words: [String]) { self.words = words.map(Self.quoted).joined(separator: " ") }

  package var description: String { operands.isEmpty ? words : "\(words) --\(operands)" }

  /// It is clean already: a word is cleaned before it is quoted.
  package var shown: TerminalText { TerminalText(cleaned: description) }

  /// With a flag, which must stand before `--`.
  package func adding(_ flag: ShellCommand) -> ShellCommand {
    var all = self
    all.words += " " + flag.words
    return all
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var command = ShellCommand(stringLiteral: "")

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { add(literal) }

    package mutating func appendInterpolation(_ word: String) {
      let isFirst = command.words.isEmpty || command.words.hasSuffix(" ")
      if command.operands.isEmpty, isFirst, word.hasPrefix("-") {
        if command.words.hasSuffix(" ") { command.words.removeLast() }
        command.operands = " "
      }
      add(ShellCommand.quoted(word))
    }

    package mutating func appendInterpolation(_ number: some BinaryInteger) { add("\(number)") }

    package mutating func appendInterpolation(words: [String]) {
      for (place, word) in words.enumerated() {
        if place > 0 { add(" ") }
        appendInterpolation(word)
      }
    }

    /// What a flag takes, which may begin with a dash.
    package mutating func appendInterpolation(value: String) { add(ShellCommand.quoted(value)) }

    package mutating func appendInterpolation(_ start: ShellCommand) {
      command.words += start.words
      command.operands += start.operands
    }

    private mutating func add(_ text: String) {
      if command.operands.isEmpty { command.words += text } else { command.operands += text }
    }
  }

  /// As a shell takes it for one word.
  package static func quoted(_ word: String) -> String {
    let word = word.oneLine
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      "/._-+=:@,".unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
        || scalar.properties.numericType != nil
    }
    if isPlain, !word.isEmpty, !word.hasPrefix("=") { return word }
    // fish reads a backslash within single quotes, other shells do not: outside all read it alike.
    // By scalars: with an accent on it, a quote is another character and the same byte.
    let parts = word.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "'": "'\\''"
      case "\\": "'\\\\'"
      default: String(scalar)
      }
    }
    return "'\(parts.joined())'"
  }
}
