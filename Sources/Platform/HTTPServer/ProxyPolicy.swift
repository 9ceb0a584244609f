import HTTP

/// Which proxies are believed, and what the gateway is called from outside.
package struct ProxyPolicy: Sendable, Hashable {
  /// The two families of fields. A proxy sets one and usually passes the other through as the
  /// client wrote it, so believing both at once would let a client speak for its proxy.
  package enum Dialect: Sendable {
    /// `X-Forwarded-*` when there is any, else `Forwarded`.
    case either
    case forwarded
    case xForwarded
  }

  /// What the server is to the outside. It wins over every field.
  package struct PublicAddress: Sendable, Hashable {
    package let scheme: String
    /// With its port, unless that is the scheme's own.
    package let host: String
    package let basePath: BasePath

    package init?(scheme: String, host: String, basePath: String = "") {
      guard scheme == "http" || scheme == "https", HostRule.allows(host),
        let base = BasePath(basePath)
      else { return nil }
      (self.scheme, self.host, self.basePath) = (scheme, host, base)
    }
  }

  package var trusted: [IPNetwork]
  /// Whether whoever reaches a Unix socket counts as a trusted proxy: its file permissions say so.
  package var trustsUnixPeers: Bool
  package var dialect: Dialect
  package var publicAddress: PublicAddress?

  package init(
    trusted: [IPNetwork] = [], trustsUnixPeers: Bool = false, dialect: Dialect = .either,
    publicAddress: PublicAddress? = nil
  ) {
    (self.trusted, self.trustsUnixPeers) = (trusted, trustsUnixPeers)
    (self.dialect, self.publicAddress) = (dialect, publicAddress)
  }

  package func trusts(_ address: IPAddress) -> Bool { trusted.contains { $0.contains(address) } }

  package func trusts(_ peer: Peer) -> Bool {
    switch peer {
    case .ip(let address, _): trusts(address)
    case .unix: trustsUnixPeers
    }
  }
}

/// The path under which the gateway hangs behind its proxy: empty, or `/a/b` without a slash at
/// its end. It goes in front of every printed link.
package struct BasePath: Sendable, Hashable, CustomStringConvertible {
  package let segments: [String]
  package let description: String

  package static let root = BasePath(segments: [])

  package init(segments: [String]) {
    self.segments = segments
    description = segments.map { "/" + PercentCoding.encode(segment: $0) }.joined()
  }

  /// Nil when a link built on it could lead elsewhere: dot segments, a second slash, odd bytes.
  package init?(_ text: String) {
    var text = Substring(text)
    while text.hasSuffix("/") { text = text.dropLast() }
    guard !text.isEmpty else {
      self = .root
      return
    }
    guard text.hasPrefix("/"), text.utf8.count <= 1024 else { return nil }
    var segments: [String] = []
    for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let segment = PercentCoding.decode(part.utf8), !segment.isEmpty, segment != ".",
        segment != "..", segment.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x5C })
      else { return nil }
      segments.append(segment)
    }
    self.init(segments: segments)
  }

  /// The rest of a path that starts with this base. Proxies differ in whether they cut the base
  /// off, so a path without it is taken as already cut.
  func cut(from path: [String]) -> [String] {
    guard !segments.isEmpty, path.starts(with: segments) else { return path }
    let rest = Array(path.dropFirst(segments.count))
    return rest == [""] ? [] : rest
  }
}
