import CUnistring
import Glibc

/// Makes texts comparable: without case, accents, ligatures, widths, and without what is not seen,
/// such as soft hyphens. Quotation marks and dashes of all kinds become the ones of a keyboard, and
/// white space of any kind and length becomes one blank.
package struct Folding: Sendable {
  /// What makes a difference all the same.
  package struct Differences: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let letterCase = Differences(rawValue: 1)
    package static let marks = Differences(rawValue: 2)
  }

  private let differences: Differences
  /// How each character of ASCII folds.
  private let ascii: [UInt8]
  /// Where in `pool` a character's letters stand, and how many they are, each once asked for.
  private var low: [UInt32]
  private var high: [UInt32: UInt32] = [:]
  private var pool: [UInt8] = []

  private static let lowest = 0x3100
  private static let unknown = UInt32.max

  package init(keeping differences: Differences = []) {
    self.differences = differences
    low = Array(repeating: Self.unknown, count: Self.lowest)
    ascii = (0..<128).map { Self.ascii(UInt8($0), differences) }
  }

  private static func ascii(_ byte: UInt8, _ differences: Differences) -> UInt8 {
    switch byte {
    case 0x09...0x0D, 0x20: 0x20
    case ..<0x20, 0x7F: 0
    case UInt8(ascii: "`"): UInt8(ascii: "'")
    case UInt8(ascii: "A")...UInt8(ascii: "Z") where !differences.contains(.letterCase):
      byte | 0x20
    default: byte
    }
  }

  /// What is searched for. Blanks at its ends are no part of it.
  package mutating func query(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    let bytes = Array(text.utf8)
    append(bytes, 0..<bytes.count, to: &folded)
    while folded.last == 0x20 { folded.removeLast() }
    return folded.first == 0x20 ? Array(folded.dropFirst()) : folded
  }

  /// Adds a piece of a text. White space at its beginning joins what the text so far ends with.
  package mutating func append(_ bytes: [UInt8], _ range: Range<Int>, to out: inout [UInt8]) {
    var index = range.lowerBound
    let end = range.upperBound
    while index < end {
      let run = PlainBytes.ascii(bytes, from: index, to: end)
      if run > index {
        appendASCII(bytes[index..<run], to: &out)
        index = run
      } else {
        let (value, length) = Scalars.read(bytes, index)
        index += length
        append(value, to: &out)
      }
    }
  }

  /// Copied as a whole and folded in place, which is faster than byte by byte.
  private func appendASCII(_ bytes: ArraySlice<UInt8>, to out: inout [UInt8]) {
    let start = out.count
    let isAfterBlank = out.last == 0x20
    out.append(contentsOf: bytes)
    let end = unsafe out.withUnsafeMutableBufferPointer { out in
      unsafe ascii.withUnsafeBufferPointer { ascii in
        var (read, write) = (start, start)
        var isBlank = isAfterBlank
        // Where eight bytes in a row could be folded at once, the next eight are looked at.
        var next = start
        while read < out.count {
          if read >= next {
            if let word = unsafe folded(out, read, isBlank) {
              unsafe UnsafeMutableRawBufferPointer(out).storeBytes(
                of: word.littleEndian, toByteOffset: write, as: UInt64.self)
              isBlank = word >> 56 == 0x20
              (read, write) = (read + 8, write + 8)
              continue
            }
            next = read + 8
          }
          let letter = unsafe ascii[Int(out[read])]
          read += 1
          if letter > 0x20 {
            isBlank = false
          } else if letter == 0 || isBlank {
            continue
          } else {
            isBlank = true
          }
          unsafe out[write] = letter
          write += 1
        }
        return write
      }
    }
    out.removeLast(out.count - end)
  }

  /// Eight bytes folded, where nothing is to be left out of them.
  @inline(__always)
  private func folded(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ place: Int, _ isAfterBlank: Bool
  ) -> UInt64? {
    guard
      let octets = unsafe Octets(UnsafeBufferPointer(bytes), at: place, before: bytes.count),
      octets.printable == 8, octets.marks(of: UInt8(ascii: "`")) == 0
    else { return nil }
    let blanks = octets.marks(of: 0x20)
    guard blanks & (blanks << 8 | (isAfterBlank ? 0x80 : 0)) == 0 else { return nil }
    return differences.contains(.letterCase) ? octets.word : octets.lowered
  }

  /// The same, noting for each byte that is added where the character it comes from begins.
  package mutating func append(
    _ bytes: [UInt8], _ range: Range<Int>, to out: inout [UInt8], origins: inout [Int32]
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      let run = PlainBytes.ascii(bytes, from: index, to: range.upperBound)
      if run > index {
        appendASCII(bytes, index..<run, to: &out, origins: &origins)
        index = run
      } else {
        let (value, length) = Scalars.read(bytes, index)
        append(value, to: &out)
        while origins.count < out.count { origins.append(Int32(truncatingIfNeeded: index)) }
        index += length
      }
    }
  }

  /// No byte of ASCII folds to two: where as many come out as went in, each stands for its own.
  private func appendASCII(
    _ bytes: [UInt8], _ range: Range<Int>, to out: inout [UInt8], origins: inout [Int32]
  ) {
    let start = out.count
    appendASCII(bytes[range], to: &out)
    if out.count - start == range.count {
      let (first, end) = (range.lowerBound, range.upperBound)
      origins += Int32(truncatingIfNeeded: first)..<Int32(truncatingIfNeeded: end)
      return
    }
    out.removeLast(out.count - start)
    for index in range {
      let letter = ascii[Int(bytes[index])]
      guard letter > 0x20 || letter == 0x20 && out.last != 0x20 else { continue }
      out.append(letter)
      origins.append(Int32(truncatingIfNeeded: index))
    }
  }

  private mutating func append(_ value: UInt32, to out: inout [UInt8]) {
    let entry = entry(value)
    let start = Int(entry >> 8)
    let count = Int(entry & 0xFF)
    if count == 1, pool[start] == 0x20 {
      if out.last != 0x20 { out.append(0x20) }
      return
    }
    for place in start..<(start + count) { out.append(pool[place]) }
  }

  private mutating func entry(_ value: UInt32) -> UInt32 {
    if Int(value) < Self.lowest {
      let known = low[Int(value)]
      if known != Self.unknown { return known }
    } else if let known = high[value] {
      return known
    }
    let letters = FoldedScalar.letters(of: value, keeping: differences)
    let entry = UInt32(pool.count) << 8 | UInt32(min(letters.count, 0xFF))
    pool += letters.prefix(0xFF)
    if Int(value) < Self.lowest { low[Int(value)] = entry } else { high[value] = entry }
    return entry
  }
}

/// What one character folds to, worked out by the library's tables. Slow, and asked once for each.
enum FoldedScalar {
  static func letters(of value: UInt32, keeping differences: Folding.Differences) -> [UInt8] {
    if let special = special(value) { return special }
    // Syllables of Korean stay whole: their parts are no letters to a reader.
    if (0xAC00...0xD7A3).contains(value) { return utf8([value]) }
    let plain = decomposed(value, folded: !differences.contains(.letterCase))
    return utf8(plain.compactMap { kept($0, differences) })
  }

  private static func kept(_ value: UInt32, _ differences: Folding.Differences) -> UInt32? {
    // Selectors of a form, which have no class.
    if (0xFE00...0xFE0F).contains(value) { return nil }
    guard unsafe uc_is_general_category_withtable(value, UInt32(UC_CATEGORY_MASK_M)) else {
      if differences.contains(.marks) { return value }
      return bare[value].map { differences.contains(.letterCase) ? $0.asIs : $0.small } ?? value
    }
    guard !differences.contains(.marks) else { return value }
    // Marks below class ten are letters in all but name: the vowel signs of the scripts of India.
    let isAccent = uc_combining_class(value) >= 10
    // Sounds of Thai and Lao are written as marks with classes of their own.
    return isAccent && !(0x0E00...0x0EFF).contains(value) ? nil : value
  }

  /// Those that Unicode takes for letters of their own and readers for letters with a stroke.
  private static let bare: [UInt32: (asIs: UInt32, small: UInt32)] = {
    var bare: [UInt32: (asIs: UInt32, small: UInt32)] = [:]
    for (letter, base) in zip("łøđħŧıŋƀɨʉ", "lodhtinbiu") {
      if let letter = letter.unicodeScalars.first, let base = base.unicodeScalars.first {
        bare[letter.value] = (base.value, base.value)
      }
    }
    for (letter, base) in zip("ŁØĐĦŦ", "LODHT") {
      if let letter = letter.unicodeScalars.first, let base = base.unicodeScalars.first {
        bare[letter.value] = (base.value, base.value | 0x20)
      }
    }
    return bare
  }()

  /// What has no place in the tables, or another one than readers think.
  private static func special(_ value: UInt32) -> [UInt8]? {
    switch value {
    case 0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0x2035, 0x02BC, 0x02BB, 0x02B9, 0x00B4, 0xFF07:
      Array("'".utf8)
    case 0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0x2036, 0x00AB, 0x00BB, 0xFF02: Array("\"".utf8)
    case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D: Array("-".utf8)
    case 0x00E6, 0x00C6: Array("ae".utf8)
    case 0x0153, 0x0152: Array("oe".utf8)
    case 0x00FE, 0x00DE: Array("th".utf8)
    case 0x00F0, 0x00D0: Array("d".utf8)
    // Joins letters in Persian and pictures in a family: it makes another word.
    case 0x200C, 0x200D: utf8([value])
    case 0x0640, 0xFFFC: []
    case 0x0085, 0x2028, 0x2029: [0x20]
    default:
      unsafe uc_is_general_category_withtable(
        value, UInt32(UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Cc))
        ? [] : nil
    }
  }

  private static func decomposed(_ value: UInt32, folded: Bool) -> [UInt32] {
    var length = 0
    return unsafe withUnsafePointer(to: value) { start in
      let made =
        unsafe folded
        ? u32_casefold(start, 1, nil, carrel_nfkd(), nil, &length)
        : u32_normalize(carrel_nfkd(), start, 1, nil, &length)
      guard let made = unsafe made else { return [value] }
      defer { unsafe free(made) }
      return unsafe Array(UnsafeBufferPointer(start: made, count: length))
    }
  }

  private static func utf8(_ values: [UInt32]) -> [UInt8] {
    values.flatMap { Array((Unicode.Scalar($0) ?? "\u{FFFD}").utf8) }
  }
}
