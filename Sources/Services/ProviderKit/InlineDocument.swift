import Crypto

/// A document that a service gives in answer to a command, so that no address leads to it: it stands
/// in the address itself (RFC 2397).
package enum InlineDocument {
  package static func address(of bytes: [UInt8], _ type: String) -> String {
    "data:\(type);base64,\(Base64.standard.encode(bytes))"
  }

  /// Nil for an address of another kind.
  package static func bytes(of address: String) -> [UInt8]? {
    guard address.hasPrefix("data:"), let comma = address.firstIndex(of: ","),
      address[..<comma].hasSuffix(";base64")
    else { return nil }
    return try? Base64.standard.decode(String(address[address.index(after: comma)...]))
  }
}
