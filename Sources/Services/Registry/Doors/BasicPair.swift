import Crypto
package import Secrets

/// Name and word as an app sends them with every request (RFC 7617).
package struct BasicPair: Sendable {
  package let name: Secret
  package let word: Secret

  /// Nil for what is no such field. Apps that do not send UTF-8 send Latin-1, and a PIN with an umlaut
  /// must not shut its reader out.
  package init?(authorization field: String) {
    let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "basic", parts[1].utf8.count <= 4_096,
      var bytes = try? Base64.standard.decode(Self.padded(parts[1])),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    defer { wipe(&bytes) }
    guard !bytes.contains(0) else { return nil }
    name = Self.text(bytes[..<colon])
    word = Self.text(bytes[(colon + 1)...])
  }

  private static func padded(_ text: Substring) -> String {
    let bare = text.filter { !$0.isWhitespace && $0 != "=" }
    return bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> Secret {
    if String(validating: bytes, as: UTF8.self) != nil { return Secret(Array(bytes)) }
    return Secret(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
  }
}
