/// The clock of one place on earth, as the system's files of zones tell it (RFC 8536): for readers who
/// do not live where the machine stands.
package struct Zone: Sendable {
  /// Moments in seconds since 1970, each with how far clocks are ahead of UTC from then on.
  private let changes: [(at: Int64, east: Int)]
  private let before: Int

  /// Nil for a name that the system does not know, as `Europe/Berlin` is known.
  package init?(named name: String, in folder: String = "/usr/share/zoneinfo") {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x5F: true
          default: false
          }
        }
    }
    guard isName, (1...3).contains(parts.count), name.utf8.count <= 64,
      let bytes = try? WholeFile.read("\(folder)/\(name)", upTo: 1 << 16)
    else { return nil }
    self.init(bytes)
  }

  init?(_ bytes: [UInt8]) {
    // The first part counts in 32 bits and ends in 2038; the second is the same in 64.
    guard let old = Head(bytes, at: 0), old.version >= UInt8(ascii: "2"),
      let head = Head(bytes, at: old.end(width: 4)), head.end(width: 8) <= bytes.count,
      head.kinds > 0
    else { return nil }
    let moments = head.start
    let indices = moments + 8 * head.changes
    let kinds = indices + head.changes
    func east(_ kind: Int) -> Int? {
      guard kind < head.kinds else { return nil }
      let at = kinds + 6 * kind
      let word = bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Int(Int32(bitPattern: word))
    }
    var changes: [(at: Int64, east: Int)] = []
    for index in 0..<head.changes {
      let at = moments + 8 * index
      let word = bytes[at..<at + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard let east = east(Int(bytes[indices + index])) else { return nil }
      changes.append((Int64(bitPattern: word), east))
    }
    guard let before = east(0) else { return nil }
    (self.changes, self.before) = (changes, before)
  }

  package func secondsEast(at moment: Timestamp) -> Int {
    let seconds = moment.secondsSinceEpoch
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? before : changes[low - 1].east
  }

  private struct Head {
    let version: UInt8
    let start: Int
    let changes: Int
    let kinds: Int
    private let rest: [Int]

    init?(_ bytes: [UInt8], at place: Int) {
      guard place + 44 <= bytes.count, bytes[place..<place + 4].elementsEqual("TZif".utf8) else {
        return nil
      }
      version = bytes[place + 4]
      let counts = (0..<6).map { index in
        let at = place + 20 + 4 * index
        return Int(bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
      }
      guard counts.allSatisfy({ $0 <= 1 << 16 }) else { return nil }
      (start, changes, kinds) = (place + 44, counts[3], counts[4])
      rest = counts
    }

    /// Where what it heads ends: moments, their kinds, the kinds, names, leap seconds, two lists of flags.
    func end(width: Int) -> Int {
      start + changes * (width + 1) + kinds * 6 + rest[5] + rest[2] * (width + 4) + rest[1]
        + rest[0]
    }
  }
}
