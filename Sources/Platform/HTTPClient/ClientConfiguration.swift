package import HTTP

/// What holds for every request of one client. Read once at the start; nothing here comes from the
/// environment by itself.
package struct ClientConfiguration: Sendable {
  /// Whose certificates are believed. Verification itself has no switch.
  package enum Trust: Sendable, Hashable {
    case system
    /// Only the authorities in this PEM file: the value of `SSL_CERT_FILE`.
    case file(String)
    /// Those in this PEM file and the system's: a library's own authority beside the public ones.
    case systemAnd(String)

    /// The file, and whether it is all that counts.
    var file: (path: String, isAll: Bool)? {
      switch self {
      case .system: nil
      case .file(let path): (path, true)
      case .systemAnd(let path): (path, false)
      }
    }
  }

  /// A transfer that moves fewer bytes than this in each span is given up. Bytes count in either
  /// direction, so a server that thinks longer than the span is given up too.
  package struct Pace: Sendable, Hashable {
    package var bytes: Int
    package var span: Duration

    package init(bytes: Int = 512, per span: Duration = .seconds(30)) {
      self.bytes = bytes
      self.span = span
    }
  }

  /// The file in which the authorities stand that are believed.
  package var authorities: String? { trust.file?.path ?? curlAuthorities }

  package var userAgent = "Carrel"
  package var gate = AddressGate()
  package var proxies = Proxies()
  package var trust = Trust.system
  /// Nought means no cap, here and below.
  package var connectionsPerHost = 6
  package var connectionsInAll = 256
  /// Kept open for reuse, over all hosts.
  package var idleConnections = 64
  package var idleLifetime: Duration = .seconds(60)
  /// Looking up, connecting and shaking hands together.
  package var connectTimeout: Duration = .seconds(10)
  package var pace = Pace()
  /// For requests that name no deadline.
  package var timeout: Duration = .seconds(30)
  /// Names that are not asked of DNS: an operator's own `hosts` file. The gate still judges the
  /// addresses.
  package var pinnedHosts: [String: [Address.IP]] = [:]

  package init() {}
}
