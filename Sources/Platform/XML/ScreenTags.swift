// What the screen does in text and in tags.
extension Screen {
  private static let inText = mask("<")
  private static let inReplacedText = mask("<&")
  private static let inTag = mask("\"'><")
  private static let inBrokenTag = mask("\"'><&")
  private static let inDouble = mask("\"<&")
  private static let inSingle = mask("'<&")

  mutating func text() throws(XMLError) -> Bool {
    let start = index
    switch try seek(replacesEntities ? Screen.inReplacedText : Screen.inText) {
    case UInt8(ascii: "<"): return index > start ? true : try markup()
    case UInt8(ascii: "&"): return reference()
    default: return true
    }
  }

  private mutating func markup() throws(XMLError) -> Bool {
    guard index + 1 < bytes.count else { return stray() }
    length = 0
    switch bytes[index + 1] {
    case UInt8(ascii: "/"):
      state = .endTag
    case UInt8(ascii: "?"):
      state = .instruction(isMarked: false)
      index += 2
    case UInt8(ascii: "!"):
      return try declaration()
    case let byte where Screen.startsName(byte):
      if recovers {
        guard let name = name(from: index + 1) else { return false }
        balance.name = name
      }
      starts.append(position(at: index))
      (attributes, hasStarted) = (0, true)
      state = .startTag(quote: 0)
      index += 2
    default:
      return stray()
    }
    return true
  }

  private mutating func declaration() throws(XMLError) -> Bool {
    var kinds: [(StaticString, State)] = [
      ("<!--", .comment(dashes: 0)), ("<![CDATA[", .section(brackets: 0)),
      ("<!DOCTYPE", .doctype(quote: 0)),
    ]
    if recovers { kinds.append(("<!doctype", .doctype(quote: 0))) }
    for (opening, next) in kinds {
      switch matches(opening) {
      case nil: return false
      case true?:
        state = next
        if case .doctype = next {
          try beginDoctype(opening)
        } else {
          index += opening.utf8CodeUnitCount
        }
        return true
      case false?: continue
      }
    }
    return stray()
  }

  /// A `<` that begins nothing. Strict reading leaves the complaint to libxml2.
  private mutating func stray() -> Bool {
    guard index + 1 < bytes.count || isLast else { return false }
    guard recovers else {
      index += 1
      return true
    }
    warn(.malformed, "A “<” that begins no tag was read as text.")
    replace(1, by: "&lt;")
    return true
  }

  mutating func startTag(_ quote: UInt8) throws(XMLError) -> Bool {
    let mask =
      quote == 0
      ? recovers ? Screen.inBrokenTag : Screen.inTag
      : quote == UInt8(ascii: "\"") ? Screen.inDouble : Screen.inSingle
    let found = try seek(mask)
    if quote == 0, index > 0 { balance.isEmpty = bytes[index - 1] == 0x2F }
    switch found {
    case nil:
      return true
    case UInt8(ascii: "<") where recovers && quote == 0:
      warn(.malformed, "A tag that does not end was ended.")
      flush()
      out.append(UInt8(ascii: ">"))
      endStartTag()
    case UInt8(ascii: "<") where recovers:
      replace(1, by: "&lt;")
    case UInt8(ascii: "&") where recovers && quote == 0:
      // For each of them libxml2 looks for a semicolon through all that follows.
      warn(.malformed, "An “&” outside of a value was left out.")
      replace(1, by: "")
    case UInt8(ascii: "&") where replacesEntities:
      return reference()
    case UInt8(ascii: ">") where quote == 0:
      index += 1
      endStartTag()
    case quote:
      index += 1
      state = .startTag(quote: 0)
    case let byte? where quote == 0 && byte != UInt8(ascii: "<"):
      attributes += 1
      if attributes > limits.attributes {
        throw fault(.tooLarge(.attributes, limit: limits.attributes))
      }
      index += 1
      state = .startTag(quote: byte)
    default:
      index += 1
    }
    return true
  }

  private mutating func endStartTag() {
    state = .text
    if !balance.isEmpty { depth += 1 }
    if recovers { balance.began() }
    balance.isEmpty = false
  }

  mutating func endTag() throws(XMLError) -> Bool {
    guard recovers else {
      if try seek(Screen.mask(">")) != nil {
        index += 1
        depth -= 1
        state = .text
      }
      return true
    }
    guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else {
      // The whole tag decides; a tag that never ends is dropped with the rest of the document.
      if isLast || bytes.count - index > limits.name + 64 {
        warn(.truncated)
        replace(bytes.count - index, by: "")
        state = .text
      }
      return false
    }
    let named = name(from: index + 2) ?? ""
    switch balance.end(named) {
    case .matches: index = end + 1
    case .unknown:
      warn(.malformed, "An end tag without a start was left out.")
      replace(end + 1 - index, by: "")
    case .closes(let missing):
      warn(.malformed, "Missing end tags were added.")
      replace(0, by: missing.map { "</\($0)>" }.joined())
      index = end + 1
    }
    state = .text
    return true
  }

  mutating func closeAll() {
    let missing = balance.closeAll()
    if missing.isEmpty { return }
    warn(.truncated)
    switch state {
    case .startTag(let quote):
      // The tag under way was never counted as begun.
      if quote != 0 { out.append(quote) }
      out += "/>".utf8
    case .comment: out += "-->".utf8
    case .section: out += "]]>".utf8
    case .instruction: out += "?>".utf8
    case .text, .endTag, .doctype, .subset: break
    }
    out += missing.map { "</\($0)>" }.joined().utf8
  }

  /// The name at that place; nil when the piece ends before the name does.
  private func name(from start: Int) -> String? {
    let rest = bytes[start...].prefix(limits.name + 1)
    let name = rest.prefix { $0 > 0x20 && $0 != 0x2F && $0 != 0x3E && $0 != 0x3D && $0 != 0x3C }
    if name.endIndex == bytes.count && !isLast { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  private static func startsName(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 0x80
    }
  }
}

/// The elements open in a document that may have lost some end tags.
struct TagBalance {
  enum Ending {
    case matches
    case unknown
    /// These, innermost first, were never ended.
    case closes([String])
  }

  /// Of the start tag at hand.
  var name = ""
  var isEmpty = false
  private var open: [String] = []

  mutating func began() {
    if !isEmpty { open.append(name) }
  }

  mutating func end(_ name: String) -> Ending {
    guard let index = open.lastIndex(of: name) else { return .unknown }
    defer { open.removeLast(open.count - index) }
    return index == open.count - 1 ? .matches : .closes(open[(index + 1)...].reversed())
  }

  mutating func closeAll() -> [String] {
    defer { open.removeAll() }
    return open.reversed()
  }
}
