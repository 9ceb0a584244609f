/// An address with places to fill in (RFC 6570): `{id}`, `{?id,name}`, `{&end}`, and the other signs.
/// What has no value leaves nothing behind.
package struct URITemplate: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Nil where a brace is never closed.
  package func filled(_ values: [String: String]) -> String? {
    // Some encode the braces as well.
    var rest = Substring(
      text.replacing("%7B", with: "{").replacing("%7D", with: "}")
        .replacing("%7b", with: "{").replacing("%7d", with: "}"))
    var out = ""
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { return nil }
      out += rest[..<open]
      out += Self.filled(rest[rest.index(after: open)..<close], values, after: out)
      rest = rest[rest.index(after: close)...]
    }
    return out + rest
  }

  private static func filled(
    _ expression: Substring, _ values: [String: String], after before: String
  ) -> String {
    let sign = expression.first.flatMap { "?&+#/;.".contains($0) ? $0 : nil }
    let names = (sign == nil ? expression : expression.dropFirst()).split(separator: ",").map {
      // How long, and whether a list is taken apart: our values are neither long nor lists.
      String($0.prefix { $0 != "*" && $0 != ":" })
    }
    let given = names.compactMap { name in values[name].map { (name, $0) } }
    guard !given.isEmpty else { return "" }
    switch sign {
    case "?", "&":
      // One that writes a second question mark means an ampersand.
      let joint = sign == "&" || before.contains("?") ? "&" : "?"
      return joint + given.map { "\($0)=\(encode($1))" }.joined(separator: "&")
    case ";": return given.map { ";\($0)=\(encode($1))" }.joined()
    case "+": return given.map { PercentCoding.encode(query: $1) }.joined(separator: ",")
    case "#": return "#" + given.map { encode($1) }.joined(separator: ",")
    case "/": return given.map { "/" + encode($1) }.joined()
    case ".": return given.map { "." + encode($1) }.joined()
    default: return given.map { encode($1) }.joined(separator: ",")
    }
  }

  /// Nothing but what is unreserved stays as it is.
  private static func encode(_ text: String) -> String {
    var out = ""
    for byte in text.utf8 {
      if PercentCoding.isUnreserved(byte) {
        out.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        out += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return out
  }
}
