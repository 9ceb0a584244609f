/// An address as written in a link or a `Location` field: whole, or relative to another
/// (RFC 3986 §4.1). The parts are checked for their characters, the authority not yet further.
package struct AddressReference: Sendable, Hashable {
  let scheme: String?
  let authority: String?
  let path: String
  let query: String?
  let fragment: String?

  package init(_ text: String) throws(AddressError) {
    guard text.utf8.count <= Address.longest else { throw .tooLong }
    var rest = Substring(text)
    var fragment: Substring?
    var query: Substring?
    var scheme: String?
    var authority: String?
    // RFC 3986 appendix B, one delimiter at a time.
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = rest[rest.utf8.index(after: hash)...]
      rest = rest[..<hash]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[rest.utf8.index(after: mark)...]
      rest = rest[..<mark]
    }
    let firstSegment = rest.utf8.prefix { $0 != UInt8(ascii: "/") }
    if let colon = firstSegment.firstIndex(of: UInt8(ascii: ":")) {
      scheme = try AddressReference.scheme(rest[..<colon])
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: [0x2F, 0x2F]) {
      rest = rest[rest.utf8.index(rest.utf8.startIndex, offsetBy: 2)...]
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.utf8.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    for (part, place) in [(rest, Place.path), (query ?? "", .query), (fragment ?? "", .query)] {
      guard AddressReference.areWellEncoded(part.utf8) else { throw .malformedPercent }
      guard AddressReference.areAllowed(part.utf8, in: place) else { throw .forbiddenCharacter }
    }
    self.scheme = scheme
    self.authority = authority
    self.path = String(rest)
    self.query = query.map { String($0) }
    self.fragment = fragment.map { String($0) }
  }

  private static func scheme(_ text: Substring) throws(AddressError) -> String {
    let isSound = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
      default: false
      }
    }
    guard let first = text.utf8.first, isSound, first > 0x39 else { throw .malformedScheme }
    return text.lowercased()
  }

  /// RFC 3986 §5.2.4. A path that climbs above its root stays at the root.
  static func withoutDotSegments(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    var kept: [Substring.UTF8View] = []
    let segments = path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment.count {
      case 1 where segment.first == UInt8(ascii: "."):
        if isLast { kept.append(Substring().utf8) }
      case 2 where segment.allSatisfy { $0 == UInt8(ascii: ".") }:
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append(Substring().utf8) }
      default: kept.append(segment)
      }
    }
    return "/" + kept.map { String(Substring($0)) }.joined(separator: "/")
  }

  enum Place { case userinfo, path, query }

  /// RFC 3986 §3: unreserved, sub-delimiters and percent, and what the place adds.
  static func areAllowed(_ bytes: some Collection<UInt8>, in place: Place) -> Bool {
    bytes.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      // - . _ ~  ! $ & ' ( ) * + , ; =  % :
      case 0x2D, 0x2E, 0x5F, 0x7E, 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D, 0x25, 0x3A: true
      case UInt8(ascii: "@"), UInt8(ascii: "/"): place != .userinfo
      case UInt8(ascii: "?"): place == .query
      default: false
      }
    }
  }

  private static func areWellEncoded(_ bytes: Substring.UTF8View) -> Bool {
    var rest = bytes
    while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
      rest = rest[rest.index(after: percent)...]
      guard rest.count >= 2, rest.prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
      else { return false }
    }
    return true
  }
}

extension Address {
  /// What a reference means on this page (RFC 3986 §5.2.2). Userinfo is not carried along, and
  /// refused in the reference.
  package func resolving(_ reference: AddressReference) throws(AddressError) -> Address {
    if let scheme = reference.scheme {
      guard let authority = reference.authority else { throw .hostMissing }
      return try Address(
        scheme: scheme, authority: authority, path: reference.path, query: reference.query,
        fragment: reference.fragment, userinfo: .refused)
    }
    if let authority = reference.authority {
      return try Address(
        scheme: scheme, authority: authority, path: reference.path, query: reference.query,
        fragment: reference.fragment, userinfo: .refused)
    }
    let path: String
    if reference.path.isEmpty {
      path = self.path
    } else if reference.path.utf8.first == UInt8(ascii: "/") {
      path = reference.path
    } else {
      let end = self.path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? self.path.utf8.startIndex
      path = "\(self.path[..<end])/\(reference.path)"
    }
    return try Address(
      scheme: scheme, authority: authority, path: path,
      query: reference.path.isEmpty ? reference.query ?? query : reference.query,
      fragment: reference.fragment, userinfo: .refused)
  }

  package func resolving(_ text: String) throws(AddressError) -> Address {
    try resolving(AddressReference(text))
  }

  /// Percent-encodes what people and servers leave bare in paths and queries (blanks, brackets,
  /// letters beyond ASCII, stray percent signs), so that a real-world link can be read strictly.
  /// The authority is left as it is: nothing there may be guessed at. Controls stay, and are
  /// refused later, except for the blanks around the whole.
  package static func escaped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard let start = bytes.firstIndex(where: { !isBlank($0) }),
      let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    let trimmed = Array(bytes[start...end])
    let untouched = authorityEnd(trimmed)
    var out = Array(trimmed[..<untouched])
    var sawHash = false
    for index in untouched..<trimmed.count {
      let byte = trimmed[index]
      if byte == UInt8(ascii: "#"), !sawHash {
        sawHash = true
        out.append(byte)
      } else if byte == UInt8(ascii: "%") {
        out += isTriplet(trimmed, index) ? [byte] : percent(byte)
      } else if byte < 0x20 || byte == 0x7F || AddressReference.areAllowed([byte], in: .query) {
        out.append(byte)
      } else {
        out += percent(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func authorityEnd(_ bytes: [UInt8]) -> Int {
    let slash = UInt8(ascii: "/")
    let firstDelimiter = bytes.firstIndex { [slash, 0x3F, 0x23].contains($0) } ?? 0
    guard bytes[firstDelimiter...].starts(with: [slash, slash]),
      firstDelimiter == 0 || bytes[firstDelimiter - 1] == UInt8(ascii: ":")
    else { return 0 }
    return bytes[(firstDelimiter + 2)...].firstIndex { [slash, 0x3F, 0x23].contains($0) }
      ?? bytes.count
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func isTriplet(_ bytes: [UInt8], _ index: Int) -> Bool {
    index + 2 < bytes.count
      && bytes[index + 1...index + 2].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  static func percent(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
