/// Where a request goes: an absolute address with a host (RFC 3986), checked once and then trusted.
/// Text that two programs could read differently is refused, for that is how a check and the
/// connection it guards come to mean two hosts.
package struct Address: Sendable, Hashable {
  /// Longer text is refused before it is looked at.
  package static let longest = 16_384

  /// Whether `user:password@` may stand before the host.
  package enum UserinfoRule: Sendable { case refused, kept }

  /// In small letters.
  package let scheme: String
  package let host: Host
  /// Nil where the scheme's own port is meant, even when it was written out.
  package let port: Int?
  /// Starts with a slash, percent-encoded, without dot segments.
  package let path: String
  /// Percent-encoded, without the question mark.
  package let query: String?
  package let fragment: String?
  /// A secret as a rule: in `text`, never in `description`.
  package let userinfo: String?

  package init(_ text: String, userinfo rule: UserinfoRule = .refused) throws(AddressError) {
    let reference = try AddressReference(text)
    guard let scheme = reference.scheme else { throw .schemeMissing }
    guard let authority = reference.authority else { throw .hostMissing }
    try self.init(
      scheme: scheme, authority: authority, path: reference.path, query: reference.query,
      fragment: reference.fragment, userinfo: rule)
  }

  init(
    scheme: String, authority: String, path: String, query: String?, fragment: String?,
    userinfo rule: UserinfoRule
  ) throws(AddressError) {
    let parts = try AddressAuthority(authority)
    guard parts.userinfo == nil || rule == .kept else { throw .userinfoRefused }
    self.scheme = scheme
    self.host = parts.host
    self.port = parts.port == Address.standardPort(of: scheme) ? nil : parts.port
    self.path = path.isEmpty ? "/" : AddressReference.withoutDotSegments(path)
    self.query = query
    self.fragment = fragment
    self.userinfo = parts.userinfo
  }

  init(_ other: Address, host: Host, path: String, query: String?, fragment: String?) {
    scheme = other.scheme
    self.host = host
    port = other.port
    self.path = path
    self.query = query
    self.fragment = fragment
    userinfo = other.userinfo
  }

  /// The whole address, as it is sent and stored.
  package var text: String {
    let tail = (query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "")
    return "\(scheme)://\(userinfo.map { "\($0)@" } ?? "")\(authority)\(path)\(tail)"
  }

  /// Host and port, the value of a `Host` field.
  package var authority: String { host.text + (port.map { ":\($0)" } ?? "") }

  /// Path and query, the target of a request.
  package var target: String { path + (query.map { "?\($0)" } ?? "") }

  /// The port a connection uses; nil for a scheme without one of its own.
  package var effectivePort: Int? { port ?? Address.standardPort(of: scheme) }

  package var isSecure: Bool { scheme == "https" }

  package var withoutFragment: Address {
    Address(self, host: host, path: path, query: query, fragment: nil)
  }

  package func replacing(host: Host) -> Address {
    Address(self, host: host, path: path, query: query, fragment: fragment)
  }

  /// What credentials are bound to: scheme, host and port together (RFC 6454 §4).
  package struct Origin: Sendable, Hashable, CustomStringConvertible {
    package let scheme: String
    package let host: Host
    package let port: Int?

    package var description: String {
      let shown = port == Address.standardPort(of: scheme) ? nil : port
      return "\(scheme)://\(host.text)\(shown.map { ":\($0)" } ?? "")"
    }
  }

  package var origin: Origin { Origin(scheme: scheme, host: host, port: effectivePort) }

  static func standardPort(of scheme: String) -> Int? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    default: nil
    }
  }
}

/// Why a text is no address. It carries no part of the text: that may hold a secret.
package enum AddressError: Error, Sendable, Hashable {
  case tooLong
  case schemeMissing
  case hostMissing
  case malformedScheme
  case malformedHost
  case malformedPort
  case malformedPercent
  case forbiddenCharacter
  case userinfoRefused
}

extension AddressError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong: "the address is too long"
    case .schemeMissing: "the address has no scheme such as https"
    case .hostMissing: "the address has no host"
    case .malformedScheme: "the scheme of the address is not valid"
    case .malformedHost: "the host of the address is not valid"
    case .malformedPort: "the port of the address is not valid"
    case .malformedPercent: "a percent sign in the address starts no code"
    case .forbiddenCharacter: "the address has a character that addresses cannot have"
    case .userinfoRefused: "the address has a name or password in it"
    }
  }
}

/// For logs and errors: queries carry tokens, so they are left out. `text` has everything.
extension Address: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String {
    "\(scheme)://\(authority)\(path)\(query == nil ? "" : "?…")"
  }

  package var debugDescription: String { description }
}
