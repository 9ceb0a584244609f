/// The record at the end of an archive (APPNOTE 4.3.16). It is looked for before the library gets
/// to see the file, because in the wild something may stand before or behind the archive, which the
/// library does not forgive, and because a directory can be too large to be read at all.
struct EndRecord {
  static let length = 22
  /// Comment, record, and the locator of the larger record before it.
  static let reach = 65_535 + length + 20 + 56

  /// Where the archive begins and ends in the file.
  let start: Int
  let end: Int
  let entries: Int
  let directory: Int

  /// `tail` are the last bytes of a file of `size` bytes.
  init(tail: [UInt8], size: Int) throws(ZipError) {
    guard let at = Self.place(in: tail) else { throw .unreadable("no directory") }
    let before = size - tail.count
    let (disk, of) = (tail.number(at + 4, 2), tail.number(at + 6, 2))
    var entries = tail.number(at + 10, 2)
    var directory = tail.number(at + 12, 4)
    let offset = tail.number(at + 16, 4)
    end = before + at + Self.length + tail.number(at + 20, 2)
    let locator = at - 20
    if locator >= 0, tail.number(locator, 4) == 0x0706_4B50 {
      if tail.number(locator + 16, 4) > 1 { throw .split }
      let large = locator - 56
      if large >= 0, tail.number(large, 4) == 0x0606_4B50 {
        if tail.number(large + 16, 4) != tail.number(large + 20, 4) { throw .split }
        (entries, directory) = (tail.number(large + 32, 8), tail.number(large + 40, 8))
      }
      start = 0
    } else {
      if disk != 0 || of != 0 { throw .split }
      // What stands before the archive moves all its offsets; who made it may have known, or not.
      let shift = before + at - directory - offset
      start = max(0, shift)
    }
    (self.entries, self.directory) = (entries, directory)
  }

  /// The last record whose comment fits; rather one that ends with the file.
  private static func place(in tail: [UInt8]) -> Int? {
    guard tail.count >= length else { return nil }
    var fitting: Int?
    var at = tail.count - length
    while at >= 0 {
      if tail[at] == 0x50, tail.number(at, 4) == 0x0605_4B50 {
        let end = at + length + tail.number(at + 20, 2)
        if end == tail.count { return at }
        if end < tail.count, fitting == nil { fitting = at }
      }
      at -= 1
    }
    return fitting
  }
}

extension [UInt8] {
  /// Little-endian; what does not fit an `Int` is the largest there is.
  func number(_ at: Int, _ width: Int) -> Int {
    guard at >= 0, at + width <= count else { return 0 }
    var value: UInt64 = 0
    for place in 0..<width { value |= UInt64(self[at + place]) << (8 * UInt64(place)) }
    return Int(clamping: value)
  }
}
