package import HTTP

/// A block of IP addresses, as `10.0.0.0/8` or `fc00::/7`.
package struct Network: Sendable, Hashable, CustomStringConvertible {
  package let base: Address.IP
  package let bits: Int

  /// Bits behind the prefix must be zero: a typing error there would open more than was meant.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, (1...3).contains(parts[1].count),
      parts[1].allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(Substring(parts[1])),
      let base = Address.IP(String(Substring(parts[0]))), bits <= base.bytes.count * 8
    else { return nil }
    self.base = base
    self.bits = bits
    let isClean = (0..<base.bytes.count).allSatisfy { base.bytes[$0] & ~mask($0) == 0 }
    guard isClean else { return nil }
  }

  package func contains(_ ip: Address.IP) -> Bool {
    guard ip.bytes.count == base.bytes.count else { return false }
    return ip.bytes.indices.allSatisfy { ip.bytes[$0] & mask($0) == base.bytes[$0] }
  }

  package var description: String { "\(base)/\(bits)" }

  private func mask(_ index: Int) -> UInt8 {
    let left = min(max(bits - index * 8, 0), 8)
    return left == 0 ? 0 : 0xFF << UInt8(8 - left)
  }
}
