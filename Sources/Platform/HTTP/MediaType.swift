/// What a body is, and in `Accept` what it may be: `type/subtype; name=value` (RFC 9110 §8.3).
/// Names are kept in small letters, parameter values as written.
package struct MediaType: Sendable, Hashable, CustomStringConvertible {
  package struct Parameter: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      (self.name, self.value) = (name.lowercased(), value)
    }
  }

  package let type: String
  package let subtype: String
  package let parameters: [Parameter]

  package init(_ type: String, _ subtype: String, _ parameters: [Parameter] = []) {
    self.type = type.lowercased()
    self.subtype = subtype.lowercased()
    self.parameters = parameters
  }

  /// Reads one media type; nil when the text is not one from its first to its last byte.
  package init?(parsing text: String) {
    var scanner = FieldScanner(text)
    scanner.skipBlanks()
    guard let parsed = MediaType(from: &scanner, upTo: nil) else { return nil }
    scanner.skipBlanks()
    guard scanner.isAtEnd else { return nil }
    self = parsed
  }

  /// Reads up to the parameter named `stop`, which is left unread behind its name and `=`.
  init?(from scanner: inout FieldScanner, upTo stop: String?) {
    guard let type = scanner.token(), scanner.skip(UInt8(ascii: "/")),
      let subtype = scanner.token()
    else { return nil }
    var parameters: [Parameter] = []
    while true {
      scanner.skipBlanks()
      guard scanner.skip(UInt8(ascii: ";")) else { break }
      scanner.skipBlanks()
      // An empty parameter is allowed to be there: `text/html;` (RFC 9110 §5.6.6).
      guard let name = scanner.token() else { continue }
      guard scanner.skip(UInt8(ascii: "=")) else { return nil }
      if let stop, name.lowercased() == stop { break }
      guard let value = scanner.tokenOrQuoted() else { return nil }
      parameters.append(Parameter(name, value))
    }
    self.init(type, subtype, parameters)
  }

  package subscript(parameter: String) -> String? {
    parameters.first { $0.name == parameter.lowercased() }?.value
  }

  package var essence: String { "\(type)/\(subtype)" }

  package var description: String {
    parameters.reduce(essence) { text, parameter in
      let plain = !parameter.value.isEmpty && parameter.value.utf8.allSatisfy(isTokenByte)
      return "\(text); \(parameter.name)=\(plain ? parameter.value : quoted(parameter.value))"
    }
  }

  /// Text shrinks, pictures and archives are already small.
  package var isCompressible: Bool {
    if type == "text" || subtype.hasSuffix("+xml") || subtype.hasSuffix("+json") { return true }
    return type == "application"
      && ["json", "xml", "javascript", "wasm", "opensearchdescription+xml"].contains(subtype)
  }

  package static let html = MediaType("text", "html", [Parameter("charset", "utf-8")])
  package static let plainText = MediaType("text", "plain", [Parameter("charset", "utf-8")])
  package static let css = MediaType("text", "css", [Parameter("charset", "utf-8")])
  package static let javaScript = MediaType("text", "javascript", [Parameter("charset", "utf-8")])
  package static let json = MediaType("application", "json")
  package static let xml = MediaType("application", "xml")
  package static let problem = MediaType("application", "problem+json")
  package static let form = MediaType("application", "x-www-form-urlencoded")
  package static let bytes = MediaType("application", "octet-stream")
  package static let epub = MediaType("application", "epub+zip")
  package static let svg = MediaType("image", "svg+xml")
  package static let png = MediaType("image", "png")
  package static let jpeg = MediaType("image", "jpeg")
}

/// A quoted string (RFC 9110 §5.6.4); bytes that may not stand in a field are left out.
package func quoted(_ text: String) -> String {
  var out = "\""
  for scalar in text.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
    if scalar == "\"" || scalar == "\\" { out += "\\" }
    out.unicodeScalars.append(scalar)
  }
  return out + "\""
}
