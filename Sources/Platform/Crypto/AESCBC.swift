import COpenSSL
package import Secrets

/// AES in Cipher Block Chaining (NIST SP 800-38A), for formats that prescribe it. It authenticates
/// nothing: what is decrypted must be checked by other means.
package enum AESCBC {
  package enum Padding: Sendable, Hashable {
    case none
    case pkcs7
    /// Only the last byte is looked at, as the XML encryption padding has it and as licences in
    /// circulation need: what stands before it may be anything.
    case lastByteOnly
  }

  /// The key's length, 16 or 32 bytes, chooses between AES-128 and AES-256.
  package static func encrypt(
    _ plain: [UInt8], key: Secret, vector: [UInt8], padding: Padding = .pkcs7
  ) throws(CryptoError) -> [UInt8] {
    var padded = plain
    if padding != .none {
      let count = 16 - plain.count % 16
      padded += [UInt8](repeating: UInt8(count), count: count)
    }
    return try run(padded, key, vector, encrypting: true)
  }

  package static func decrypt(
    _ sealed: [UInt8], key: Secret, vector: [UInt8], padding: Padding = .pkcs7
  ) throws(CryptoError) -> [UInt8] {
    var plain = try run(sealed, key, vector, encrypting: false)
    guard padding != .none else { return plain }
    guard let last = plain.last, (1...16).contains(last), Int(last) <= plain.count else {
      throw .badPadding
    }
    if padding == .pkcs7 {
      guard plain.suffix(Int(last)).allSatisfy({ $0 == last }) else { throw .badPadding }
    }
    plain.removeLast(Int(last))
    return plain
  }

  private static func run(
    _ bytes: [UInt8], _ key: Secret, _ vector: [UInt8], encrypting: Bool
  ) throws(CryptoError) -> [UInt8] {
    guard key.count == 16 || key.count == 32 else { throw .wrongLength("the key") }
    guard vector.count == 16 else { throw .wrongLength("the initialisation vector") }
    guard bytes.count.isMultiple(of: 16), bytes.count < Int(Int32.max) - 16 else {
      throw .wrongLength("the text")
    }
    guard !bytes.isEmpty else { return [] }
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .unavailable("AES-CBC") }
    defer { unsafe EVP_CIPHER_CTX_free(context) }

    var out = [UInt8](repeating: 0, count: bytes.count + 16)
    var length: Int32 = 0
    let done = key.reveal { key in
      unsafe key.withUnsafeBytes { key in
        unsafe vector.withUnsafeBytes { vector in
          unsafe bytes.withUnsafeBytes { bytes in
            unsafe out.withUnsafeMutableBytes { out in
              unsafe EVP_CipherInit_ex(
                context, key.count == 16 ? EVP_aes_128_cbc() : EVP_aes_256_cbc(), nil,
                key.baseAddress?.assumingMemoryBound(to: UInt8.self),
                vector.baseAddress?.assumingMemoryBound(to: UInt8.self), encrypting ? 1 : 0) == 1
                // The padding is ours to add and to judge.
                && EVP_CIPHER_CTX_set_padding(context, 0) == 1
                && EVP_CipherUpdate(
                  context, out.baseAddress?.assumingMemoryBound(to: UInt8.self), &length,
                  bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count)) == 1
            }
          }
        }
      }
    }
    guard done, Int(length) == bytes.count else { throw .unavailable("AES-CBC") }
    out.removeLast(out.count - bytes.count)
    return out
  }
}
