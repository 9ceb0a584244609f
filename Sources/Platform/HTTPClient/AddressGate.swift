package import HTTP

/// Decides where this process may connect to. Addresses come from feeds, patrons and redirects:
/// without the gate each of them could make us talk to the machine's own services, to the house
/// network, or to a cloud's metadata. It is asked twice: about the host as it is written, and about
/// every IP address a socket is about to be opened to, which no rebinding name can get around.
package struct AddressGate: Sendable, Hashable {
  /// An exception the operator has written down.
  package enum Allowance: Sendable, Hashable {
    case host(String)
    case hostAndPort(String, Int)
    case network(Network)

    /// `books.example`, `books.example:8080`, `[::1]:8080`, `10.0.0.0/8`.
    package init?(_ text: String) {
      if text.utf8.contains(UInt8(ascii: "/")) {
        guard let network = Network(text) else { return nil }
        self = .network(network)
      } else if let ip = Address.IP(text) {
        self = .host(Address.Host.ip(ip).text)
      } else if let address = try? Address("any://\(text)"), address.path == "/",
        address.query == nil, address.fragment == nil
      {
        self =
          if let port = address.port { .hostAndPort(address.host.text, port) } else {
            .host(address.host.text)
          }
      } else {
        return nil
      }
    }
  }

  package var allowances: [Allowance]

  package init(allowing allowances: [Allowance] = []) { self.allowances = allowances }

  /// How the connection is made decides who resolves the name.
  package enum Route: Sendable { case direct, proxied }

  /// Judges a host by its spelling, before anything is resolved.
  package func refusal(of host: Address.Host, port: Int, by route: Route) -> Refusal? {
    guard !allows(host, port) else { return nil }
    switch host {
    case .ip(let ip):
      return refusal(of: ip, for: host, port: port)
    case .name(let name):
      if name.utf8.last == UInt8(ascii: ".") { return Refusal(host.text, .trailingDot) }
      if AddressGate.isNumeric(name) { return Refusal(host.text, .obscureNumber) }
      guard AddressGate.isLocal(name) else { return nil }
      // Where whole networks are allowed, a short name of the house is expected, and the address
      // it resolves to will be judged. A proxy resolves for itself.
      let isJudgedLater = route == .direct && allowances.contains(where: \.isNetwork)
      return isJudgedLater ? nil : Refusal(host.text, .localName)
    }
  }

  /// Judges the address a connection really goes to.
  package func refusal(of ip: Address.IP, for host: Address.Host, port: Int) -> Refusal? {
    guard let reason = Refusal.Reason(ip), !allows(host, port), !allows(ip) else { return nil }
    return Refusal(host.text, reason)
  }

  /// Whether the host as it is written was named. What a range names is known for addresses only.
  package func names(_ host: Address.Host, port: Int) -> Bool {
    if allows(host, port) { return true }
    guard case .ip(let ip) = host else { return false }
    return allows(ip)
  }

  private func allows(_ host: Address.Host, _ port: Int) -> Bool {
    allowances.contains {
      switch $0 {
      case .host(let allowed): allowed == host.text
      case .hostAndPort(let allowed, let allowedPort):
        allowed == host.text && allowedPort == port
      case .network: false
      }
    }
  }

  private func allows(_ ip: Address.IP) -> Bool {
    allowances.contains {
      if case .network(let network) = $0 { network.contains(ip) } else { false }
    }
  }

  /// No top-level domain is a number, but resolvers read `2130706433`, `0x7f.1` and `127.1` as
  /// addresses (the ends-in-a-number rule of the URL standard).
  private static func isNumeric(_ name: String) -> Bool {
    guard let last = name.utf8.split(separator: UInt8(ascii: ".")).last else { return true }
    if last.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return last.starts(with: [0x30, 0x78])
      && last.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Names that no public server has: single labels, and the domains set aside for local use.
  private static func isLocal(_ name: String) -> Bool {
    guard name.utf8.contains(UInt8(ascii: ".")) else { return true }
    return [".localhost", ".localdomain", ".local", ".internal", ".home.arpa"]
      .contains { name.hasSuffix($0) }
  }
}

extension AddressGate.Allowance {
  fileprivate var isNetwork: Bool {
    if case .network = self { true } else { false }
  }
}
