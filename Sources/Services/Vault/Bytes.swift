import Crypto
import Secrets

/// Facts that a ciphertext is bound to, each with its length in front, so that no two lists of facts
/// give the same bytes.
func boundFacts(_ facts: [[UInt8]]) throws(VaultError) -> [UInt8] {
  var bytes: [UInt8] = []
  for fact in facts {
    guard let length = UInt16(exactly: fact.count) else { throw .nameTooLong }
    bytes.append(bigEndian: length)
    bytes += fact
  }
  return bytes
}

func boundFacts(_ words: [String], _ more: [[UInt8]] = []) throws(VaultError) -> [UInt8] {
  try boundFacts(words.map { Array($0.utf8) } + more)
}

/// Every list begins with it: what is sealed for one purpose opens for no other.
let formatName = "carrel-vault/1"

func keyName(_ number: UInt16) -> String { "k\(number)" }

extension [UInt8] {
  mutating func append(bigEndian number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

/// Reads what was written, in the same order; nil at the end of the bytes.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func number<N: FixedWidthInteger>(_ type: N.Type = N.self) -> N? {
    take(N.bitWidth / 8).map { $0.reduce(0) { $0 << 8 | N(truncatingIfNeeded: $1) } }
  }
}

/// AES-256-GCM in the vault's own terms: a text with its nonce in front, and its own errors.
enum Sealing {
  static let overhead = AESGCM.nonceLength + AESGCM.tagLength

  static func newNonce() throws(VaultError) -> [UInt8] {
    try cryptographic { () throws(CryptoError) in try randomBytes(AESGCM.nonceLength) }
  }

  static func newKey() throws(VaultError) -> Secret {
    try cryptographic { () throws(CryptoError) in try Secret.random(AESGCM.keyLength) }
  }

  static func seal(
    _ plain: [UInt8], key: Secret, nonce: [UInt8], bound: [UInt8]
  ) throws(VaultError) -> [UInt8] {
    try cryptographic { () throws(CryptoError) in
      nonce + (try AESGCM.seal(plain, key: key, nonce: nonce, authenticating: bound))
    }
  }

  /// Nil where the text, the key or the facts are not those that were sealed.
  static func open(_ sealed: [UInt8], key: Secret, bound: [UInt8]) throws(VaultError) -> [UInt8]? {
    let nonce = Array(sealed.prefix(AESGCM.nonceLength))
    do throws(CryptoError) {
      return try AESGCM.open(
        Array(sealed.dropFirst(nonce.count)), key: key, nonce: nonce, authenticating: bound)
    } catch {
      if case .unavailable(let what) = error { throw .unavailable(what) }
      return nil
    }
  }
}

func cryptographic<R>(_ body: () throws(CryptoError) -> R) throws(VaultError) -> R {
  do throws(CryptoError) {
    return try body()
  } catch {
    throw .unavailable(error.description)
  }
}
