import CCurl
import HTTP

extension Request {
  /// The framing of a message is the client's own business.
  private static let reserved = [
    "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Connection",
    "Upgrade", "TE", "Trailer", "Expect", "HTTP2-Settings",
  ]

  /// Refuses what would not go over the wire as it is meant: above all a value with a line break,
  /// which would become a second header or a second request.
  func check() throws(TransportError) {
    guard address.scheme == "http" || address.scheme == "https", address.userinfo == nil else {
      throw .invalidRequest(.scheme)
    }
    guard Request.isToken(method.rawValue), method.rawValue != "CONNECT",
      method != .head || body == .none
    else { throw .invalidRequest(.method) }
    for field in headers.fields {
      guard Request.isToken(field.name), Request.isValue(field.value) else {
        throw .invalidRequest(.header(name: Request.isToken(field.name) ? field.name : ""))
      }
      guard !Request.reserved.contains(where: { Headers.same($0, field.name) }) else {
        throw .invalidRequest(.reservedHeader(name: field.name))
      }
    }
  }

  /// RFC 9110 §5.6.2.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
      }
  }

  private static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }
}

extension Address {
  /// The address with its host as it is asked of the resolver. The gate judges this form: `１２７.1`
  /// in full-width digits is a name to the eye and an address to the resolver.
  func withASCIIHost() throws(TransportError) -> Address {
    guard case .name(let name) = host, !name.utf8.allSatisfy({ $0 < 0x80 }) else { return self }
    guard let converted = unsafe door_ascii_host(name) else { throw .invalidRequest(.host) }
    defer { unsafe curl_free(converted) }
    guard let ascii = try? Address.Host(unsafe String(cString: converted)) else {
      throw .invalidRequest(.host)
    }
    return replacing(host: ascii)
  }
}
