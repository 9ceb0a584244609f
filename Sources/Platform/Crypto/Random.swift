import COpenSSL
package import Secrets

/// Random bytes fit for keys and nonces.
package func randomBytes(_ count: Int) throws(CryptoError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  let made = unsafe bytes.withUnsafeMutableBytes {
    unsafe RAND_bytes($0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count))
  }
  guard made == 1 || count == 0 else { throw .unavailable("randomness") }
  return bytes
}

extension Secret {
  /// A new key of that length.
  package static func random(_ count: Int) throws(CryptoError) -> Secret {
    var bytes = try randomBytes(count)
    defer { wipe(&bytes) }
    return Secret(bytes)
  }
}

/// The library that does the work, for `version`.
package let openSSLVersion = unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
