/// Reads a style sheet token by token, as browsers do (CSS Syntax 3 §4.3). Any bytes make tokens.
struct StyleReading {
  private let scalars: [Unicode.Scalar]
  private var at = 0

  /// A zero stands for a sign that is none (§3.3): written as an escape it would be read as that.
  init(_ text: String) { scalars = text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 } }

  /// More than a sheet of the largest size has where words stand in it; each takes 24 bytes.
  private static let maximumTokens = 1 << 19

  static func tokens(_ text: String) -> [StyleToken] {
    var reading = StyleReading(text)
    var tokens: [StyleToken] = []
    while tokens.count < maximumTokens, let token = reading.next() { tokens.append(token) }
    return tokens
  }

  private func peek(_ ahead: Int = 0) -> UInt32 {
    at + ahead < scalars.count ? scalars[at + ahead].value : 0
  }

  mutating func next() -> StyleToken? {
    skipComments()
    guard at < scalars.count else { return nil }
    let value = scalars[at].value
    switch value {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
      while Self.isBlank(peek()) { at += 1 }
      return .blank
    case 0x22, 0x27: return string()
    case 0x23 where Self.isName(peek(1)) || isEscape(1):
      at += 1
      return .hash(name())
    case 0x40 where startsWord(1):
      at += 1
      return .at(name())
    case 0x30...0x39: return number()
    case 0x2B where startsNumber(), 0x2D where startsNumber(), 0x2E where startsNumber():
      return number()
    case 0x28, 0x5B, 0x7B: return took(.open(UInt8(value)))
    case 0x29, 0x5D, 0x7D: return took(.close(UInt8(value)))
    default:
      // What HTML comments begin and end with means nothing and goes.
      if startsWord(0) { return word() }
      return took(value < 0x80 && value > 0x20 ? .mark(UInt8(value)) : .bad)
    }
  }

  private mutating func took(_ token: StyleToken) -> StyleToken {
    at += 1
    return token
  }

  private mutating func skipComments() {
    while peek() == 0x2F, peek(1) == 0x2A {
      at += 2
      while at < scalars.count, !(peek() == 0x2A && peek(1) == 0x2F) { at += 1 }
      at = min(at + 2, scalars.count)
    }
  }

  private mutating func word() -> StyleToken {
    let name = name()
    guard peek() == 0x28 else { return .word(name) }
    at += 1
    guard name.lowercased() == "url" else { return .function(name) }
    var ahead = 0
    while Self.isBlank(peek(ahead)) { ahead += 1 }
    guard peek(ahead) == 0x22 || peek(ahead) == 0x27 else { return address() }
    at += ahead
    guard case .string(let text) = string() else { return skippedAddress() }
    while Self.isBlank(peek()) { at += 1 }
    guard at >= scalars.count || peek() == 0x29 else { return skippedAddress() }
    at += 1
    return .address(text)
  }

  private mutating func address() -> StyleToken {
    while Self.isBlank(peek()) { at += 1 }
    var text = String.UnicodeScalarView()
    while at < scalars.count {
      let value = peek()
      if value == 0x29 || Self.isBlank(value) { break }
      if value == 0x5C, isEscape(0) {
        text.append(escape())
        continue
      }
      guard ![0x22, 0x27, 0x28, 0x5C].contains(value), value > 0x20, value != 0x7F else {
        return skippedAddress()
      }
      text.append(scalars[at])
      at += 1
    }
    while Self.isBlank(peek()) { at += 1 }
    guard at >= scalars.count || peek() == 0x29 else { return skippedAddress() }
    at += 1
    return .address(String(text))
  }

  private mutating func skippedAddress() -> StyleToken {
    while at < scalars.count, peek() != 0x29 { at += isEscape(0) ? 2 : 1 }
    at = min(at + 1, scalars.count)
    return .bad
  }

  private mutating func string() -> StyleToken {
    let quote = peek()
    at += 1
    var text = String.UnicodeScalarView()
    while at < scalars.count {
      let value = peek()
      switch value {
      case quote:
        at += 1
        return .string(String(text))
      case 0x0A, 0x0C, 0x0D: return .bad
      case 0x5C:
        if at + 1 >= scalars.count {
          at += 1
        } else if Self.isBreak(peek(1)) {
          at += peek(1) == 0x0D && peek(2) == 0x0A ? 3 : 2
        } else {
          text.append(escape())
        }
      default:
        text.append(scalars[at])
        at += 1
      }
    }
    return .string(String(text))
  }

  private mutating func name() -> String {
    var text = String.UnicodeScalarView()
    while at < scalars.count {
      if Self.isName(peek()) {
        text.append(scalars[at])
        at += 1
      } else if isEscape(0) {
        text.append(escape())
      } else {
        break
      }
    }
    return String(text)
  }

  private mutating func escape() -> Unicode.Scalar {
    at += 1
    guard Self.digit(peek()) != nil else {
      defer { at += 1 }
      return at < scalars.count ? scalars[at] : "\u{FFFD}"
    }
    var (value, count) = (UInt32(0), 0)
    while count < 6, let digit = Self.digit(peek()), at < scalars.count {
      (value, count, at) = (value << 4 | digit, count + 1, at + 1)
    }
    if Self.isBlank(peek()) { at += peek() == 0x0D && peek(1) == 0x0A ? 2 : 1 }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func number() -> StyleToken {
    var text = String.UnicodeScalarView()
    func isDigit(_ ahead: Int) -> Bool { (0x30...0x39).contains(peek(ahead)) }
    func take() {
      text.append(scalars[at])
      at += 1
    }
    if peek() == 0x2B || peek() == 0x2D { take() }
    while isDigit(0) { take() }
    if peek() == 0x2E, isDigit(1) {
      take()
      while isDigit(0) { take() }
    }
    let signs = peek(1) == 0x2B || peek(1) == 0x2D ? 2 : 1
    if peek() | 0x20 == 0x65, isDigit(signs) {
      while peek() | 0x20 == 0x65 || peek() == 0x2B || peek() == 0x2D || isDigit(0) { take() }
    }
    if peek() == 0x25 {
      take()
    } else if startsWord(0) {
      let unit = name()
      guard unit.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic && $0.isASCII }) else {
        return .bad
      }
      text.append(contentsOf: unit.unicodeScalars)
    }
    return .number(String(text))
  }

  // MARK: - What may begin here

  private func startsNumber() -> Bool {
    func isDigit(_ ahead: Int) -> Bool { (0x30...0x39).contains(peek(ahead)) }
    let ahead = peek() == 0x2B || peek() == 0x2D ? 1 : 0
    return isDigit(ahead) || peek(ahead) == 0x2E && isDigit(ahead + 1)
  }

  private func startsWord(_ ahead: Int) -> Bool {
    let value = peek(ahead)
    if value == 0x2D {
      let next = peek(ahead + 1)
      return Self.isNameStart(next) || next == 0x2D || isEscape(ahead + 1)
    }
    return Self.isNameStart(value) || isEscape(ahead)
  }

  private func isEscape(_ ahead: Int) -> Bool {
    peek(ahead) == 0x5C && at + ahead + 1 < scalars.count && !Self.isBreak(peek(ahead + 1))
  }

  private static func isBlank(_ value: UInt32) -> Bool {
    value == 0x20 || value == 0x09 || isBreak(value)
  }

  private static func isBreak(_ value: UInt32) -> Bool {
    value == 0x0A || value == 0x0C || value == 0x0D
  }

  private static func isNameStart(_ value: UInt32) -> Bool {
    (0x61...0x7A).contains(value) || (0x41...0x5A).contains(value) || value == 0x5F
      || value >= 0x80
  }

  private static func isName(_ value: UInt32) -> Bool {
    isNameStart(value) || (0x30...0x39).contains(value) || value == 0x2D
  }

  private static func digit(_ value: UInt32) -> UInt32? {
    switch value {
    case 0x30...0x39: value - 0x30
    case 0x41...0x46: value - 0x37
    case 0x61...0x66: value - 0x57
    default: nil
    }
  }
}
