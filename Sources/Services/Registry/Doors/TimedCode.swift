import Crypto
import Secrets

/// Codes that change with time as every authenticator app makes them: RFC 6238 over RFC 4226 with
/// HMAC-SHA-1, six digits, a step of thirty seconds. SHA-1 is what all of them know; as an HMAC it is
/// sound still.
enum TimedCode {
  static let seconds: Int64 = 30
  static let digits = 6
  /// RFC 4226 §4: as long as the hash.
  static let keyLength = 20

  static func step(at milliseconds: Int64) -> Int64 { milliseconds / (seconds * 1000) }

  static func code(_ key: Secret, at step: Int64) -> String {
    let counter = stride(from: 56, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: step >> Int64($0))
    }
    let hash = Digest.sha1.authenticate(counter, key: key)
    // RFC 4226 §5.3: the last four bits say where to read.
    let start = Int(hash[hash.count - 1] & 15)
    let word = hash[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let text = String(word % 1_000_000)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  /// The step that this code is of: now, or one beside it, since clocks differ. The same work whatever
  /// was typed.
  static func step(of code: [UInt8], _ key: Secret, at now: Int64) -> Int64? {
    var found: Int64?
    for step in step(at: now) - 1...step(at: now) + 1
    where constantTimeEqual(code, Array(Self.code(key, at: step).utf8)) { found = step }
    return found
  }
}
