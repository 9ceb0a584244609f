/// How far a text goes on with what is plain, and whether it is one.
package enum PlainBytes {
  /// The first place from `start` on whose byte is a control or beyond ASCII, or `end`.
  package static func printable(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
    guard start >= 0, start < end, end <= bytes.count else { return end }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var place = start
      while let octets = unsafe Octets(bytes, at: place, before: end) {
        let count = octets.printable
        place += count
        if count < 8 { return place }
      }
      while place < end, unsafe (0x20..<0x7F).contains(bytes[place]) { place += 1 }
      return place
    }
  }

  /// The same for the first byte that is beyond ASCII.
  package static func ascii(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
    guard start >= 0, start < end, end <= bytes.count else { return end }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var place = start
      while let octets = unsafe Octets(bytes, at: place, before: end) {
        let count = octets.ascii
        place += count
        if count < 8 { return place }
      }
      while place < end, unsafe bytes[place] < 0x80 { place += 1 }
      return place
    }
  }

  /// How far, from a letter on, a text surely goes on with letters and single blanks: no further
  /// than a byte before anything else, and maybe some bytes less.
  package static func words(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
    guard start >= 0, start < end, end <= bytes.count else { return start }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var place = start
      while let octets = unsafe Octets(bytes, at: place, before: end), octets.printable == 8 {
        let blanks = octets.marks(of: 0x20)
        guard blanks & (blanks << 8) == 0 else { break }
        // A blank at the end is looked at again with what follows it.
        place += blanks >> 63 == 0 ? 8 : 7
      }
      return place
    }
  }

  /// Whether the bytes are characters of XML in UTF-8: neither controls nor what is no character.
  package static func isXML(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var place = 0
      while place < bytes.count {
        if let octets = unsafe Octets(bytes, at: place, before: bytes.count) {
          let count = octets.printable
          place += count
          if count == 8 { continue }
        }
        let length = unsafe character(bytes, place)
        guard length > 0 else { return false }
        place += length
      }
      return true
    }
  }

  /// How many bytes the character takes that begins here; 0 where none does.
  @inline(__always)
  private static func character(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
    let first = unsafe bytes[place]
    if first < 0x80 {
      return first >= 0x20 || first == 0x0A || first == 0x09 || first == 0x0D ? 1 : 0
    }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard (0xC2..<0xF5).contains(first), place + length <= bytes.count else { return 0 }
    let second = unsafe bytes[place + 1]
    // Longer than needed, half of a pair, or beyond the last character there can be.
    let range: ClosedRange<UInt8> =
      switch first {
      case 0xE0: 0xA0...0xBF
      case 0xED: 0x80...0x9F
      case 0xF0: 0x90...0xBF
      case 0xF4: 0x80...0x8F
      default: 0x80...0xBF
      }
    guard range.contains(second) else { return 0 }
    for next in (place + 2)..<max(place + 2, place + length) {
      guard unsafe (0x80...0xBF).contains(bytes[next]) else { return 0 }
    }
    let isNone = unsafe first == 0xEF && second == 0xBF && bytes[place + 2] >= 0xBE
    return isNone ? 0 : length
  }
}
