/// Signs of a record looked for eight bytes at a time.
struct Signs {
  /// Whether it is well formed UTF-8.
  private(set) var isText = true
  private(set) var isASCII = true
  /// Whether some occur that are rare in a record and mean something to XML: control characters but
  /// for two, the bracket that may end a CDATA section, and where characters that are forbidden begin.
  private(set) var isOdd = false

  init(of source: Span<UInt8>) {
    var place = 0
    while place + 8 <= source.count {
      let eight = Self.word(source, place)
      // Says that there is one, not where; nearly all there is to be said of most words.
      let unusual =
        (eight | (eight &- Self.ones &* 0x20) & ~eight | Self.zeros(eight ^ (Self.ones &* 0x5D)))
        & Self.tops
      if unusual == 0 {
        place += 8
      } else if eight & Self.tops == 0 {
        let control = ~((eight &+ Self.ones &* 0x60) | eight)
        let isAllowed = Self.exact(eight, 0x0A) | Self.exact(eight, 0x09)
        isOdd = isOdd || (control & ~isAllowed | Self.exact(eight, 0x5D)) & Self.tops != 0
        place += 8
      } else {
        look(at: &place, before: place + 8, source)
      }
    }
    look(at: &place, before: source.count, source)
  }

  /// One character after the other; the last may go on behind the end.
  private mutating func look(at place: inout Int, before end: Int, _ source: Span<UInt8>) {
    while place < end {
      let byte = source[place]
      isOdd = isOdd || byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x5D || byte == 0xEF
      guard byte >= 0x80 else {
        place += 1
        continue
      }
      isASCII = false
      let length = Self.length(of: byte)
      guard length > 0, place + length <= source.count,
        Self.second(byte).contains(source[place + 1])
      else {
        isText = false
        place += 1
        continue
      }
      for next in (place + 1)..<(place + length) where source[next] & 0xC0 != 0x80 {
        isText = false
      }
      place += length
    }
  }

  /// How long a character is that begins so; 0 where none does.
  private static func length(of first: UInt8) -> Int {
    switch first {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 0
    }
  }

  /// What may follow: nothing is written longer than need be, and no halves, and nothing too high.
  private static func second(_ first: UInt8) -> ClosedRange<UInt8> {
    switch first {
    case 0xE0: 0xA0...0xBF
    case 0xED: 0x80...0x9F
    case 0xF0: 0x90...0xBF
    case 0xF4: 0x80...0x8F
    default: 0x80...0xBF
    }
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
    areEqual(source, one, source, other)
  }

  static func areEqual(
    _ source: Span<UInt8>, _ one: Range<Int>, _ another: Span<UInt8>, _ other: Range<Int>
  ) -> Bool {
    let count = one.count
    guard count == other.count else { return false }
    let (mine, theirs) = (one.lowerBound, other.lowerBound)
    var done = 0
    while done + 8 <= count {
      if word(source, mine + done) != word(another, theirs + done) { return false }
      done += 8
    }
    // The last eight, some of them for the second time.
    if count >= 8 { return word(source, mine + count - 8) == word(another, theirs + count - 8) }
    while done < count {
      if source[mine + done] != another[theirs + done] { return false }
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

  /// Where a name ends at the latest: at a blank or what is below it, or at `>`, `/` or `=`.
  static func firstAfterName(in source: Span<UInt8>, from start: Int) -> Int {
    var place = start
    while place + 8 <= source.count {
      let eight = word(source, place)
      let hits =
        zeros(eight ^ (ones &* 0x3E)) | zeros(eight ^ (ones &* 0x3D))
        | zeros(eight ^ (ones &* 0x2F)) | ((eight &- ones &* 0x21) & ~eight & tops)
      if hits != 0 { return place + hits.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < source.count {
      let byte = source[place]
      if byte < 0x21 || byte == 0x3E || byte == 0x3D || byte == 0x2F { return place }
      place += 1
    }
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
