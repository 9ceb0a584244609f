package import HTTP

/// Where a line leads, and how it is kept from being overheard.
package struct LinePlace: Sendable, Hashable {
  package var host: Address.Host
  package var port: Int
  package var security: Security

  package init(_ host: Address.Host, port: Int, _ security: Security) {
    (self.host, self.port, self.security) = (host, port, security)
  }

  package enum Security: Sendable, Hashable {
    case tls(TLSTerms)
    /// To this machine itself, where a tunnel begins; elsewhere only where that was switched on.
    case plain(beyondThisMachine: Bool)
  }
}

/// What is believed of the other side, and shown to it. That it is verified has no switch.
package struct TLSTerms: Sendable, Hashable {
  /// A PEM file with authorities of the other side's own, beside those of the client.
  package var authorities: String?
  /// PEM files with our certificate and its key, where the other side wants to see one.
  package var certificate: String?
  package var key: String?
  /// The name in its certificate where the host is another, as behind a tunnel.
  package var name: String?

  package init() {}
}
