/// The cookies a browser sent (RFC 6265 §5.4), first of a name first: a browser puts the one with
/// the longest path in front.
package struct Cookies: Sendable, Hashable {
  package struct Cookie: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  package let all: [Cookie]

  /// `fields` are the values of every `Cookie` field. Pairs without a name or sign are dropped.
  package init(_ fields: [String]) {
    var all: [Cookie] = []
    for pair in fields.flatMap({ $0.utf8.split(separator: UInt8(ascii: ";")) }) {
      guard all.count < 256, let cut = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = Cookies.trimmed(pair[..<cut])
      var value = Cookies.trimmed(pair[pair.index(after: cut)...])
      guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else { continue }
      if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
        value = String(value.dropFirst().dropLast())
      }
      all.append(Cookie(name: name, value: value))
    }
    self.all = all
  }

  package init(_ headers: Headers) { self.init(headers.all("Cookie")) }

  package subscript(name: String) -> String? { all.first { $0.name == name }?.value }

  private static func trimmed(_ text: Substring.UTF8View) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text = text.dropLast() }
    return String(Substring(text))
  }
}
