extension Address {
  /// An IP address as its bytes. IPv4 is read in the plain dotted form only: four decimal numbers
  /// without leading zeros. IPv6 has no zone, and prints as RFC 5952 wants it.
  package struct IP: Sendable, Hashable, CustomStringConvertible {
    /// Four or sixteen.
    package let bytes: [UInt8]

    package init?(bytes: [UInt8]) {
      guard bytes.count == 4 || bytes.count == 16 else { return nil }
      self.bytes = bytes
    }

    package init?(_ text: String) {
      guard text.utf8.count <= 45 else { return nil }
      guard let bytes = IP.quad(Substring(text)) ?? IP.groups(text) else { return nil }
      self.bytes = bytes
    }

    package var isV4: Bool { bytes.count == 4 }

    package var description: String {
      if isV4 { return bytes.map { String($0) }.joined(separator: ".") }
      let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
      let gap = IP.longestZeroRun(groups)
      guard !gap.isEmpty else { return IP.hex(groups[...]) }
      return IP.hex(groups[..<gap.lowerBound]) + "::" + IP.hex(groups[gap.upperBound...])
    }

    private static func hex(_ groups: ArraySlice<Int>) -> String {
      groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// The first of the longest runs of two and more zero groups.
    private static func longestZeroRun(_ groups: [Int]) -> Range<Int> {
      var best = 0..<0
      var start = 0
      for index in 0...groups.count where index == groups.count || groups[index] != 0 {
        if index - start > max(best.count, 1) { best = start..<index }
        start = index + 1
      }
      return best
    }

    private static func quad(_ text: Substring) -> [UInt8]? {
      let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard parts.count == 4 else { return nil }
      var bytes: [UInt8] = []
      for part in parts {
        guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
          part.count == 1 || part.first != UInt8(ascii: "0"), let byte = UInt8(Substring(part))
        else { return nil }
        bytes.append(byte)
      }
      return bytes
    }

    private static func groups(_ text: String) -> [UInt8]? {
      let characters = Array(text.utf8)
      let colon = UInt8(ascii: ":")
      let gaps = characters.indices.dropLast().filter {
        characters[$0] == colon && characters[$0 + 1] == colon
      }
      switch gaps.count {
      case 0:
        guard let bytes = run(characters[...]), bytes.count == 16 else { return nil }
        return bytes
      case 1:
        guard let head = run(characters[..<gaps[0]], endsAddress: false),
          let tail = run(characters[(gaps[0] + 2)...]), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
      default: return nil
      }
    }

    /// Groups between colons; the last four bytes of an address may be a dotted quad.
    private static func run(_ text: ArraySlice<UInt8>, endsAddress: Bool = true) -> [UInt8]? {
      if text.isEmpty { return [] }
      let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard parts.count <= 8 else { return nil }
      var bytes: [UInt8] = []
      for (index, part) in parts.enumerated() {
        let spelled = String(decoding: part, as: UTF8.self)
        if endsAddress, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
          guard let tail = quad(Substring(spelled)) else { return nil }
          bytes += tail
        } else {
          guard (1...4).contains(part.count), part.allSatisfy(isHexDigit),
            let group = UInt16(spelled, radix: 16)
          else { return nil }
          bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
      }
      return bytes
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
      default: false
      }
    }
  }
}
