/// What a style sheet is made of (CSS Syntax 3 §4), with escapes undone.
enum StyleToken: Sendable, Hashable {
  case word(String)
  /// A word with an opening bracket right behind it.
  case function(String)
  case at(String)
  case hash(String)
  case string(String)
  case address(String)
  /// A number with its unit or per cent sign, in characters that cannot be anything else.
  case number(String)
  case mark(UInt8)
  case open(UInt8)
  case close(UInt8)
  case blank
  /// A string or an address that never ends, or what no sheet has.
  case bad

  /// Written so that it reads back as this token and no other.
  func write(to out: inout String) {
    switch self {
    case .word(let text): Self.word(text, to: &out)
    case .function(let text):
      Self.word(text, to: &out)
      out += "("
    case .at(let text):
      out += "@"
      Self.word(text, to: &out)
    case .hash(let text):
      out += "#"
      for scalar in text.unicodeScalars { Self.name(scalar, to: &out) }
    case .string(let text): Self.string(text, to: &out)
    case .address(let text):
      out += "url("
      Self.string(text, to: &out)
      out += ")"
    case .number(let text): out += text
    case .mark(let byte), .open(let byte), .close(let byte):
      out.unicodeScalars.append(Unicode.Scalar(byte))
    case .blank: out += " "
    case .bad: break
    }
  }

  private static func word(_ text: String, to out: inout String) {
    let isHyphen = text == "-"
    for (place, scalar) in text.unicodeScalars.enumerated() {
      let isDigit = (0x30...0x39).contains(scalar.value)
      // What would make a number of it, or an end of a comment in HTML, is told by its number.
      if place == 0 && isDigit || isHyphen || place == 1 && isDigit && text.hasPrefix("-") {
        number(scalar, to: &out)
      } else {
        name(scalar, to: &out)
      }
    }
  }

  private static func name(_ scalar: Unicode.Scalar, to out: inout String) {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: out.unicodeScalars.append(scalar)
    case 0xA0...: out.unicodeScalars.append(scalar)
    default: number(scalar, to: &out)
    }
  }

  private static func number(_ scalar: Unicode.Scalar, to out: inout String) {
    out += "\\" + String(scalar.value, radix: 16) + " "
  }

  private static func string(_ text: String, to out: inout String) {
    out += "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x22, 0x26, 0x27, 0x3C, 0x3E, 0x5C, 0x7F..<0xA0: number(scalar, to: &out)
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }
}
