import HTTP

/// Addresses as this service writes them, made fit to follow (§3.4): raw braces and blanks,
/// half-encoded times, and plain `http`.
enum Links {
  /// Encodes what may not stand in an address and leaves every `%XX` as it is.
  static func clean(_ href: String) -> String { upgraded(Address.escaped(href)) }

  /// The service answers on https alone; a stand-in on loopback keeps the scheme it was given.
  private static func upgraded(_ href: String) -> String {
    let host = href.dropFirst(7).prefix { $0 != "/" && $0 != ":" }
    guard href.hasPrefix("http://"), host.hasSuffix(".com") else { return href }
    return "https://" + href.dropFirst(7)
  }

  /// Fills the placeholders that the template has and no others (§9.2); one that we know nothing for
  /// is left empty.
  static func expand(_ template: String, _ values: [String: String]) -> String {
    var out = ""
    var rest = Substring(template)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      out += rest[..<open] + (values[name].map { Address.encoded($0) } ?? "")
      rest = rest[rest.index(after: close)...]
    }
    return clean(out + rest)
  }
}
