/// Text that may go to a terminal. What stands in the source code goes as it is; each value that is
/// put into it becomes one line without any hidden character. There is no other way to make one of
/// a text that came from elsewhere, so that nothing can reach the terminal uncleaned.
package struct TerminalText: Sendable, Hashable, CustomStringConvertible,
  ExpressibleByStringInterpolation
{
  package private(set) var text: String

  package var description: String { text }
  package var isEmpty: Bool { text.isEmpty }

  /// For text that was made of cleaned text by laying it out.
  init(cleaned text: String) { self.text = text }

  package init(stringLiteral value: String) { text = value }

  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// A value, as one line: controls and breaks become blanks, what is invisible is left out.
  package init(line value: some StringProtocol) { text = value.oneLine }

  /// A document, with the line feeds and tabs that it has. Other controls are left out.
  package init(lines value: some StringProtocol) { text = value.cleaned(isDocument: true) }

  /// What another program drew, line by line: of its escapes only those for colors and weight stay.
  package init(styled drawing: String) {
    let pieces = drawing.split(separator: "\u{1b}", omittingEmptySubsequences: false)
    text = pieces[0].cleaned(isDocument: true)
    for piece in pieces.dropFirst() {
      guard piece.first == "[" else {
        text += piece.cleaned(isDocument: true)
        continue
      }
      // An order ends with the first letter or sign behind its numbers.
      let numbers = piece.dropFirst().prefix { (" "..."?").contains($0) }
      let rest = piece.dropFirst(1 + numbers.count)
      if rest.first == "m", numbers.allSatisfy({ "0123456789;:".contains($0) }) {
        text += "\u{1b}[\(numbers)m"
      }
      text += rest.dropFirst().cleaned(isDocument: true)
    }
  }

  /// A JSON text: the same data, with every hidden character written as an escape.
  package init(json document: String) {
    var out = String.UnicodeScalarView()
    for scalar in document.unicodeScalars {
      if scalar == "\n" || HiddenCharacter(scalar) == nil {
        out.append(scalar)
      } else {
        for unit in UTF16.encode(scalar)! {
          let digits = String(unit, radix: 16)
          out += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
        }
      }
    }
    text = String(out)
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }
    package mutating func appendInterpolation(_ value: TerminalText) { text += value.text }
    package mutating func appendInterpolation(_ value: some StringProtocol) {
      text += value.oneLine
    }
    package mutating func appendInterpolation(_ value: some BinaryInteger) { text += "\(value)" }
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += value.description.oneLine
    }
    package mutating func appendInterpolation(_ value: any Error) {
      text += "\(value)".oneLine
    }
    /// A command line to be pasted.
    package mutating func appendInterpolation(command: ShellCommand) { text += command.shown.text }
  }

  package static func + (first: TerminalText, second: TerminalText) -> TerminalText {
    TerminalText(cleaned: first.text + second.text)
  }

  package static func += (text: inout TerminalText, more: TerminalText) { text.text += more.text }
}

/// No script puts more marks on a letter; hundreds of them paint over the lines around it.
private let longestStack = 16

extension Unicode.Scalar {
  fileprivate var isCombining: Bool {
    guard value >= 0x300 else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }
}

extension StringProtocol {
  /// On one line, without any hidden character: for names of others in a sentence of ours.
  package var oneLine: String { cleaned(isDocument: false) }

  fileprivate func cleaned(isDocument: Bool) -> String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(self) }
    var out = String.UnicodeScalarView()
    var isAfterReturn = false
    var marks = 0
    for scalar in unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      marks = scalar.isCombining ? marks + 1 : 0
      if marks > longestStack { continue }
      switch HiddenCharacter(scalar) {
      case nil: out.append(scalar)
      // One break of two characters is one blank.
      case .control where !isDocument && isAfterReturn && scalar == "\n": break
      case .control where isDocument: if scalar == "\n" || scalar == "\t" { out.append(scalar) }
      case .lineBreak where isDocument: out.append("\n")
      case .control, .lineBreak: out.append(" ")
      case .direction, .invisible: break
      }
    }
    return String(out)
  }
}

extension Sequence<TerminalText> {
  package func joined(separator: TerminalText = "") -> TerminalText {
    TerminalText(cleaned: map(\.text).joined(separator: separator.text))
  }
}
