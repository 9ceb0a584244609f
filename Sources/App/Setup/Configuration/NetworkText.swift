/// Whether a text looks like what it is meant to be. Names are not resolved here: a configuration
/// is checked on machines without a network, too.
enum NetworkText {
  static func isAddress(_ text: String) -> Bool { isIPv4(text) || isIPv6(text) }

  static func isRange(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let address = String(parts[0])
    guard isAddress(address), parts.count <= 2 else { return false }
    guard parts.count == 2 else { return true }
    return number(parts[1], atMost: isIPv4(address) ? 32 : 128) != nil
  }

  static func isHost(_ text: String) -> Bool {
    if isAddress(text) { return true }
    // All digits and dots, yet no address: a slip, or one of the old octal spellings.
    guard text.contains(where: \.isLetter), text.utf8.count <= 253 else { return false }
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      let isPlain = label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      return (1...63).contains(label.count) && isPlain && label.first != "-" && label.last != "-"
    }
  }

  /// Scheme, host, perhaps a port and a path; no user, no question, no fragment.
  static func isWebAddress(_ text: String, schemes: [String]) -> Bool {
    guard let scheme = schemes.first(where: { text.hasPrefix($0 + "://") }) else { return false }
    let rest = text.dropFirst(scheme.count + 3)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    let isPlain = text.unicodeScalars.allSatisfy { (0x21...0x7e).contains($0.value) }
    guard isPlain, !path.contains(where: { $0 == "?" || $0 == "#" }) else { return false }
    return isAuthority(authority)
  }

  /// A host, perhaps with a port; IPv6 in brackets.
  static func isAuthority(_ authority: Substring) -> Bool {
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else { return false }
      let host = authority[authority.index(after: authority.startIndex)..<close]
      let after = authority[authority.index(after: close)...]
      return isIPv6(String(host)) && (after.isEmpty || isPort(after))
    }
    let host = authority.prefix { $0 != ":" }
    let port = authority.dropFirst(host.count)
    return isHost(String(host)) && (port.isEmpty || isPort(port))
  }

  private static func isPort(_ text: Substring) -> Bool {
    guard text.first == ":", let port = number(text.dropFirst(), atMost: 65535) else {
      return false
    }
    return port > 0
  }

  private static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // A leading zero means octal to some programs: refused, as it has opened doors before.
    return parts.count == 4
      && parts.allSatisfy { part in
        number(part, atMost: 255) != nil && (part.count == 1 || part.first != "0")
      }
  }

  /// RFC 4291 §2.2, without zones.
  private static func isIPv6(_ text: String) -> Bool {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    guard text.contains(":"), halves.count <= 2 else { return false }
    var count = 0
    for (place, half) in halves.enumerated() where !half.isEmpty {
      let groups = half.split(separator: ":", omittingEmptySubsequences: false)
      for (index, group) in groups.enumerated() {
        let isLast = place == halves.count - 1 && index == groups.count - 1
        if isLast, isIPv4(String(group)) {
          count += 2
        } else if (1...4).contains(group.count), group.allSatisfy({ $0.isASCII && $0.isHexDigit }) {
          count += 1
        } else {
          return false
        }
      }
    }
    return halves.count == 2 ? count <= 7 : count == 8
  }

  private static func number(_ text: some StringProtocol, atMost limit: Int) -> Int? {
    guard (1...5).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }),
      let value = Int(text), value <= limit
    else { return nil }
    return value
  }
}
