/// One cookie given to a browser (RFC 6265 §4.1). The defaults are the careful ones, so that a
/// session cookie is right without a thought; leaving them is what has to be written.
package struct SetCookie: Sendable, Hashable, CustomStringConvertible {
  package enum SameSite: String, Sendable {
    case strict = "Strict"
    case lax = "Lax"
    case none = "None"
  }

  package enum Lifetime: Sendable, Hashable {
    case session
    case seconds(Int)
  }

  package let name: String
  package let value: String
  package var path: String
  package var domain: String?
  package var lifetime: Lifetime
  package var isSecure: Bool
  package var isHTTPOnly: Bool
  package var sameSite: SameSite

  /// Nil when name, value, path or domain hold a byte that would end them early.
  package init?(
    _ name: String, _ value: String, path: String = "/", domain: String? = nil,
    lifetime: Lifetime = .session, secure: Bool = true, httpOnly: Bool = true,
    sameSite: SameSite = .lax
  ) {
    guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte),
      value.utf8.allSatisfy(SetCookie.isCookieOctet),
      path.hasPrefix("/"), path.utf8.allSatisfy(SetCookie.isAttributeByte),
      domain?.utf8.allSatisfy(SetCookie.isAttributeByte) ?? true
    else { return nil }
    (self.name, self.value, self.path, self.domain) = (name, value, path, domain)
    (self.lifetime, isSecure, isHTTPOnly, self.sameSite) = (lifetime, secure, httpOnly, sameSite)
  }

  /// Tells the browser to forget it; path and domain have to be those it was given with.
  package static func removing(
    _ name: String, path: String = "/", domain: String? = nil
  ) -> SetCookie? {
    SetCookie(name, "", path: path, domain: domain, lifetime: .seconds(0))
  }

  package var description: String {
    var text = "\(name)=\(value); Path=\(path)"
    if let domain { text += "; Domain=\(domain)" }
    if case .seconds(let seconds) = lifetime { text += "; Max-Age=\(seconds)" }
    // Browsers refuse SameSite=None without Secure, so the one brings the other.
    if isSecure || sameSite == .none { text += "; Secure" }
    if isHTTPOnly { text += "; HttpOnly" }
    return text + "; SameSite=\(sameSite.rawValue)"
  }

  private static func isCookieOctet(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x2C && byte != 0x3B && byte != 0x5C
  }

  private static func isAttributeByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != 0x3B
  }
}
