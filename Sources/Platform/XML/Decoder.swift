/// Turns the bytes of a document, piece by piece, into UTF-8 that is valid beyond doubt. What comes
/// out is all that any parser here ever sees.
struct Decoder {
  /// Where the encoding and the bytes part ways, as an offset into the bytes put in.
  struct Fault: Error { let offset: Int }

  let encoding: TextEncoding
  private let repairs: Bool
  private let converter: Converter?
  /// Bytes of a character whose rest has not come yet.
  private var pending: [UInt8] = []
  private var consumed = 0
  private(set) var repaired = 0

  /// Nil when the C library lacks the encoding.
  init?(_ encoding: TextEncoding, repairs: Bool) {
    self.repairs = repairs
    // What calls itself Latin-1 and uses its control codes is windows-1252 in truth.
    self.encoding = encoding == .latin1 && repairs ? .windows1252 : encoding
    if case .other(let name) = encoding {
      guard let converter = Converter(from: name) else { return nil }
      self.converter = converter
    } else {
      converter = nil
    }
  }

  mutating func decode(_ piece: ArraySlice<UInt8>, isLast: Bool, into out: inout [UInt8])
    throws(Fault)
  {
    let bytes = pending.isEmpty ? piece : (pending + piece)[...]
    pending.removeAll()
    let base = consumed - bytes.startIndex
    let used: Int
    switch encoding {
    case .utf8: used = try utf8(bytes, isLast, base, &out)
    case .utf16LittleEndian: used = try utf16(bytes, isLast, base, low: 0, &out)
    case .utf16BigEndian: used = try utf16(bytes, isLast, base, low: 1, &out)
    case .ascii, .latin1, .windows1252:
      try single(bytes, base, &out)
      used = bytes.endIndex
    case .other: used = try converted(bytes, isLast, base, &out)
    }
    pending = Array(bytes[used...])
    consumed = base + used
  }

  private mutating func utf8(
    _ bytes: ArraySlice<UInt8>, _ isLast: Bool, _ base: Int, _ out: inout [UInt8]
  ) throws(Fault) -> Int {
    var (start, index) = (bytes.startIndex, bytes.startIndex)
    while index < bytes.endIndex {
      if bytes[index] < 0x80 {
        index += 1
        continue
      }
      switch UTF8Form(bytes[index...].prefix(4)) {
      case .valid(let length):
        index += length
      case .incomplete where !isLast:
        out += bytes[start..<index]
        return index
      case .invalid, .incomplete:
        out += bytes[start..<index]
        try mend(bytes[index], at: base + index, &out)
        index += 1
        start = index
      }
    }
    out += bytes[start...]
    return index
  }

  private mutating func utf16(
    _ bytes: ArraySlice<UInt8>, _ isLast: Bool, _ base: Int, low: Int, _ out: inout [UInt8]
  ) throws(Fault) -> Int {
    var index = bytes.startIndex
    func unit(_ at: Int) -> UInt32 { UInt32(bytes[at + 1 - low]) << 8 | UInt32(bytes[at + low]) }
    while index + 1 < bytes.endIndex {
      let first = unit(index)
      if (0xD800..<0xDC00).contains(first) {
        guard index + 3 < bytes.endIndex else { break }
        let second = unit(index + 2)
        if (0xDC00..<0xE000).contains(second) {
          append(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), to: &out)
          index += 4
          continue
        }
      }
      if (0xD800..<0xE000).contains(first) {
        try replace(at: base + index, &out)
      } else {
        append(first, to: &out)
      }
      index += 2
    }
    if isLast && index < bytes.endIndex {
      try replace(at: base + index, &out)
      return bytes.endIndex
    }
    return index
  }

  private mutating func single(_ bytes: ArraySlice<UInt8>, _ base: Int, _ out: inout [UInt8])
    throws(Fault)
  {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte < 0x80 {
        out.append(byte)
      } else if encoding == .ascii {
        try mend(byte, at: base + index, &out)
      } else {
        append(encoding == .latin1 ? UInt32(byte) : Decoder.windows1252(byte), to: &out)
      }
    }
  }

  private mutating func converted(
    _ bytes: ArraySlice<UInt8>, _ isLast: Bool, _ base: Int, _ out: inout [UInt8]
  ) throws(Fault) -> Int {
    guard let converter else { return bytes.endIndex }
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let step = converter.convert(bytes[index...], into: &out)
      index += step.used
      switch step.end {
      case .done: break
      case .incomplete where !isLast: return index
      case .incomplete, .invalid:
        try replace(at: base + index, &out)
        index += 1
      }
    }
    return index
  }

  /// A stray byte in UTF-8 is nearly always one character of windows-1252.
  private mutating func mend(_ byte: UInt8, at offset: Int, _ out: inout [UInt8]) throws(Fault) {
    guard repairs else { throw Fault(offset: offset) }
    repaired += 1
    append(Decoder.windows1252(byte), to: &out)
  }

  private mutating func replace(at offset: Int, _ out: inout [UInt8]) throws(Fault) {
    guard repairs else { throw Fault(offset: offset) }
    repaired += 1
    append(0xFFFD, to: &out)
  }

  private func append(_ value: UInt32, to out: inout [UInt8]) {
    out.append(contentsOf: (Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
  }

  static func windows1252(_ byte: UInt8) -> UInt32 {
    (0x80..<0xA0).contains(byte) ? UInt32(upperHalf[Int(byte) - 0x80]) : UInt32(byte)
  }

  private static let upperHalf: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
  ]
}

/// What a sequence that starts with a byte above 0x7F is (RFC 3629 §4).
enum UTF8Form {
  case valid(Int)
  case incomplete, invalid

  init(_ bytes: ArraySlice<UInt8>) {
    let first = bytes[bytes.startIndex]
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch first {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0x80...0xBF)
      }
    guard length > 0 else {
      self = .invalid
      return
    }
    for place in 1..<length {
      let index = bytes.startIndex + place
      guard index < bytes.endIndex else {
        self = .incomplete
        return
      }
      guard (place == 1 ? second : 0x80...0xBF).contains(bytes[index]) else {
        self = .invalid
        return
      }
    }
    self = .valid(length)
  }
}
