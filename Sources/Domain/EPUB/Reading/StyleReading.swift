// Reads style sheets, as far as `StyleRules` goes.
extension StyleRules {
  /// A sheet as shown on a window so many pixels wide.
  init(sheet bytes: [UInt8], width: Int = 640) {
    self.init()
    let bytes = Self.uncommented(bytes)
    var reading = Reading(bytes: bytes, width: width)
    while let (selectors, looks) = reading.next() {
      for selector in selectors { add(selector, looks) }
    }
  }

  private static func uncommented(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == 0x2A {
        index += 2
        while index + 1 < bytes.count, bytes[index] != 0x2A || bytes[index + 1] != 0x2F {
          index += 1
        }
        index += 2
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return out
  }

  private struct Reading {
    let bytes: [UInt8]
    let width: Int
    private var index = 0
    /// Blocks of `@media` that hold and are not ended yet.
    private var open = 0

    init(bytes: [UInt8], width: Int) { (self.bytes, self.width) = (bytes, width) }

    /// The next rule that says something.
    mutating func next() -> ([Selector], Looks)? {
      while index < bytes.count {
        let start = index
        guard let end = find([0x7B, 0x7D, 0x3B]) else { return nil }
        let prelude = String(decoding: bytes[start..<end], as: UTF8.self).cleaned().lowercased()
        index = end + 1
        switch bytes[end] {
        case UInt8(ascii: "}"): open = max(0, open - 1)
        case UInt8(ascii: ";"): continue
        default:
          if prelude.hasPrefix("@media"), StyleCondition.holds(prelude, width: width) {
            open += 1
          } else if prelude.hasPrefix("@") {
            skipBlock()
          } else if let rule = rule(String(decoding: bytes[start..<end], as: UTF8.self)) {
            return rule
          }
        }
      }
      return nil
    }

    private mutating func rule(_ prelude: String) -> ([Selector], Looks)? {
      let start = index
      let end = find([0x7D]) ?? bytes.count
      index = min(end + 1, bytes.count)
      let looks = Looks(declarations: bytes[start..<end])
      guard looks != Looks() else { return nil }
      return (prelude.split(separator: ",").compactMap { Selector(String($0).cleaned()) }, looks)
    }

    private func find(_ wanted: [UInt8]) -> Int? {
      var place = index
      var quote: UInt8 = 0
      while place < bytes.count {
        let byte = bytes[place]
        if quote != 0 {
          if byte == quote || byte == 0x0A { quote = 0 }
        } else if byte == 0x22 || byte == 0x27 {
          quote = byte
        } else if wanted.contains(byte) {
          return place
        }
        place += 1
      }
      return nil
    }

    private mutating func skipBlock() {
      var depth = 1
      while depth > 0, let place = find([0x7B, 0x7D]) {
        depth += bytes[place] == 0x7B ? 1 : -1
        index = place + 1
      }
      if depth > 0 { index = bytes.count }
    }
  }
}

extension StyleRules.Selector {
  /// Nil for one that asks for more than what the element itself is.
  init?(_ text: String) {
    var parts: [(kind: Character, name: String)] = []
    for letter in text {
      switch letter {
      case ".", "#": parts.append((letter, ""))
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "\u{80}"...:
        if parts.isEmpty { parts.append((" ", "")) }
        parts[parts.count - 1].name.append(letter)
      default: return nil
      }
    }
    for part in parts {
      guard !part.name.isEmpty else { return nil }
      switch part.kind {
      case ".": classes.append(part.name)
      case "#": id = part.name
      default: element = part.name.lowercased()
      }
    }
    guard !parts.isEmpty else { return nil }
  }
}

extension StyleRules.Looks {
  init(declarations: ArraySlice<UInt8>) {
    self.init()
    for part in declarations.split(separator: UInt8(ascii: ";")) {
      guard let colon = part.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(decoding: part[..<colon], as: UTF8.self).cleaned().lowercased()
      var value = String(decoding: part[part.index(after: colon)...], as: UTF8.self).cleaned()
        .lowercased()
      if let mark = value.firstIndex(of: "!") { value = String(value[..<mark]).cleaned() }
      take(name, value)
    }
  }

  private mutating func take(_ name: String, _ value: String) {
    // As what is around it: nothing changes.
    if ["inherit", "unset", "revert"].contains(value) { return }
    switch name {
    case "display":
      isShown = value != "none"
      if value == "block" || value == "list-item" || value == "table" { isBlock = true }
      if value.hasPrefix("inline") { isBlock = false }
    case "visibility": isShown = value != "hidden" && value != "collapse"
    case "white-space": keepsSpace = value.hasPrefix("pre") || value == "break-spaces"
    case "font-style": isItalic = value == "italic" || value.hasPrefix("oblique")
    case "font-weight":
      isBold = value == "bold" || value == "bolder" || (Int(value) ?? 0) >= 600
    case "font-variant", "font-variant-caps": isSmallCaps = value.contains("small-caps")
    case "text-align", "-epub-text-align-last":
      switch value {
      case "center", "-webkit-center": alignment = .center
      case "right", "end": alignment = .end
      case "justify": alignment = .justified
      case "left", "start": alignment = .start
      default: break
      }
    default: break
    }
  }
}

/// Whether a style sheet, or a part of one, is for a window of cells.
enum StyleCondition {
  static func holds(_ query: String, width: Int) -> Bool {
    let text = query.hasPrefix("@media") ? String(query.dropFirst(6)) : query
    let parts = text.split(separator: ",").map { String($0).cleaned().lowercased() }
    return parts.isEmpty || parts.contains { holds(all: $0, width) }
  }

  private static func holds(all query: String, _ width: Int) -> Bool {
    var holds = true
    var isNot = false
    for part in parts(query) {
      var word = part.cleaned()
      if word.hasPrefix("not ") { (isNot, word) = (true, String(word.dropFirst(4))) }
      if word.hasPrefix("only ") { word = String(word.dropFirst(5)) }
      holds = holds && one(word, width)
    }
    return holds != isNot
  }

  /// Cut at each `and` between two conditions.
  private static func parts(_ query: String) -> [String] {
    var parts = [""]
    for word in query.split(separator: " ") {
      if word == "and" { parts.append("") } else { parts[parts.count - 1] += " " + word }
    }
    return parts
  }

  private static func one(_ condition: String, _ width: Int) -> Bool {
    guard condition.hasPrefix("(") else { return ["all", "screen", "tty", ""].contains(condition) }
    let inside = condition.drop { $0 == "(" || $0 == " " }.prefix { $0 != ")" }
    let sides = inside.split(separator: ":", maxSplits: 1).map { String($0).cleaned() }
    guard let name = sides.first else { return false }
    let pixels = sides.count > 1 ? self.pixels(sides[1]) : nil
    switch name {
    case "min-width", "min-device-width": return pixels.map { Double(width) >= $0 } ?? false
    case "max-width", "max-device-width": return pixels.map { Double(width) <= $0 } ?? false
    case "grid": return sides.count < 2 || sides[1] == "1"
    default: return false
    }
  }

  private static func pixels(_ text: String) -> Double? {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    guard let number = Double(digits) else { return nil }
    return text.hasSuffix("em") ? number * 16 : number
  }
}
