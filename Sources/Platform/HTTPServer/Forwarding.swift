import HTTP

/// What trusted proxies say of the client. Read from right to left, because every proxy adds on
/// the right and only the trusted end of the list is worth anything.
struct Forwarding: Sendable, Hashable {
  var client: IPAddress?
  var scheme: String?
  var host: String?
  var basePath: BasePath?
  var requestID: String?

  /// Nil when the peer is no trusted proxy: its fields do not exist then.
  init?(_ head: RequestHead, from peer: Peer, under policy: ProxyPolicy) {
    guard policy.trusts(peer) else { return nil }
    let headers = head.headers
    requestID = headers["X-Request-Id"].flatMap { id in
      let isPlain = id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
      return isPlain && (1...128).contains(id.utf8.count) ? id : nil
    }
    let names = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix"]
    let hasX = names.contains { headers[$0] != nil }
    switch policy.dialect {
    case .xForwarded: readXForwarded(headers, policy)
    case .forwarded: readForwarded(headers, policy)
    case .either:
      if hasX { readXForwarded(headers, policy) } else { readForwarded(headers, policy) }
    }
  }

  private mutating func readXForwarded(_ headers: Headers, _ policy: ProxyPolicy) {
    let hops = Forwarding.list(headers, "X-Forwarded-For")
    let index = Forwarding.clientIndex(hops.map { IPAddress(withOptionalPort: $0) }, policy)
    client = index.flatMap { IPAddress(withOptionalPort: hops[$0]) }
    let schemes = Forwarding.list(headers, "X-Forwarded-Proto")
    // One entry a hop: the client's own. Otherwise the one the nearest proxy wrote.
    let scheme = schemes.count == hops.count ? index.map { schemes[$0] } : schemes.last
    self.scheme = Forwarding.scheme(scheme)
    host = Forwarding.list(headers, "X-Forwarded-Host").last.flatMap {
      HostRule.allows($0) ? $0 : nil
    }
    basePath = headers.all("X-Forwarded-Prefix").last.flatMap { BasePath($0) }
  }

  /// RFC 7239: a list of hops, each a list of pairs.
  private mutating func readForwarded(_ headers: Headers, _ policy: ProxyPolicy) {
    guard let field = headers.joined("Forwarded"), let hops = Forwarding.hops(field) else { return }
    let addresses = hops.map { $0["for"].flatMap { IPAddress(withOptionalPort: $0) } }
    guard let index = Forwarding.clientIndex(addresses, policy) ?? hops.indices.last else { return }
    client = addresses[index]
    scheme = Forwarding.scheme(hops[index]["proto"])
    host = hops[index]["host"].flatMap { HostRule.allows($0) ? $0 : nil }
    basePath = headers.all("X-Forwarded-Prefix").last.flatMap { BasePath($0) }
  }

  /// The rightmost hop that is not itself a trusted proxy; with only trusted ones, the leftmost.
  /// An unreadable hop ends the walk: everything left of it is hearsay.
  private static func clientIndex(_ hops: [IPAddress?], _ policy: ProxyPolicy) -> Int? {
    var index: Int?
    for (position, hop) in hops.enumerated().reversed() {
      guard let hop else { return index }
      index = position
      if !policy.trusts(hop) { return index }
    }
    return index
  }

  private static func list(_ headers: Headers, _ name: String) -> [String] {
    headers.all(name).flatMap { $0.split(separator: ",") }.suffix(64).map { trimmed($0) }
  }

  private static func trimmed(_ part: Substring) -> String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let end = part.lastIndex { !isBlank($0) }
    return end.map { String(part[...$0].drop(while: isBlank)) } ?? ""
  }

  private static func scheme(_ text: String?) -> String? {
    text.map { $0.lowercased() }.flatMap { $0 == "http" || $0 == "https" ? $0 : nil }
  }

  private static func hops(_ field: String) -> [[String: String]]? {
    var hops: [[String: String]] = [[:]]
    var scanner = FieldScanner(field)
    while true {
      scanner.skipBlanks()
      if let name = scanner.token()?.lowercased() {
        guard scanner.skip(UInt8(ascii: "=")), let value = scanner.tokenOrQuoted() else {
          return nil
        }
        hops[hops.count - 1][name] = value
        scanner.skipBlanks()
      }
      if scanner.isAtEnd { return hops }
      if scanner.skip(UInt8(ascii: ",")) {
        guard hops.count < 64 else { return nil }
        hops.append([:])
      } else if !scanner.skip(UInt8(ascii: ";")) {
        return nil
      }
    }
  }
}
