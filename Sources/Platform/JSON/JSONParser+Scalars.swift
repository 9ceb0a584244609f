// Strings and numbers: where nearly all bytes of a document are.

extension JSONParser {
  /// From the opening quote to the closing one.
  mutating func string() throws(Fault) -> String {
    let start = at + 1
    let (stop, isASCII) = plainEnd(from: start)
    guard stop < end else { throw Fault(.unexpectedEnd, end) }
    guard byte(stop) != UInt8(ascii: "\"") else {
      at = stop + 1
      // Nothing can be wrong with ASCII, and the check is the slow half of making a string.
      if isASCII { return unsafe String(decoding: lend(start..<stop), as: UTF8.self) }
      return try text(start..<stop)
    }
    return try escaped(from: start, plainUntil: stop)
  }

  /// The first quote, backslash or control byte, eight bytes a step where there are eight; and
  /// whether all before it is ASCII.
  @inline(__always) private func plainEnd(from start: Int) -> (stop: Int, isASCII: Bool) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    var index = start
    var seen: UInt64 = 0
    while index + 8 <= end {
      let word = word(index)
      let quote = word ^ (ones &* 0x22)
      let slash = word ^ (ones &* 0x5c)
      let stops =
        ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash)
        | ((word &- (ones &* 0x20)) & ~word)
      let hit = stops & high
      if hit != 0 {
        // Only the bytes in front of the hit count.
        seen |= word & ((hit & (~hit &+ 1)) &- 1)
        return (index + hit.trailingZeroBitCount / 8, seen & high == 0)
      }
      seen |= word
      index += 8
    }
    while index < end {
      let byte = byte(index)
      if byte == 0x22 || byte == 0x5c || byte < 0x20 { return (index, seen & high == 0) }
      seen |= UInt64(byte)
      index += 1
    }
    return (end, seen & high == 0)
  }

  private func text(_ range: Range<Int>) throws(Fault) -> String {
    guard let text = unsafe String(validating: lend(range), as: UTF8.self) else {
      throw Fault(.invalidUTF8, range.lowerBound)
    }
    return text
  }

  private mutating func escaped(from start: Int, plainUntil: Int) throws(Fault) -> String {
    var out: [UInt8] = []
    var (run, stop) = (start, plainUntil)
    while true {
      guard stop < end else { throw Fault(.unexpectedEnd, end) }
      unsafe out.append(contentsOf: lend(run..<stop))
      at = stop + 1
      switch byte(stop) {
      case UInt8(ascii: "\""):
        guard let text = String(validating: out, as: UTF8.self) else {
          throw Fault(.invalidUTF8, start)
        }
        return text
      case UInt8(ascii: "\\"):
        try escape(into: &out)
      case let control:
        throw Fault(.controlCharacter(control), stop)
      }
      run = at
      stop = plainEnd(from: run).stop
    }
  }

  private mutating func escape(into out: inout [UInt8]) throws(Fault) {
    guard at < end else { throw Fault(.unexpectedEnd, end) }
    let sign = byte(at)
    at += 1
    switch sign {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(sign)
    case UInt8(ascii: "n"): out.append(0x0a)
    case UInt8(ascii: "r"): out.append(0x0d)
    case UInt8(ascii: "t"): out.append(0x09)
    case UInt8(ascii: "b"): out.append(0x08)
    case UInt8(ascii: "f"): out.append(0x0c)
    case UInt8(ascii: "u"): out.append(contentsOf: Array(String(try scalar()).utf8))
    default: throw Fault(.malformedEscape, at - 2)
    }
  }

  /// Four hex digits, and four more where they are half of a pair.
  private mutating func scalar() throws(Fault) -> Character {
    let place = at - 2
    let first = try hexadecimal()
    if first == 0, rules.zeroCharacters == .replaced { return "\u{fffd}" }
    if let scalar = UnicodeScalar(first) { return Character(scalar) }
    if first < 0xdc00, at + 1 < end, byte(at) == 0x5c, byte(at + 1) == UInt8(ascii: "u") {
      let mark = at
      at += 2
      let second = try hexadecimal()
      if (0xdc00...0xdfff).contains(second),
        let scalar = UnicodeScalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
      {
        return Character(scalar)
      }
      at = mark
    }
    guard rules.loneSurrogates == .replaced else { throw Fault(.loneSurrogate, place) }
    return "\u{fffd}"
  }

  private mutating func hexadecimal() throws(Fault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard at < end else { throw Fault(.unexpectedEnd, end) }
      switch byte(at) {
      case let digit where (0x30...0x39).contains(digit): value = value << 4 | UInt32(digit - 0x30)
      case let digit where (0x41...0x46).contains(digit):
        value = value << 4 | UInt32(digit - 0x37)
      case let digit where (0x61...0x66).contains(digit): value = value << 4 | UInt32(digit - 0x57)
      default: throw Fault(.malformedEscape, at)
      }
      at += 1
    }
    return value
  }

  /// RFC 8259 §6. Up to eighteen digits fit an `Int` without asking; all else keeps its spelling.
  mutating func number() throws(Fault) -> JSONValue {
    let start = at
    let isNegative = byte(at) == UInt8(ascii: "-")
    if isNegative { at += 1 }
    let firstDigit = at
    var value = 0
    while at < end, case let digit = byte(at) &- 0x30, digit < 10 {
      value = value &* 10 &+ Int(digit)
      at += 1
    }
    let digits = at - firstDigit
    guard digits > 0 else { throw Fault(at < end ? .malformedNumber : .unexpectedEnd, at) }
    guard digits == 1 || byte(firstDigit) != 0x30 else { throw Fault(.malformedNumber, firstDigit) }
    guard at < end, byte(at) == UInt8(ascii: ".") || byte(at) | 0x20 == UInt8(ascii: "e") else {
      if digits <= 18, !isNegative || value != 0 { return .integer(isNegative ? -value : value) }
      let literal = try text(start..<at)
      if value != 0 || digits > 1, let exact = Int(literal) { return .integer(exact) }
      return .decimal(JSONDecimal(unchecked: literal))
    }
    try fraction()
    return .decimal(JSONDecimal(unchecked: try text(start..<at)))
  }

  private mutating func fraction() throws(Fault) {
    if byte(at) == UInt8(ascii: ".") {
      at += 1
      try oneDigitOrMore()
    }
    guard at < end, byte(at) | 0x20 == UInt8(ascii: "e") else { return }
    at += 1
    if at < end, byte(at) == UInt8(ascii: "+") || byte(at) == UInt8(ascii: "-") { at += 1 }
    try oneDigitOrMore()
  }

  private mutating func oneDigitOrMore() throws(Fault) {
    let start = at
    while at < end, byte(at) &- 0x30 < 10 { at += 1 }
    guard at > start else { throw Fault(at < end ? .malformedNumber : .unexpectedEnd, at) }
  }
}
