import Foundation

/// Looks for secrets in whatever a gateway leaves behind, in each way they may be written.
struct Search: Sendable {
  private let marks: [(secret: String, bytes: Data)]

  init(_ secrets: [String]) {
    marks = secrets.flatMap { secret in Self.spellings(secret).map { (secret, Data($0)) } }
  }

  /// Plain, hexadecimal, percent coded, as JSON escapes, and base64 from each of three places.
  private static func spellings(_ secret: String) -> [[UInt8]] {
    let bytes = Array(secret.utf8)
    let hex = bytes.map { byte in Self.hex(byte) }
    var found = [
      bytes, Array(hex.joined().utf8), Array(hex.joined().uppercased().utf8),
      Array(hex.map { "%\($0)" }.joined().utf8), Array(hex.map { "\\u00\($0)" }.joined().utf8),
    ]
    for shift in 0..<3 {
      var padded = [UInt8](repeating: 0, count: shift) + bytes
      padded.removeLast(padded.count % 3)
      // The first group is told by what stood before.
      found.append(Array(base64(padded).dropFirst(shift == 0 ? 0 : 4)))
    }
    return found.filter { $0.count >= 8 }
  }

  private static func hex(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return text.count == 1 ? "0" + text : text
  }

  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 3).flatMap { start -> [UInt8] in
      let word = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
      return [18, 12, 6, 0].map { letters[word >> $0 & 63] }
    }
  }

  /// The first secret that is in there.
  func find(in bytes: Data) -> String? {
    marks.first { bytes.range(of: $0.bytes) != nil }?.secret
  }
}
