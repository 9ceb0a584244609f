/// Signs of a record looked for eight bytes at a time.
struct Signs {
  private(set) var isASCII = true
  /// Whether some occur that are rare in a record and mean something to XML: control characters but
  /// for two, the bracket that may end a CDATA section, and where characters that are forbidden begin.
  private(set) var isOdd = false

  init(of source: Span<UInt8>) {
    var (together, odd): (UInt64, UInt64) = (0, 0)
    var place = 0
    while place + 8 <= source.count {
      let eight = Self.word(source, place)
      let low = eight & ~Self.tops
      together |= eight
      let control = ~((low &+ Self.ones &* 0x60) | eight)
      let isAllowed = Self.exact(eight, 0x0A) | Self.exact(eight, 0x09)
      odd |= control & ~isAllowed | Self.exact(eight, 0x5D) | Self.exact(eight, 0xEF)
      place += 8
    }
    var isOdd = odd & Self.tops != 0
    while place < source.count {
      let byte = source[place]
      together |= UInt64(byte)
      isOdd = isOdd || byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x5D || byte == 0xEF
      place += 1
    }
    (isASCII, self.isOdd) = (together & Self.tops == 0, isOdd)
  }

  /// The highest bit of each byte that is the sign, and of no other.
  @inline(__always)
  private static func exact(_ word: UInt64, _ sign: UInt64) -> UInt64 {
    let apart = word ^ (ones &* sign)
    return ~(((apart & ~tops) &+ ~tops) | apart) & tops
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// The highest bit of the lowest byte that is zero, and perhaps of others above it.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & tops }

  @inline(__always)
  static func word(_ source: Span<UInt8>, _ place: Int) -> UInt64 {
    let eight = source.extracting(place..<(place + 8))
    var word: UInt64 = 0
    for offset in 0..<8 { word |= UInt64(eight[offset]) << UInt64(offset * 8) }
    return word
  }

  static func areEqual(
    _ source: Span<UInt8>, _ one: Range<Int>, _ other: Range<Int>
  ) -> Bool {
    let count = one.count
    guard count == other.count else { return false }
    let (mine, theirs) = (one.lowerBound, other.lowerBound)
    var done = 0
    while done + 8 <= count {
      if word(source, mine + done) != word(source, theirs + done) { return false }
      done += 8
    }
    while done < count {
      if source[mine + done] != source[theirs + done] { return false }
      done += 1
    }
    return true
  }

  /// Where one of two signs stands next; the end where neither does.
  static func first(
    _ one: UInt8, _ other: UInt8, in source: Span<UInt8>, from start: Int
  ) -> Int {
    let (first, second) = (ones &* UInt64(one), ones &* UInt64(other))
    var place = start
    while place + 8 <= source.count {
      let eight = word(source, place)
      let hits = zeros(eight ^ first) | zeros(eight ^ second)
      if hits != 0 { return place + hits.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < source.count, source[place] != one, source[place] != other { place += 1 }
    return place
  }

  /// Where a value ends in its quote, or something else stands that is worth a look: `<`, `&`, and
  /// what is below a blank.
  static func firstInValue(_ quote: UInt8, in source: Span<UInt8>, from start: Int) -> Int {
    let quotes = ones &* UInt64(quote)
    var place = start
    while place + 8 <= source.count {
      let eight = word(source, place)
      let hits =
        zeros(eight ^ quotes) | zeros(eight ^ (ones &* 0x3C)) | zeros(eight ^ (ones &* 0x26))
        | ((eight &- ones &* 0x20) & ~eight & tops)
      if hits != 0 { return place + hits.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < source.count {
      let byte = source[place]
      if byte == quote || byte == 0x3C || byte == 0x26 || byte < 0x20 { return place }
      place += 1
    }
    return place
  }
}
