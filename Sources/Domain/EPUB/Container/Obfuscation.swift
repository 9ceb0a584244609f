import Crypto

/// How the first bytes of a font are veiled, so that it cannot be taken out with a plain unzip.
/// It is no copy protection: the key stands in the book.
package enum Obfuscation: String, Sendable, Hashable {
  case idpf = "http://www.idpf.org/2008/embedding"
  case adobe = "http://ns.adobe.com/pdf/enc#RC"

  /// How many bytes are veiled.
  package var reach: Int {
    switch self {
    case .idpf: 1040
    case .adobe: 1024
    }
  }

  /// Nil where no key can be made of these identifiers. Adobe's is a UUID, whichever identifier of
  /// the book that is.
  package func key(unique: String?, identifiers: [String]) -> [UInt8]? {
    switch self {
    case .idpf:
      guard let unique else { return nil }
      let text = unique.utf8.filter { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }
      return Digest.sha1.hash(Array(text))
    case .adobe:
      return ([unique].compactMap(\.self) + identifiers).lazy.compactMap(Self.uuid).first
    }
  }

  /// Undoes it for a part of a resource that begins `offset` bytes into it.
  package func clear(_ bytes: [UInt8], from offset: Int = 0, key: [UInt8]) -> [UInt8] {
    guard !key.isEmpty, offset < reach else { return bytes }
    var bytes = bytes
    for place in 0..<min(bytes.count, reach - offset) {
      bytes[place] ^= key[(offset + place) % key.count]
    }
    return bytes
  }

  /// Whether the bytes begin as fonts do.
  package static func looksLikeFont(_ bytes: [UInt8]) -> Bool {
    let starts: [[UInt8]] = [
      [0, 1, 0, 0], Array("OTTO".utf8), Array("wOFF".utf8), Array("wOF2".utf8),
      Array("true".utf8), Array("ttcf".utf8),
    ]
    return starts.contains { bytes.starts(with: $0) }
  }

  private static func uuid(_ identifier: String) -> [UInt8]? {
    var text = identifier.lowercased()
    if text.hasPrefix("urn:uuid:") { text.removeFirst(9) }
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    guard digits.count == 32 else { return nil }
    var key: [UInt8] = []
    for place in stride(from: 0, to: 32, by: 2) {
      guard let high = Reference.digit(digits[place]), let low = Reference.digit(digits[place + 1])
      else { return nil }
      key.append(high << 4 | low)
    }
    return key
  }
}
