import COpenSSL
package import Secrets

extension ES256.PrivateKey {
  /// What both sides can reckon and nobody else (ECDH, NIST SP 800-56A): 32 bytes, zeros in front kept.
  /// It is no key by itself; one is derived from it.
  package func agreed(with other: ES256.PublicKey) throws(CryptoError) -> Secret {
    guard let context = unsafe EVP_PKEY_CTX_new(handle, nil) else { throw .unavailable("ECDH") }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var out = [UInt8](repeating: 0, count: 32)
    defer { wipe(&out) }
    var length = out.count
    // The point was found on the curve when its key was made; it is looked at again here.
    let done = unsafe out.withUnsafeMutableBufferPointer { out in
      unsafe EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_derive_set_peer(context, other.handle) == 1
        && EVP_PKEY_derive(context, out.baseAddress, &length) == 1
    }
    guard done, length == out.count else {
      ERR_clear_error()
      throw .unavailable("ECDH")
    }
    return Secret(out)
  }
}
