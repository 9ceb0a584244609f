/// Who is at the other end of a socket.
package enum Peer: Sendable, Hashable, CustomStringConvertible {
  case ip(IPAddress, port: Int)
  case unix

  package var address: IPAddress? { if case .ip(let address, _) = self { address } else { nil } }

  package var description: String {
    switch self {
    case .ip(let address, let port):
      address.v4 == nil ? "[\(address)]:\(port)" : "\(address):\(port)"
    case .unix: "unix"
    }
  }
}

extension IPAddress {
  /// Reads `203.0.113.7`, `203.0.113.7:99`, `2001:db8::1` and `[2001:db8::1]:99`.
  init?(withOptionalPort text: String) {
    if let address = IPAddress(text) {
      self = address
      return
    }
    guard let colon = text.lastIndex(of: ":"), let address = IPAddress(String(text[..<colon])),
      address.v4 != nil || text.hasPrefix("["), Int(text[text.index(after: colon)...]) != nil
    else { return nil }
    self = address
  }
}
