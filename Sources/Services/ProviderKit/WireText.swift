import Text

// Texts of the wire taken apart byte by byte. A catalog has millions of them, and the same by
// `Character` takes ten times as long.
extension String {
  package var trimmingBlanks: String {
    // Nearly every text begins and ends in a letter, and then there is nothing to do.
    if let first = utf8.first, let last = utf8.last, Self.isInk(first), Self.isInk(last) {
      return self
    }
    return Self.trimmed(self[...])
  }

  private static func trimmed(_ text: Substring) -> String {
    var bytes = text.utf8
    while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    guard let first = bytes.first, let last = bytes.last else { return "" }
    if isInk(first), isInk(last) { return String(Substring(bytes)) }
    // What lies beyond ASCII takes the long way.
    let kept = Substring(bytes).drop { $0.isWhitespace }
    guard let end = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(kept[...end])
  }

  private static func isInk(_ byte: UInt8) -> Bool { (0x21..<0x7F).contains(byte) }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// What stands between the separators, an ASCII sign, without the blanks around it; those in which
  /// nothing stands among them.
  package func parts(at separator: Unicode.Scalar) -> [String] {
    let sign = UInt8(ascii: separator)
    guard utf8.contains(sign) else { return [trimmingBlanks] }
    var parts: [String] = []
    var rest = utf8[...]
    while let end = rest.firstIndex(of: sign) {
      parts.append(Self.trimmed(Substring(rest[..<end])))
      rest = rest[utf8.index(after: end)...]
    }
    return parts + [Self.trimmed(Substring(rest))]
  }

  /// The parts in which something stands.
  package func words(at separator: Unicode.Scalar) -> [String] {
    parts(at: separator).filter { !$0.isEmpty }
  }

  /// Whether these bytes stand in it somewhere.
  package func holds(_ part: String) -> Bool { ByteSearch.holds(self, part) }
}
