package import HTTP

/// Why the gate refused a host. The host is shown, for it is what an operator has to allow.
package struct Refusal: Sendable, Hashable {
  package let host: String
  package let reason: Reason

  package init(_ host: String, _ reason: Reason) { (self.host, self.reason) = (host, reason) }

  package enum Reason: String, Sendable, Hashable, CaseIterable {
    case obscureNumber, trailingDot, localName
    case unspecified, loopback, linkLocal, privateNetwork, carrierGrade, protocolAssignments
    case documentation, benchmarking, relay, multicast, reserved, broadcast
    case mappedIPv4, compatibleIPv4, translatedIPv4, sixToFour, teredo, uniqueLocal, siteLocal
    /// IPv6 outside the space that is handed out to the public.
    case notGlobal
    /// Credentials or personal data would have gone over plain http.
    case notEncrypted
  }
}

extension Refusal.Reason {
  /// Nil for an address on the public internet (the special-purpose registries of RFC 6890).
  package init?(_ ip: Address.IP) {
    let table = ip.isV4 ? Self.v4 : Self.v6
    if let match = table.first(where: { $0.network.contains(ip) }) {
      self = match.reason
    } else if !ip.isV4, ip.bytes[0] >> 5 != 0b001 {
      self = .notGlobal
    } else {
      return nil
    }
  }

  private static let v4 = rows([
    ("255.255.255.255/32", .broadcast), ("0.0.0.0/8", .unspecified),
    ("10.0.0.0/8", .privateNetwork), ("100.64.0.0/10", .carrierGrade),
    ("127.0.0.0/8", .loopback), ("169.254.0.0/16", .linkLocal),
    ("172.16.0.0/12", .privateNetwork), ("192.0.0.0/24", .protocolAssignments),
    ("192.0.2.0/24", .documentation), ("192.88.99.0/24", .relay),
    ("192.168.0.0/16", .privateNetwork), ("198.18.0.0/15", .benchmarking),
    ("198.51.100.0/24", .documentation), ("203.0.113.0/24", .documentation),
    ("224.0.0.0/4", .multicast), ("240.0.0.0/4", .reserved),
  ])

  /// Narrow rows first. Forms that carry an IPv4 address inside are refused whatever they carry:
  /// no public server is reached only that way, and a translator may lead into the house.
  private static let v6 = rows([
    ("::/128", .unspecified), ("::1/128", .loopback), ("::ffff:0:0/96", .mappedIPv4),
    ("::/96", .compatibleIPv4), ("::ffff:0:0:0/96", .translatedIPv4),
    ("64:ff9b::/96", .translatedIPv4), ("64:ff9b:1::/48", .translatedIPv4),
    ("2001::/32", .teredo), ("2001:2::/48", .benchmarking), ("2001::/23", .protocolAssignments),
    ("2001:db8::/32", .documentation), ("3fff::/20", .documentation), ("2002::/16", .sixToFour),
    ("3ffe::/16", .reserved), ("fc00::/7", .uniqueLocal), ("fe80::/10", .linkLocal),
    ("fec0::/10", .siteLocal), ("ff00::/8", .multicast), ("100::/64", .reserved),
  ])

  private static func rows(
    _ table: [(String, Refusal.Reason)]
  ) -> [(network: Network, reason: Refusal.Reason)] {
    table.map { text, reason in
      guard let network = Network(text) else { preconditionFailure("a row that is no network") }
      return (network, reason)
    }
  }
}
