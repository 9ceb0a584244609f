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

  /// Whether credentials and personal data may be sent over plain http.
  package enum Plaintext: Sendable, Hashable {
    case allowed
    /// Only to the hosts that this gate names.
    case refused(except: AddressGate)
  }

  /// The file in which the authorities stand that are believed.
  package var authorities: String? { trust.file?.path ?? curlAuthorities }

  package var userAgent = "Carrel"
  package var gate = AddressGate()
  /// Host and port, as `Address.place` writes them, that another gate judges.
  package var gatesOfPlaces: [String: AddressGate] = [:]
  package var plaintext = Plaintext.allowed
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

  func gate(of address: Address) -> AddressGate { gatesOfPlaces[address.place] ?? gate }

  /// Judges one hop of a request before it is sent: a redirect is a hop of its own.
  func refusal(of request: Request, to address: Address, by route: AddressGate.Route) -> Refusal? {
    guard let port = address.effectivePort else { return nil }
    if let refusal = gate(of: address).refusal(of: address.host, port: port, by: route) {
      return refusal
    }
    guard case .refused(let exceptions) = plaintext, !address.isSecure, request.isPersonal,
      !exceptions.names(address.host, port: port)
    else { return nil }
    return Refusal(address.host.text, .notEncrypted)
  }
}

extension Address {
  /// Host and port, the standard one included.
  package var place: String { "\(host.text):\(effectivePort ?? 0)" }
}

extension Request {
  /// Whether it may tell of a person what others on the way shall not read: it carries credentials, or it
  /// brings something.
  fileprivate var isPersonal: Bool {
    if body != .none || ![.get, .head].contains(method) { return true }
    let names = ["Authorization", "Cookie", "Proxy-Authorization"] + secretHeaders
    return names.contains { headers[$0] != nil }
  }
}
