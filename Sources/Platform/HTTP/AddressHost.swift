extension Address {
  /// The host of an address. Only the plain dotted form is read as IPv4: `0x7f.1` and its like
  /// stay names, for whoever guards connections to refuse.
  package enum Host: Sendable, Hashable {
    /// In small letters; not ASCII where the name was written so.
    case name(String)
    case ip(IP)

    /// As in an address: IPv6 in brackets.
    package init(_ text: String) throws(AddressError) {
      if text.utf8.first == UInt8(ascii: "[") {
        guard text.utf8.last == UInt8(ascii: "]"), let ip = IP(String(text.dropFirst().dropLast())),
          !ip.isV4
        else { throw .malformedHost }
        self = .ip(ip)
      } else if let ip = IP(text), ip.isV4 {
        self = .ip(ip)
      } else {
        let name = text.lowercased()
        guard Host.isName(name) else { throw name.isEmpty ? .hostMissing : .malformedHost }
        self = .name(name)
      }
    }

    /// As in an address: IPv6 in brackets.
    package var text: String {
      switch self {
      case .name(let name): name
      case .ip(let ip): ip.isV4 ? ip.description : "[\(ip)]"
      }
    }

    /// Letters, digits, hyphen and underscore between single dots; the last dot may end the name.
    /// Percent and punctuation, which RFC 3986 would let pass, are in no host that exists. What
    /// is not ASCII is judged by the IDNA library before it is resolved.
    private static func isName(_ name: String) -> Bool {
      guard (1...254).contains(name.utf8.count) else { return false }
      var labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
      let isSound = labels.allSatisfy { label in
        (1...63).contains(label.count)
          && label.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7A, 0x2D, 0x5F, 0x80...: true
            default: false
            }
          }
      }
      return isSound
        && name.unicodeScalars.allSatisfy { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
            .privateUse, .unassigned:
            false
          default: true
          }
        }
    }
  }
}

/// What stands between `//` and the path.
struct AddressAuthority {
  let userinfo: String?
  let host: Address.Host
  let port: Int?

  init(_ text: String) throws(AddressError) {
    // Delimiters are looked for as bytes: as characters, a combining mark behind one would hide it.
    var rest = Substring(text)
    if let sign = rest.utf8.firstIndex(of: UInt8(ascii: "@")) {
      let userinfo = rest[..<sign]
      guard AddressReference.areAllowed(userinfo.utf8, in: .userinfo) else {
        throw .forbiddenCharacter
      }
      self.userinfo = String(userinfo)
      rest = rest[rest.utf8.index(after: sign)...]
    } else {
      userinfo = nil
    }
    if rest.utf8.first == UInt8(ascii: "["), !rest.utf8.contains(UInt8(ascii: "]")) {
      throw .malformedHost
    }
    let afterBracket = rest.utf8.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
    if let colon = rest[afterBracket...].utf8.firstIndex(of: UInt8(ascii: ":")) {
      port = try AddressAuthority.port(rest[rest.utf8.index(after: colon)...])
      rest = rest[..<colon]
    } else {
      port = nil
    }
    guard !rest.isEmpty else { throw .hostMissing }
    host = try Address.Host(String(rest))
  }

  /// No digits at all mean the scheme's own port (RFC 3986 §3.2.3).
  private static func port(_ digits: Substring) throws(AddressError) -> Int? {
    if digits.isEmpty { return nil }
    guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits), (1...65_535).contains(port)
    else { throw .malformedPort }
    return port
  }
}
