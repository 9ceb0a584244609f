import COpenSSL
package import Secrets

/// ECDSA over P-256 with SHA-256, as tokens and Web Push want it. Signatures are the two numbers
/// side by side, 64 bytes (RFC 7518 §3.4); OpenSSL's DER is turned at the border.
package enum ES256 {
  @safe package final class PublicKey: Sendable {
    // Never changed after init; OpenSSL's reads of a key are safe from several threads.
    nonisolated(unsafe) let handle: OpaquePointer

    fileprivate init(owning handle: OpaquePointer) { unsafe self.handle = handle }

    /// The point uncompressed: 4, x, y; 65 bytes.
    package convenience init(point: [UInt8]) throws(CryptoError) {
      unsafe self.init(owning: try keyFromNumbers(point: point, secret: nil))
    }

    package convenience init(pem: String) throws(CryptoError) {
      let key = unsafe withPEM(pem) { unsafe PEM_read_bio_PUBKEY($0, nil, nil, nil) }
      unsafe self.init(owning: try checkedP256(key))
    }

    deinit { unsafe EVP_PKEY_free(handle) }

    /// The two members `x` and `y` of a JWK (RFC 7518 §6.2.1), in base64url.
    package convenience init(x: String, y: String) throws(CryptoError) {
      let (left, right) = (try Base64.urlSafe.decode(x), try Base64.urlSafe.decode(y))
      guard left.count == 32, right.count == 32 else { throw .wrongLength("the coordinate") }
      try self.init(point: [4] + left + right)
    }

    package var coordinates: (x: String, y: String) {
      let point = point
      return (
        Base64.urlSafe.encode(Array(point[1..<33])), Base64.urlSafe.encode(Array(point[33...]))
      )
    }

    /// SubjectPublicKeyInfo, as others want to be given it.
    package func pem() throws(CryptoError) -> String {
      guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .unavailable("memory") }
      defer { unsafe BIO_free(bio) }
      guard unsafe PEM_write_bio_PUBKEY(bio, handle) == 1 else { throw .unavailable("PEM") }
      var start: UnsafeMutablePointer<CChar>?
      let count = unsafe carrel_bio_contents(bio, &start)
      guard let start = unsafe start, count > 0 else { throw .unavailable("PEM") }
      return unsafe String(
        decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package var point: [UInt8] {
      var out = [UInt8](repeating: 0, count: 65)
      var length = 0
      unsafe out.withUnsafeMutableBytes {
        _ = unsafe EVP_PKEY_get_octet_string_param(
          handle, OSSL_PKEY_PARAM_PUB_KEY, $0.baseAddress?.assumingMemoryBound(to: UInt8.self),
          $0.count, &length)
      }
      return Array(out.prefix(length))
    }

    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
      guard let der = derSignature(signature) else { return false }
      return isValid(der: der, for: message)
    }

    /// The same for a signature as certificates and licences carry it, ASN.1 around both numbers.
    package func isValid(der: [UInt8], for message: [UInt8]) -> Bool {
      guard let context = unsafe EVP_MD_CTX_new() else { return false }
      defer { unsafe EVP_MD_CTX_free(context) }
      let found = unsafe der.withUnsafeBufferPointer { der in
        unsafe message.withUnsafeBufferPointer { message in
          unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle) == 1
            && EVP_DigestVerify(
              context, der.baseAddress, der.count, message.baseAddress, message.count) == 1
        }
      }
      ERR_clear_error()
      return found
    }
  }

  @safe package final class PrivateKey: Sendable, CustomStringConvertible {
    // As in the public key: never changed after init.
    nonisolated(unsafe) let handle: OpaquePointer

    private init(owning handle: OpaquePointer) { unsafe self.handle = handle }

    /// A new key.
    package convenience init() throws(CryptoError) {
      guard let handle = unsafe carrel_new_p256() else { throw .unavailable("P-256") }
      unsafe self.init(owning: handle)
    }

    /// The secret number, 32 bytes, and the point that belongs to it.
    package convenience init(secret: Secret, point: [UInt8]) throws(CryptoError) {
      unsafe self.init(owning: try keyFromNumbers(point: point, secret: secret))
    }

    /// PKCS#8 or the older EC form, not encrypted.
    package convenience init(pem: String) throws(CryptoError) {
      let key = unsafe withPEM(pem) {
        // Without this callback OpenSSL would ask for a passphrase on the terminal.
        unsafe PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil)
      }
      unsafe self.init(owning: try checkedP256(key))
    }

    deinit { unsafe EVP_PKEY_free(handle) }

    package var description: String { "•••" }

    package func publicKey() throws(CryptoError) -> PublicKey {
      guard unsafe EVP_PKEY_up_ref(handle) == 1 else { throw .unavailable("P-256") }
      return unsafe PublicKey(owning: handle)
    }

    /// PKCS#8, for a file that only its owner reads.
    package func pem() throws(CryptoError) -> Secret {
      guard let bio = unsafe BIO_new(BIO_s_secmem()) else { throw .unavailable("memory") }
      defer { unsafe BIO_free(bio) }
      guard unsafe PEM_write_bio_PKCS8PrivateKey(bio, handle, nil, nil, 0, nil, nil) == 1 else {
        throw .unavailable("PEM")
      }
      var start: UnsafeMutablePointer<CChar>?
      let count = unsafe carrel_bio_contents(bio, &start)
      guard let start = unsafe start, count > 0 else { throw .unavailable("PEM") }
      var bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
      defer { wipe(&bytes) }
      return Secret(bytes)
    }

    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
      guard let raw = rawSignature(try signDER(message)) else { throw .unavailable("ECDSA") }
      return raw
    }

    package func signDER(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
      guard let context = unsafe EVP_MD_CTX_new() else { throw .unavailable("ECDSA") }
      defer { unsafe EVP_MD_CTX_free(context) }
      var der = [UInt8](repeating: 0, count: 80)
      var length = der.count
      let done = unsafe der.withUnsafeMutableBufferPointer { der in
        unsafe message.withUnsafeBufferPointer { message in
          unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1
            && EVP_DigestSign(
              context, der.baseAddress, &length, message.baseAddress, message.count) == 1
        }
      }
      guard done else { throw .unavailable("ECDSA") }
      return Array(der.prefix(length))
    }
  }
}

private func withPEM(_ pem: String, _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
  let bytes = Array(pem.utf8)
  return unsafe bytes.withUnsafeBytes { bytes in
    guard bytes.count < 65_536,
      let bio = unsafe carrel_memory_bio(bytes.baseAddress, Int32(bytes.count))
    else { return nil }
    defer { unsafe BIO_free(bio) }
    return unsafe read(bio)
  }
}

/// Takes the key over, or frees it and refuses: a key of another kind must not slip in.
private func checkedP256(_ key: OpaquePointer?) throws(CryptoError) -> OpaquePointer {
  guard let key = unsafe key else {
    ERR_clear_error()
    throw .badEncoding("PEM key")
  }
  var name = [CChar](repeating: 0, count: 32)
  var length = 0
  let isEC =
    unsafe EVP_PKEY_get_utf8_string_param(
      key, OSSL_PKEY_PARAM_GROUP_NAME, &name, name.count, &length) == 1
  let curve = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  guard isEC, curve == "prime256v1" || curve == "P-256" else {
    unsafe EVP_PKEY_free(key)
    ERR_clear_error()
    throw .badEncoding("P-256 key")
  }
  return unsafe key
}

private func keyFromNumbers(point: [UInt8], secret: Secret?) throws(CryptoError)
  -> OpaquePointer
{
  guard point.count == 65, point[0] == 4 else { throw .badEncoding("P-256 point") }
  if let secret, secret.count != 32 { throw .wrongLength("the secret number") }
  let number = unsafe secret?.reveal { bytes in
    unsafe bytes.withUnsafeBytes {
      unsafe BN_bin2bn($0.baseAddress?.assumingMemoryBound(to: UInt8.self), 32, nil)
    }
  }
  defer { unsafe BN_clear_free(number ?? nil) }

  let key = unsafe point.withUnsafeBytes {
    unsafe carrel_p256($0.baseAddress, $0.count, number ?? nil)
  }
  guard let key = unsafe key else {
    ERR_clear_error()
    throw .badEncoding("P-256 point")
  }
  // A secret number that does not make this point is somebody's mistake, or somebody's attack.
  if secret != nil {
    let check = unsafe EVP_PKEY_CTX_new(key, nil)
    defer { unsafe EVP_PKEY_CTX_free(check) }
    guard unsafe EVP_PKEY_pairwise_check(check) == 1 else {
      unsafe EVP_PKEY_free(key)
      ERR_clear_error()
      throw .badEncoding("pair of keys")
    }
  }
  return unsafe key
}

private func derSignature(_ raw: [UInt8]) -> [UInt8]? {
  guard raw.count == 64 else { return nil }
  func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var trimmed = Array(bytes.drop { $0 == 0 })
    if trimmed.isEmpty || trimmed[0] & 0x80 != 0 { trimmed.insert(0, at: 0) }
    return [0x02, UInt8(trimmed.count)] + trimmed
  }
  let body = integer(raw[..<32]) + integer(raw[32...])
  return [0x30, UInt8(body.count)] + body
}

private func rawSignature(_ der: [UInt8]) -> [UInt8]? {
  // OpenSSL wrote this a moment ago: two short integers in a short sequence.
  guard der.count > 8, der[0] == 0x30 else { return nil }
  var at = 2
  var out: [UInt8] = []
  for _ in 0..<2 {
    guard at + 2 <= der.count, der[at] == 0x02 else { return nil }
    let end = at + 2 + Int(der[at + 1])
    guard end <= der.count else { return nil }
    let number = der[(at + 2)..<end].drop { $0 == 0 }
    guard number.count <= 32 else { return nil }
    out += [UInt8](repeating: 0, count: 32 - number.count) + number
    at = end
  }
  return out
}
