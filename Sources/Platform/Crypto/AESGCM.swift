import COpenSSL
package import Secrets

/// AES in Galois/Counter Mode (NIST SP 800-38D): with a key of 32 bytes what the vault seals with,
/// with one of 16 what Web Push prescribes. A nonce must never serve twice under one key.
package enum AESGCM {
  package static let keyLength = 32
  package static let nonceLength = 12
  package static let tagLength = 16

  /// Ciphertext with the tag behind it.
  package static func seal(
    _ plain: [UInt8], key: Secret, nonce: [UInt8], authenticating bound: [UInt8] = []
  ) throws(CryptoError) -> [UInt8] {
    let cipher = try CipherContext(key: key, nonce: nonce, encrypting: true)
    try cipher.bind(bound)
    var out = try cipher.process(plain)
    guard unsafe EVP_EncryptFinal_ex(cipher.handle, nil, &cipher.rest) == 1 else {
      throw .unavailable("AES-GCM")
    }
    var tag = [UInt8](repeating: 0, count: tagLength)
    let got = unsafe tag.withUnsafeMutableBytes {
      unsafe carrel_gcm_get_tag(cipher.handle, Int32(tagLength), $0.baseAddress)
    }
    guard got == 1 else { throw .unavailable("AES-GCM") }
    out += tag
    return out
  }

  /// Nothing is released before the tag has been found right.
  package static func open(
    _ sealed: [UInt8], key: Secret, nonce: [UInt8], authenticating bound: [UInt8] = []
  ) throws(CryptoError) -> [UInt8] {
    guard sealed.count >= tagLength else { throw .wrongLength("the sealed text") }
    let cipher = try CipherContext(key: key, nonce: nonce, encrypting: false)
    try cipher.bind(bound)
    var tag = Array(sealed.suffix(tagLength))
    let set = unsafe tag.withUnsafeMutableBytes {
      unsafe carrel_gcm_set_tag(cipher.handle, Int32(tagLength), $0.baseAddress)
    }
    guard set == 1 else { throw .unavailable("AES-GCM") }
    var plain = try cipher.process(Array(sealed.dropLast(tagLength)))
    guard unsafe EVP_DecryptFinal_ex(cipher.handle, nil, &cipher.rest) == 1 else {
      wipe(&plain)
      ERR_clear_error()
      throw .notAuthentic
    }
    return plain
  }
}

/// One run of the cipher.
@safe private final class CipherContext {
  let handle: OpaquePointer
  var rest: Int32 = 0
  private let encrypting: Bool

  init(key: Secret, nonce: [UInt8], encrypting: Bool) throws(CryptoError) {
    guard key.count == AESGCM.keyLength || key.count == 16 else { throw .wrongLength("the key") }
    guard (8...128).contains(nonce.count) else { throw .wrongLength("the nonce") }
    guard let handle = unsafe EVP_CIPHER_CTX_new() else { throw .unavailable("AES-GCM") }
    unsafe self.handle = handle
    self.encrypting = encrypting
    let direction: Int32 = encrypting ? 1 : 0
    let ready = key.reveal { key in
      unsafe key.withUnsafeBytes { key in
        unsafe nonce.withUnsafeBytes { nonce in
          unsafe EVP_CipherInit_ex(
            handle, key.count == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm(), nil, nil, nil,
            direction) == 1
            && carrel_gcm_set_nonce_length(handle, Int32(nonce.count)) == 1
            && EVP_CipherInit_ex(
              handle, nil, nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self),
              nonce.baseAddress?.assumingMemoryBound(to: UInt8.self), direction) == 1
        }
      }
    }
    guard ready else { throw .unavailable("AES-GCM") }
  }

  deinit { unsafe EVP_CIPHER_CTX_free(handle) }

  func bind(_ bytes: [UInt8]) throws(CryptoError) {
    guard !bytes.isEmpty else { return }
    var length: Int32 = 0
    let bound = unsafe bytes.withUnsafeBytes {
      unsafe EVP_CipherUpdate(
        handle, nil, &length, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count))
    }
    guard bound == 1 else { throw .unavailable("AES-GCM") }
  }

  func process(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    guard bytes.count < Int(Int32.max) else { throw .wrongLength("the text") }
    var out = [UInt8](repeating: 0, count: bytes.count)
    var length: Int32 = 0
    let done = unsafe out.withUnsafeMutableBytes { out in
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe EVP_CipherUpdate(
          handle, out.baseAddress?.assumingMemoryBound(to: UInt8.self), &length,
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count))
      }
    }
    guard done == 1, Int(length) == bytes.count else { throw .unavailable("AES-GCM") }
    return out
  }
}
