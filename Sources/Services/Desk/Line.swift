import Circulation

/// Small values as lines of text, the words of a line apart by tabs. Whatever a provider says comes
/// back as it was, but for zero bytes, which no table keeps.
package enum Line {
  package static func clean(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.unicodeScalars.filter { $0.value != 0 }) : text
  }

  package static func lines(_ parts: [String]) -> String {
    parts.map { escaped($0) + "\n" }.joined()
  }

  package static func parts(_ text: String) -> [String] {
    text.utf8.split(separator: newline, omittingEmptySubsequences: false).dropLast()
      .map { plain(String($0) ?? "") }
  }

  static func text(_ format: Format) -> String {
    [
      escaped(format.id), format.content.rawValue, format.protection.rawValue,
      format.locksLoan ? "locks" : "free",
    ].joined(separator: "\t")
  }

  static func format(_ text: String) -> Format? {
    let words = text.utf8.split(separator: tab, omittingEmptySubsequences: false)
      .map { String($0) ?? "" }
    guard words.count == 4, let content = Format.Content(rawValue: words[1]),
      let protection = Format.Protection(rawValue: words[2])
    else { return nil }
    return Format(
      id: plain(words[0]), content: content, protection: protection,
      locksLoan: words[3] == "locks")
  }

  private static let (newline, tab) = (UInt8(ascii: "\n"), UInt8(ascii: "\t"))
  private static let escape = UInt8(ascii: "\\")
  private static let marks: [(plain: UInt8, mark: UInt8)] = [
    (escape, escape), (newline, UInt8(ascii: "n")), (tab, UInt8(ascii: "t")),
  ]

  /// By bytes: what Swift calls one character may hold a line break and more.
  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 where byte != 0 {
      if let special = marks.first(where: { $0.plain == byte }) {
        bytes += [escape, special.mark]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func plain(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        bytes.append(marks.first { $0.mark == byte }?.plain ?? byte)
        isEscaped = false
      } else if byte == escape {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
