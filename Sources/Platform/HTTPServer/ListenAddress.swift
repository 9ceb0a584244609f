/// Where to wait for clients.
package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// Port 0 lets the system choose.
  case ip(IPAddress, port: Int)
  /// A socket file, made with these permissions and removed at the end.
  case unix(path: String, mode: UInt32 = 0o660)
  /// A listening socket that was opened by somebody else, as by systemd.
  case inherited(descriptor: Int32)

  package static func loopback(port: Int) -> ListenAddress {
    .ip(IPAddress(v4: 0x7F00_0001), port: port)
  }

  /// Reads `127.0.0.1:8080`, `[::1]:8080`, `:8080` (all IPv4 addresses), `localhost:8080` and
  /// `unix:/run/carrel/http.sock`.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty else { return nil }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let port = Int(digits),
      port <= 65_535
    else { return nil }
    let host = String(text[..<colon])
    switch host {
    case "": self = .ip(IPAddress(v4: 0), port: port)
    case "localhost": self = .loopback(port: port)
    default:
      guard let address = IPAddress(host), address.v4 != nil || host.hasPrefix("[") else {
        return nil
      }
      self = .ip(address, port: port)
    }
  }

  package var description: String {
    switch self {
    case .ip(let address, let port): Peer.ip(address, port: port).description
    case .unix(let path, _): "unix:\(path)"
    case .inherited(let descriptor): "descriptor \(descriptor)"
    }
  }

  package var port: Int? { if case .ip(_, let port) = self { port } else { nil } }
}

/// What systemd hands over (sd_listen_fds(3)), read from values so that nothing here looks at the
/// environment.
package enum SocketActivation {
  /// The inherited sockets; empty when the variables are absent or meant for another process.
  package static func addresses(
    listenPID: String?, listenFDs: String?, ownPID: Int32
  ) -> [ListenAddress] {
    guard let listenPID, Int32(listenPID) == ownPID, let count = listenFDs.flatMap({ Int32($0) }),
      (1...1024).contains(count)
    else { return [] }
    // SD_LISTEN_FDS_START
    return (3..<3 + count).map { .inherited(descriptor: $0) }
  }
}
