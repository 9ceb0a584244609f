/// Cuts HTML into text and tags (HTML Living Standard §13.2.5), for parsing that keeps no
/// comments, document types or instructions. Every byte is looked at a fixed number of times.
struct HTMLTokens {
  enum Token {
    case text(String)
    case start(HTMLTag)
    case end(String)
  }

  private static let mostAttributes = 100
  private static let longestName = 200

  private let bytes: [UInt8]
  private(set) var index = 0
  private var counted = 0
  private var lines = 1

  init(_ utf8: [UInt8]) { bytes = utf8 }

  /// Of the last token's end.
  mutating func line() -> Int {
    while counted < index {
      if bytes[counted] == 0x0A { lines += 1 }
      counted += 1
    }
    return lines
  }

  /// The next token; nil at the end. In SVG and MathML a CDATA section is text.
  mutating func next(inForeign: Bool) -> Token? {
    while index < bytes.count {
      let start = index
      if bytes[index] != UInt8(ascii: "<") || !beginsMarkup(index) {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") || !beginsMarkup(index) {
          index += 1
        }
        return .text(decoded(bytes[start..<index], inAttribute: false))
      }
      switch bytes[index + 1] {
      case UInt8(ascii: "!") where starts(with: "--", at: index + 2):
        skipComment()
      case UInt8(ascii: "!") where inForeign && starts(with: "[CDATA[", at: index + 2):
        let text = through("]]>", from: index + 9)
        return .text(HTMLTokens.plain(text))
      case UInt8(ascii: "/"):
        if let token = endTag() { return token }
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        _ = through(">", from: index + 2)
      default:
        if let token = startTag() { return token }
      }
    }
    return nil
  }

  /// Everything up to the end tag of `name`, which is consumed.
  mutating func raw(until name: String) -> ArraySlice<UInt8> {
    let start = index
    let wanted = Array(name.utf8)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count,
        bytes[index + 1] == UInt8(ascii: "/"), ends(wanted, at: index + 2)
      {
        let text = bytes[start..<index]
        _ = endTag()
        return text
      }
      index += 1
    }
    return bytes[start...]
  }

  /// After `<pre>`, where one line break is for the eyes of the author only.
  mutating func skipLineBreak() {
    if starts(with: "\r\n", at: index) {
      index += 2
    } else if starts(with: "\n", at: index) || starts(with: "\r", at: index) {
      index += 1
    }
  }

  mutating func rest() -> ArraySlice<UInt8> {
    defer { index = bytes.count }
    return bytes[index...]
  }

  private func beginsMarkup(_ at: Int) -> Bool {
    guard at + 1 < bytes.count else { return false }
    let next = bytes[at + 1]
    if next == UInt8(ascii: "/") {
      // `</` before anything but a name begins a comment; at the very end it is text.
      return at + 2 < bytes.count
    }
    return next == UInt8(ascii: "!") || next == UInt8(ascii: "?") || HTMLTokens.isLetter(next)
  }

  private mutating func skipComment() {
    index += 4
    if starts(with: ">", at: index) || starts(with: "->", at: index) {
      _ = through(">", from: index)
      return
    }
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "-"),
        starts(with: "-->", at: index) || starts(with: "--!>", at: index)
      {
        _ = through(">", from: index)
        return
      }
      index += 1
    }
  }

  private mutating func endTag() -> Token? {
    guard HTMLTokens.isLetter(bytes[index + 2]) else {
      _ = through(">", from: index + 2)
      return nil
    }
    index += 2
    let name = tagName()
    _ = attributes()
    return name.isEmpty ? nil : .end(name)
  }

  /// Nil when the document ends inside the tag: half a tag is none.
  private mutating func startTag() -> Token? {
    index += 1
    let name = tagName()
    guard let (attributes, isClosed) = attributes(), !name.isEmpty else { return nil }
    return .start(HTMLTag(name: name, attributes: attributes, isSelfClosing: isClosed))
  }

  /// Empty when it is longer than any element's name.
  private mutating func tagName() -> String {
    let start = index
    while index < bytes.count, !HTMLTokens.endsName(bytes[index]) { index += 1 }
    return HTMLTokens.lowered(bytes[start..<index])
  }

  private mutating func attributes() -> ([(name: String, value: String)], isSelfClosing: Bool)? {
    var found: [(name: String, value: String)] = []
    while true {
      var isClosed = false
      while index < bytes.count, HTMLTokens.isSpace(bytes[index]) || bytes[index] == 0x2F {
        isClosed = bytes[index] == 0x2F
        index += 1
      }
      guard index < bytes.count else { return nil }
      if bytes[index] == UInt8(ascii: ">") {
        index += 1
        return (found, isClosed)
      }
      let start = index
      index += 1
      while index < bytes.count, !HTMLTokens.endsName(bytes[index]),
        bytes[index] != UInt8(ascii: "=")
      {
        index += 1
      }
      let name = HTMLTokens.lowered(bytes[start..<index])
      guard let value = value() else { return nil }
      // Of two with one name the first counts.
      if !name.isEmpty, found.count < HTMLTokens.mostAttributes,
        !found.contains(where: { $0.name == name })
      {
        found.append((name, decoded(value, inAttribute: true)))
      }
    }
  }

  /// After an attribute's name; nil when the document ends.
  private mutating func value() -> ArraySlice<UInt8>? {
    skipSpace()
    guard index < bytes.count else { return nil }
    guard bytes[index] == UInt8(ascii: "=") else { return [] }
    index += 1
    skipSpace()
    guard index < bytes.count else { return nil }
    let quote = bytes[index]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = index
      while index < bytes.count, !HTMLTokens.isSpace(bytes[index]), bytes[index] != 0x3E {
        index += 1
      }
      return index < bytes.count ? bytes[start..<index] : nil
    }
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != quote { index += 1 }
    guard index < bytes.count else { return nil }
    index += 1
    return bytes[start..<(index - 1)]
  }

  private mutating func skipSpace() {
    while index < bytes.count, HTMLTokens.isSpace(bytes[index]) { index += 1 }
  }

  private func starts(with text: StaticString, at start: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard start + count <= bytes.count else { return false }
    return text.withUTF8Buffer { unsafe bytes[start..<(start + count)].elementsEqual($0) }
  }

  /// Moves behind the next `text`, or to the end, and returns what stands before it.
  private mutating func through(_ text: StaticString, from start: Int) -> ArraySlice<UInt8> {
    let first = text.withUTF8Buffer { unsafe $0[0] }
    index = min(start, bytes.count)
    let begin = index
    while index < bytes.count {
      if bytes[index] == first, starts(with: text, at: index) {
        defer { index += text.utf8CodeUnitCount }
        return bytes[begin..<index]
      }
      index += 1
    }
    return bytes[begin...]
  }

  private func ends(_ name: [UInt8], at start: Int) -> Bool {
    let end = start + name.count
    guard end < bytes.count, HTMLTokens.endsName(bytes[end]) else { return false }
    return bytes[start..<end].lazy.map { $0 | 0x20 }.elementsEqual(name)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  private static func lowered(_ name: ArraySlice<UInt8>) -> String {
    guard name.count <= longestName else { return "" }
    return String(
      decoding: name.lazy.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 == 0 ? 0x3F : $0 },
      as: UTF8.self)
  }
}

/// A start tag as it was written.
struct HTMLTag {
  let name: String
  let attributes: [(name: String, value: String)]
  let isSelfClosing: Bool
}
