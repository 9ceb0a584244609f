/// How many columns of a terminal a text takes: none for marks that combine, two for the wide
/// letters of East Asia and for emoji. Enough to align a table.
package func cells(_ text: some StringProtocol) -> Int {
  text.reduce(0) { $0 + cells(in: $1) }
}

/// A sign of several, such as a family or a flag, is drawn as one.
private func cells(in character: Character) -> Int {
  let scalars = character.unicodeScalars
  guard scalars.count > 1, let first = scalars.first else {
    return scalars.first.map(width(of:)) ?? 0
  }
  let isSign = scalars.contains { [0x200d, 0xfe0f].contains($0.value) || isTint($0) }
  if first.properties.isEmoji, isSign || isFlagPart(first) { return 2 }
  return scalars.reduce(0) { $0 + width(of: $1) }
}

private func isTint(_ scalar: Unicode.Scalar) -> Bool {
  (0x1f3fb...0x1f3ff).contains(scalar.value)
}

private func isFlagPart(_ scalar: Unicode.Scalar) -> Bool {
  (0x1f1e6...0x1f1ff).contains(scalar.value)
}

/// As much of a text as fits, with a mark where something is left out.
package func cut(_ text: String, to count: Int) -> String {
  guard cells(text) > count else { return text }
  var kept = ""
  var used = 0
  for character in text {
    let next = cells(in: character)
    guard used + next < count else { break }
    kept.append(character)
    used += next
  }
  return kept + "…"
}

private func width(of scalar: Unicode.Scalar) -> Int {
  let value = scalar.value
  if (0x20..<0x7f).contains(value) { return 1 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: break
  }
  let isWide =
    wide.contains { $0.contains(value) } || scalar.properties.isEmojiPresentation
  return isWide ? 2 : 1
}

/// East Asian Width W and F, as whole blocks.
private let wide: [ClosedRange<UInt32>] = [
  0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
  0xa000...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
  0xff01...0xff60, 0xffe0...0xffe6, 0x1b000...0x1b2ff, 0x20000...0x3fffd,
]

extension String {
  /// Filled with blanks up to a number of cells; left alone when it is longer.
  package func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - cells(self)))
  }
}

extension TerminalText {
  package func cut(to count: Int) -> TerminalText {
    TerminalText(cleaned: TextSafety.cut(text, to: count))
  }

  package func padded(to count: Int) -> TerminalText {
    TerminalText(cleaned: text.padded(to: count))
  }

  /// Without the blanks at its end.
  package var trimmed: TerminalText {
    TerminalText(cleaned: String(text.reversed().drop { $0 == " " }.reversed()))
  }
}
