import ProviderKit

/// Titles as cataloguers and their programs have written them: subtitles behind line breaks or
/// behind marks of MARC, the author behind a slash.
struct TitleReading: Sendable, Hashable {
  let title: String
  let subtitle: String?

  init(_ raw: String) {
    var lines: [String] = []
    for line in Self.lines(raw) { lines += Self.parts(line) }
    lines = lines.map(Self.plain).filter { !$0.isEmpty }
    // What ends a title ends its subtitle, too.
    title = lines.first ?? ""
    subtitle = lines.count > 1 ? lines.dropFirst().joined(separator: "; ") : nil
  }

  private static func lines(_ raw: String) -> [String] {
    // Every sign that breaks a line is one of ASCII's below the blank, or begins with one of these.
    if raw.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0xC2 && $0 != 0xE2 }) { return [raw] }
    return raw.replacing("\r\n", with: "\n").split(whereSeparator: \.isNewline).map(String.init)
  }

  /// `Title : $b subtitle. $c by Somebody $n Part 2`
  private static func parts(_ line: String) -> [String] {
    guard line.utf8.contains(0x24) else { return [line] }
    var parts = [""]
    var isDropped = false
    var rest = line[...]
    while let sign = rest.firstIndex(of: "$") {
      let before = rest[..<sign]
      let after = rest.index(after: sign)
      guard after < rest.endIndex, "abchnp".contains(rest[after]),
        rest.index(after: after) == rest.endIndex || isBreak(rest[rest.index(after: after)], before)
      else {
        // A price, or something else.
        if !isDropped { parts[parts.count - 1] += rest[...sign] }
        rest = rest[after...]
        continue
      }
      if !isDropped { parts[parts.count - 1] += before }
      let code = rest[after]
      isDropped = code == "c" || code == "h"
      if code == "b" { parts.append("") }
      rest = rest[rest.index(after: after)...]
    }
    if !isDropped { parts[parts.count - 1] += rest }
    return parts
  }

  /// Marks stand between blanks, or close to what they mark: `$bThe`.
  private static func isBreak(_ next: Character, _ before: Substring) -> Bool {
    next.isWhitespace || before.isEmpty || before.last?.isWhitespace == true
      || before.last?.isPunctuation == true
  }

  private static func plain(_ text: String) -> String {
    var text = text.inOneLine
    if let slash = text.range(of: " / by ") ?? text.range(of: " / By ") {
      text = String(text[..<slash.lowerBound])
    }
    // The marks of MARC leave their colons, slashes and semicolons behind.
    while let last = text.last, " :;/,=".contains(last) { text.removeLast() }
    if text.hasSuffix("."), !endsInAbbreviation(text) { text.removeLast() }
    return text
  }

  /// Dots that belong to what stands before them.
  private static func endsInAbbreviation(_ text: String) -> Bool {
    if text.hasSuffix("..") { return true }
    let last = text.dropLast().split(whereSeparator: { $0 == " " || $0 == "-" }).last ?? ""
    if last.contains(".") || last.count == 1 { return true }
    return [
      "etc", "&c", "jr", "sr", "co", "inc", "ltd", "st", "mr", "mrs", "dr", "esq", "vol", "no",
      "pt", "bros", "ed", "rev", "ph", "al", "ser", "bd", "th",
    ].contains(last.lowercased())
  }

  /// Of several the longest says most; the others are other names.
  static func best(of titles: [String]) -> (best: String, others: [String])? {
    guard let best = titles.max(by: { $0.count < $1.count }) else { return nil }
    var others = titles
    others.remove(at: titles.firstIndex(of: best) ?? 0)
    return (best, others)
  }
}

extension String {
  /// With one blank between words.
  var inOneLine: String {
    var before: UInt8 = 0x20
    let isSo =
      utf8.allSatisfy { byte in
        defer { before = byte }
        return byte < 0x80 && byte >= 0x20 && !(byte == 0x20 && before == 0x20)
      } && before != 0x20
    return isSo ? self : split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  fileprivate func range(of words: String) -> Range<String.Index>? {
    holds(words) ? firstRange(of: words) : nil
  }
}
