import Text

extension Frame {
  /// Reads one message without its terminator. What comes before it, blanks and controls that some
  /// servers let slip out, is passed over.
  package init(reading bytes: some Collection<UInt8>, as wire: Wire = Wire()) throws(WireFault) {
    guard bytes.count <= Wire.longestIn else { throw .tooLong(most: Wire.longestIn) }
    var line = Array(bytes)[...]
    while let first = line.first, first <= 0x20 { line.removeFirst() }
    while let last = line.last, last == 0x0D || last == 0x0A || last == 0 { line.removeLast() }
    guard !line.isEmpty else { throw .empty }
    guard let kind = MessageKind(rawValue: String(decoding: line.prefix(2), as: UTF8.self)) else {
      throw .unknownMessage
    }
    let trailer = Trailer(of: line, wire.separator, kind)
    (sequence, checksum) = (trailer.sequence, trailer.verdict(of: line))
    let body = line[..<trailer.start]
    let parts = try Self.fixedParts(of: kind, body.dropFirst(2))
    let rest = body.dropFirst(2 + kind.fixedLength)
    let (fields, isWhole) = try Self.fields(of: kind, rest, wire)
    message = Message(kind, parts, fields)
    self.isWhole = isWhole
  }

  private static func fixedParts(of kind: MessageKind, _ bytes: ArraySlice<UInt8>)
    throws(WireFault) -> [FixedPart: String]
  {
    var parts: [FixedPart: String] = [:]
    var rest = bytes
    for part in kind.fixedParts {
      let piece = rest.prefix(part.length)
      guard piece.count == part.length else { throw .truncated(kind) }
      guard piece.allSatisfy({ (0x20..<0x7F).contains($0) }) else { throw .misshapen(part) }
      let text = String(decoding: piece, as: UTF8.self)
      // A status that is longer than it should be is found out by the date behind it.
      guard !part.isDate || Moment.isShaped(text) else { throw .misshapen(part) }
      parts[part] = text
      rest = rest.dropFirst(part.length)
    }
    return parts
  }

  private static func fields(of kind: MessageKind, _ bytes: ArraySlice<UInt8>, _ wire: Wire)
    throws(WireFault) -> ([Message.Field], isWhole: Bool)
  {
    var pieces: [(code: FieldCode, range: Range<Int>)] = []
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: wire.separator) ?? bytes.endIndex
      if end - start >= 2, let code = FieldCode(bytes[start], bytes[start + 1]) {
        pieces.append((code, start + 2..<end))
      } else if end > start {
        // A separator within a text: what follows belongs to the field before it.
        guard let last = pieces.last else { throw .strayText(kind) }
        pieces[pieces.count - 1].range = last.range.lowerBound..<end
      }
      start = end + 1
    }
    var isWhole = true
    let fields = pieces.map { piece -> Message.Field in
      let (text, isClean) = clean(wire.charset.text(of: bytes[piece.range]))
      isWhole = isWhole && isClean
      return Message.Field(piece.code, text)
    }
    return (fields, isWhole)
  }

  /// A text in which nothing is left that a terminal or a log would obey.
  private static func clean(_ read: (text: String, isWhole: Bool)) -> (String, Bool) {
    let isControl: (Unicode.Scalar) -> Bool = { scalar in
      scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }
    guard read.text.unicodeScalars.contains(where: isControl) else { return read }
    let scalars = read.text.unicodeScalars.map { isControl($0) ? Unicode.Scalar(0xFFFD)! : $0 }
    return (String(String.UnicodeScalarView(scalars)), false)
  }
}

extension MessageKind {
  var fixedLength: Int { fixedParts.reduce(0) { $0 + $1.length } }
}

/// `AY3AZF040` at the end of a message, or a part of it.
private struct Trailer {
  var sequence: Int?
  private var said: UInt16?
  /// Where it begins; the end of the message where there is none.
  var start: Int

  init(of line: ArraySlice<UInt8>, _ separator: UInt8, _ kind: MessageKind) {
    start = line.endIndex
    let least = line.startIndex + 2 + kind.fixedLength
    if let sum = Self.hex(line.suffix(4)), line.count >= 6,
      line.dropLast(4).suffix(2).elementsEqual("AZ".utf8)
    {
      let place = line.endIndex - 6
      let number = place - 3
      if number >= least, let digit = Self.sequence(line[number..<place]) {
        (sequence, said, start) = (digit, sum, number)
      } else if place >= least, place == least || line[place - 1] == separator {
        // The answer to our asking once more. Without the digit it must stand where a field may, for
        // a name may end like this.
        (said, start) = (sum, place)
      }
    } else if line.endIndex - 3 >= least, let digit = Self.sequence(line.suffix(3)) {
      let place = line.endIndex - 3
      guard place == least || line[place - 1] == separator else { return }
      (sequence, start) = (digit, place)
    }
  }

  func verdict(of line: ArraySlice<UInt8>) -> Frame.Verdict {
    guard let said else { return .absent }
    let computed = Frame.checksum(of: line.dropLast(4))
    return said == computed ? .right : .wrong(said: said, computed: computed)
  }

  private static func sequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count == 3, bytes.starts(with: "AY".utf8), let digit = bytes.last,
      (0x30...0x39).contains(digit)
    else { return nil }
    return Int(digit - 0x30)
  }

  private static func hex(_ bytes: ArraySlice<UInt8>) -> UInt16? {
    let isHex = bytes.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & ~0x20)
    }
    guard bytes.count == 4, isHex else { return nil }
    return UInt16(String(decoding: bytes, as: UTF8.self), radix: 16)
  }
}
