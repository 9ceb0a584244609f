package import HTTP

/// Which requests go through a proxy: the values of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`,
/// handed in. Nothing here, nor libcurl beneath, looks at the environment.
package struct Proxies: Sendable, Hashable {
  /// One proxy. Its password is not part of any description.
  package struct Proxy: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Without userinfo.
    let address: String
    let isSecure: Bool
    let user: String?
    let password: String?

    /// `http://user:secret@proxy.example:3128`; a missing scheme means http.
    package init?(_ text: String) {
      let whole = text.contains("://") ? text : "http://\(text)"
      guard let address = try? Address(whole, userinfo: .kept),
        address.scheme == "http" || address.scheme == "https", address.path == "/",
        address.query == nil, address.fragment == nil
      else { return nil }
      let port = address.effectivePort ?? 80
      self.address = "\(address.scheme)://\(address.host.text):\(port)"
      isSecure = address.isSecure
      guard let userinfo = address.userinfo else {
        (user, password) = (nil, nil)
        return
      }
      let parts = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let user = Proxy.decoded(parts[0]),
        let password = Proxy.decoded(parts.count > 1 ? parts[1] : "")
      else { return nil }
      (self.user, self.password) = (user, password)
    }

    package var description: String { address }
    package var debugDescription: String { address }

    private static func decoded(_ text: Substring) -> String? {
      var bytes: [UInt8] = []
      var rest = text.utf8
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
          bytes.append(byte)
          continue
        }
        guard rest.count >= 2, let value = UInt8(String(Substring(rest.prefix(2))), radix: 16),
          value >= 0x20
        else { return nil }
        rest = rest.dropFirst(2)
        bytes.append(value)
      }
      return String(validating: bytes, as: UTF8.self)
    }
  }

  package var http: Proxy?
  package var https: Proxy?
  package var exceptions: [Exception]

  package init(http: Proxy? = nil, https: Proxy? = nil, exceptions: [Exception] = []) {
    self.http = http
    self.https = https
    self.exceptions = exceptions
  }

  package func proxy(for address: Address) -> Proxy? {
    guard let proxy = address.isSecure ? https : http else { return nil }
    return exceptions.contains { $0.covers(address) } ? nil : proxy
  }

  /// One entry of `NO_PROXY`.
  package enum Exception: Sendable, Hashable {
    case everything
    case network(Network)
    /// The host itself and all names below it; a port narrows it.
    case domain(String, port: Int?)

    /// Entries between commas or blanks; what is none is left out.
    package static func list(_ text: String) -> [Exception] {
      text.split { $0 == "," || $0.isWhitespace }.compactMap { Exception(String($0)) }
    }

    package init?(_ text: String) {
      if text == "*" {
        self = .everything
      } else if text.utf8.contains(UInt8(ascii: "/")) {
        guard let network = Network(text) else { return nil }
        self = .network(network)
      } else if let ip = Address.IP(text) {
        self = .domain(Address.Host.ip(ip).text, port: nil)
      } else {
        let bare = text.hasPrefix("*.") ? text.dropFirst(2) : text.drop { $0 == "." }
        guard let address = try? Address("any://\(bare)"), address.path == "/" else { return nil }
        self = .domain(address.host.text, port: address.port)
      }
    }

    func covers(_ address: Address) -> Bool {
      switch (self, address.host) {
      case (.everything, _): true
      case (.network(let network), .ip(let ip)): network.contains(ip)
      case (.network, .name): false
      case (.domain(let domain, let port), let host):
        (port == nil || port == address.effectivePort)
          && (host.text == domain || host.isName && host.text.hasSuffix(".\(domain)"))
      }
    }
  }
}

extension Address.Host {
  fileprivate var isName: Bool {
    if case .name = self { true } else { false }
  }
}
