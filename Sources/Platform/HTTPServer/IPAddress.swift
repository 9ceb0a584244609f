import Glibc

/// An IPv4 or IPv6 address as a number, so that ranges are one comparison. IPv4 is kept in its
/// IPv6-mapped form: `::ffff:10.0.0.1` and `10.0.0.1` are the same client.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  private static let mappedPrefix: UInt64 = 0xFFFF

  package init(v4: UInt32) { (high, low) = (0, IPAddress.mappedPrefix << 32 | UInt64(v4)) }

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Reads both spellings, in brackets or not; no port, no zone.
  package init?(_ text: String) {
    var text = Substring(text)
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    var v4 = in_addr()
    if unsafe inet_pton(AF_INET, String(text), &v4) == 1 {
      self.init(v4: UInt32(bigEndian: v4.s_addr))
      return
    }
    var v6 = in6_addr()
    guard unsafe inet_pton(AF_INET6, String(text), &v6) == 1 else { return nil }
    self.init(v6)
  }

  init(_ address: in6_addr) {
    let (high, low) = unsafe withUnsafeBytes(of: address) { bytes in
      unsafe (
        bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
    }
    self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  var inet6: in6_addr {
    var address = in6_addr()
    unsafe withUnsafeMutableBytes(of: &address) { bytes in
      unsafe bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
      unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return address
  }

  package var v4: UInt32? {
    high == 0 && low >> 32 == IPAddress.mappedPrefix ? UInt32(truncatingIfNeeded: low) : nil
  }

  /// The bits left of `length`, counted in the IPv6 form; the others become zero.
  func prefix(_ length: Int) -> IPAddress {
    let highMask = length >= 64 ? UInt64.max : length == 0 ? 0 : UInt64.max << UInt64(64 - length)
    let lowMask =
      length >= 128 ? UInt64.max : length <= 64 ? 0 : UInt64.max << UInt64(128 - length)
    return IPAddress(high: high & highMask, low: low & lowMask)
  }

  /// What one household or host has: an IPv4 address, or an IPv6 network of 64 bits.
  package var household: IPAddress { v4 == nil ? prefix(64) : self }

  /// What one customer can come by many addresses of: an IPv4 network of 24 bits, an IPv6 network of 48.
  package var network: IPAddress { prefix(v4 == nil ? 48 : 96 + 24) }

  package var description: String {
    if let v4 { return "\(v4 >> 24).\(v4 >> 16 & 255).\(v4 >> 8 & 255).\(v4 & 255)" }
    var address = inet6
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    unsafe inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
    return String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A network in CIDR notation, or a single address.
package struct IPNetwork: Sendable, Hashable, CustomStringConvertible {
  private let base: IPAddress
  private let length: Int

  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
    let most = address.v4 == nil ? 128 : 32
    var bits = most
    if parts.count == 2 {
      guard parts[1].utf8.allSatisfy({ $0 &- 0x30 < 10 }), let given = Int(parts[1]),
        given <= most
      else { return nil }
      bits = given
    }
    length = bits + (128 - most)
    base = address.prefix(length)
  }

  package func contains(_ address: IPAddress) -> Bool { address.prefix(length) == base }

  package var description: String {
    base.v4 == nil ? "\(base)/\(length)" : "\(base)/\(length - 96)"
  }
}
