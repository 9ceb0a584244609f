import Markup

/// Where an address in a book leads. Inside the container its root is what `/` is on a site:
/// nothing leads out of it.
package struct Reference: Sendable, Hashable {
  package enum Place: Sendable, Hashable {
    /// The name of an entry.
    case inside(String)
    /// Over http or https: asked for only when the reader says so.
    case remote(String)
    /// The bytes are in the address.
    case data
    /// `file:` and all else a book has no business with.
    case blocked(String)
  }

  package let place: Place
  package let fragment: String?
  /// Whether it tried to leave the container.
  package let escapes: Bool

  package var path: String? {
    if case .inside(let path) = place { path } else { nil }
  }

  /// An address as written in the entry `base`.
  package init(_ written: String, from base: String) {
    if let plain = PlainReference(written, from: base) {
      self.init(.inside(plain.path), plain.fragment)
    } else {
      self.init(carefully: written, from: base)
    }
  }

  private init(_ place: Place, _ fragment: String?) {
    (self.place, self.fragment, escapes) = (place, fragment, false)
  }

  /// What takes any address.
  init(carefully written: String, from base: String) {
    let address = Address(written)
    if let place = address.flatMap(Self.outside) {
      (self.place, fragment, escapes) = (place, nil, false)
      return
    }
    let raw = address?.text ?? written.cleaned()
    let parts = raw.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    fragment = parts.count > 1 ? Self.decoded(parts[1]) : nil
    let path = (parts.first ?? "").prefix { $0 != "?" }
    guard !path.isEmpty else {
      (place, escapes) = (.inside(base), false)
      return
    }
    let (joined, escapes) = Self.joined(Self.decoded(path), to: base)
    (place, self.escapes) = (.inside(joined), escapes)
  }

  private static func outside(_ address: Address) -> Place? {
    if address.text.hasPrefix("//") { return .remote("https:" + address.text) }
    switch address.scheme {
    case nil: return nil
    case "http", "https": return .remote(address.text)
    case "data": return .data
    case let scheme?: return .blocked(scheme)
    }
  }

  static func joined(_ path: String, to base: String) -> (path: String, escapes: Bool) {
    var segments: [Substring] = []
    var escapes = false
    if path.utf8.first != UInt8(ascii: "/") {
      segments = base.split(separator: "/", omittingEmptySubsequences: true).dropLast()
      if base.utf8.last == UInt8(ascii: "/") { segments = base.split(separator: "/") }
    }
    for segment in path.split(separator: "/", omittingEmptySubsequences: true) {
      switch segment {
      case ".": continue
      case "..": if segments.popLast() == nil { escapes = true }
      default: segments.append(segment)
      }
    }
    return (segments.joined(separator: "/"), escapes)
  }

  /// Percent signs undone once; those that begin no escape stay.
  static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
        let high = digit(bytes[at + 1]), let low = digit(bytes[at + 2])
      {
        out.append(high << 4 | low)
        at += 3
      } else {
        out.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
