import Crypto
package import Secrets

/// Where a record belongs. A sealed text opens under the name it was sealed as, and no other.
package struct RecordName: Sendable, Hashable {
  package let owner: String
  package let provider: String
  package let field: String

  package init(owner: String, provider: String, field: String) {
    (self.owner, self.provider, self.field) = (owner, provider, field)
  }
}

/// One secret as it is stored:
///
///     1 byte   format, 1
///     1 byte   algorithm, 1 for AES-256-GCM
///     2 bytes  number of the data key
///     12 bytes nonce
///     n bytes  ciphertext
///     16 bytes tag
///
/// The text is padded to a multiple of 64 bytes, so that a PIN of four digits looks like one of eight.
/// Putting back an old row together with its old version number cannot be found here: for that one
/// would need a counter that the thief cannot put back too.
enum SealedRecord {
  static let headLength = 4
  static let block = 64

  static func seal(
    _ secret: Secret, as name: RecordName, version: Int64, key: Secret, number: UInt16,
    nonce: [UInt8]
  ) throws(VaultError) -> [UInt8] {
    var plain = try padded(secret)
    defer { wipe(&plain) }
    var head: [UInt8] = [1, 1]
    head.append(bigEndian: number)
    let bound = try facts(name, version, number)
    return head + (try Sealing.seal(plain, key: key, nonce: nonce, bound: bound))
  }

  static func open(
    _ blob: [UInt8], as name: RecordName, version: Int64, key: Secret
  ) throws(VaultError) -> Secret {
    let number = try keyNumber(of: blob)
    let bound = try facts(name, version, number)
    let sealed = Array(blob.dropFirst(headLength))
    guard var plain = try Sealing.open(sealed, key: key, bound: bound) else {
      throw .damaged(.record)
    }
    defer { wipe(&plain) }
    var reader = ByteReader(plain)
    guard let length = reader.number(UInt16.self), var text = reader.take(Int(length)) else {
      throw .damaged(.record)
    }
    defer { wipe(&text) }
    return Secret(text)
  }

  static func keyNumber(of blob: [UInt8]) throws(VaultError) -> UInt16 {
    guard blob.count >= headLength + Sealing.overhead else { throw .damaged(.record) }
    guard blob[0] == 1, blob[1] == 1 else { throw .otherFormat(.record) }
    return UInt16(blob[2]) << 8 | UInt16(blob[3])
  }

  private static func padded(_ secret: Secret) throws(VaultError) -> [UInt8] {
    guard let length = UInt16(exactly: secret.count) else { throw .secretTooLong }
    let size = (2 + secret.count + block - 1) / block * block
    var plain: [UInt8] = []
    // All the room at once: growing would leave copies behind that nobody wipes.
    plain.reserveCapacity(size)
    plain.append(bigEndian: length)
    secret.revealBytes { plain += $0 }
    plain += [UInt8](repeating: 0, count: size - plain.count)
    return plain
  }

  private static func facts(
    _ name: RecordName, _ version: Int64, _ number: UInt16
  ) throws(VaultError) -> [UInt8] {
    var counted: [UInt8] = []
    counted.append(bigEndian: version)
    return try boundFacts(
      [formatName, "rec", keyName(number), name.owner, name.provider, name.field], [counted])
  }
}
