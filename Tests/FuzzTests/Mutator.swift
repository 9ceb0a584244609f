/// Makes input that nobody sends from input that somebody does: always the same from one number.
struct Mutator {
  private var state: UInt64
  private let seeds: [[UInt8]]

  /// What parsers trip over: ends, borders, openings without an end, numbers beyond any width.
  private static let words: [[UInt8]] =
    [
      "<", ">", "</", "<!--", "]]>", "<![CDATA[", "&#x0;", "&#1114112;", "&amp", "&", "\"", "'",
      "\\",
      "\\u0000", "\\ud800", "{", "}", "[", "]", ",", ":", "%00", "%", "../", "\r\n", "\r", "\n",
      "\t",
      "\u{FEFF}", "-1", "0", "9223372036854775807", "18446744073709551616", "1e999", "null", "NaN",
      "<?xml version=\"1.0\"?>", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "xmlns=\"\"", "url(", "/*",
      "@import",
      "javascript:", "|", "AA", "bytes=0-,0-", "\u{202E}", "\u{1F600}",
    ].map { Array($0.utf8) } + [
      [0], [0xFF], [0xFE, 0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x80],
    ]

  init(seeds: [[UInt8]], number: Int) {
    self.seeds = seeds
    state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    for _ in 0..<4 { _ = roll(2) }
  }

  private mutating func roll(_ count: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(max(1, count)))
  }

  mutating func input() -> [UInt8] {
    var bytes = seeds[roll(seeds.count)]
    for _ in 0...roll(6) { change(&bytes) }
    return Array(bytes.prefix(1 << 17))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = roll(bytes.count + 1)
    switch roll(9) {
    case 0 where !bytes.isEmpty: bytes[roll(bytes.count)] ^= 1 << UInt8(roll(8))
    case 1 where !bytes.isEmpty: bytes[roll(bytes.count)] = UInt8(roll(256))
    case 2: bytes.insert(contentsOf: Self.words[roll(Self.words.count)], at: place)
    case 3: bytes.removeSubrange(place..<min(bytes.count, place + roll(24)))
    case 4: bytes.removeSubrange(place...)
    case 5:
      // The same again and again, as deep as nobody nests.
      let piece = Array(bytes[place..<min(bytes.count, place + 1 + roll(12))])
      let times = roll(8) == 0 ? 1 + roll(4000) : 1 + roll(12)
      bytes.insert(contentsOf: (0..<times).flatMap { _ in piece }, at: place)
    case 6:
      let other = seeds[roll(seeds.count)]
      let start = roll(other.count + 1)
      bytes.insert(contentsOf: other[start..<min(other.count, start + roll(64))], at: place)
    case 7 where bytes.count > 4:
      // A number of a binary form.
      let start = roll(bytes.count - 3)
      let high = UInt8(roll(2) * 255)
      for offset in 0..<(1 + roll(4)) { bytes[start + min(3, offset)] = high }
    default: bytes += (0..<roll(16)).map { _ in UInt8(roll(256)) }
    }
  }
}
