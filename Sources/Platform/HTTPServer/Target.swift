import HTTP

/// What a request line asks for, cut into its parts (RFC 9112 §3.2).
struct Target: Sendable {
  enum Form: Sendable { case origin, absolute, asterisk }

  let form: Form
  /// Host and port of the absolute form.
  let authority: Range<Int>?
  let path: Range<Int>
  /// Without its question mark; nil when there is none.
  let query: Range<Int>?

  init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(Refusal) {
    var start = range.lowerBound
    if range.count == 1, bytes[start] == UInt8(ascii: "*") {
      (form, authority, path, query) = (.asterisk, nil, range, nil)
      return
    }
    if bytes[start] == UInt8(ascii: "/") {
      (form, authority) = (.origin, nil)
    } else {
      guard let scheme = Target.scheme(range, of: bytes) else { throw .malformed(.target) }
      start = range.lowerBound + scheme
      var end = start
      while end < range.upperBound, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?")
      { end += 1 }
      guard HostRule.allows(start..<end, of: bytes) else { throw .malformed(.host) }
      (form, authority) = (.absolute, start..<end)
      start = end
    }
    var end = start
    while end < range.upperBound, bytes[end] != UInt8(ascii: "?") {
      guard Target.isPathByte(bytes[end]) else { throw .malformed(.path) }
      end += 1
    }
    path = start..<end
    guard end < range.upperBound else {
      query = nil
      return
    }
    let text = end + 1..<range.upperBound
    for position in text {
      guard Target.isQueryByte(bytes[position]) else { throw .malformed(.target) }
      // A NUL has no meaning in any query, and databases choke on it.
      if bytes[position] == UInt8(ascii: "%"), position + 2 < range.upperBound,
        bytes[position + 1] == 0x30, bytes[position + 2] == 0x30
      {
        throw .malformed(.target)
      }
    }
    query = text
  }

  /// The decoded segments. Cut before decoding: an encoded slash stays inside its segment. A
  /// segment that decodes to a dot segment is refused instead of resolved.
  func segments(of bytes: Span<UInt8>) throws(Refusal) -> [String] {
    guard form != .asterisk, !path.isEmpty else { return [] }
    var segments: [String] = []
    var start = path.lowerBound + 1
    var position = start
    while true {
      if position == path.upperBound || bytes[position] == UInt8(ascii: "/") {
        let segment = try Target.segment(start..<position, of: bytes)
        segments.append(segment)
        if position == path.upperBound { break }
        start = position + 1
      }
      position += 1
    }
    // "/" alone is the root, not one empty segment.
    return segments == [""] ? [] : segments
  }

  private static func segment(
    _ range: Range<Int>, of bytes: Span<UInt8>
  ) throws(Refusal) -> String {
    let raw = unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    guard let text = PercentCoding.decode(raw), text != ".", text != ".." else {
      throw .malformed(.path)
    }
    return text
  }

  /// The length of `http://` or `https://` at the start.
  private static func scheme(_ range: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    for (word, length) in [("http://" as StaticString, 7), ("https://", 8)] as [(StaticString, Int)]
    where range.count > length {
      if spells(word, range.lowerBound..<range.lowerBound + length, of: bytes) { return length }
    }
    return nil
  }

  /// RFC 3986 §3.3, with brackets and bar, which browsers leave bare.
  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x20, 0x22, 0x23, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7D, 0x7F...0xFF: false
    default: true
    }
  }

  /// Browsers leave braces and the like bare behind the question mark; a fragment never comes.
  private static func isQueryByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != 0x23
  }
}
