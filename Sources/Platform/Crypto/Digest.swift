import COpenSSL
package import Secrets

/// Hash functions by name. MD5 and SHA-1 are here because old protocols ask for them; nothing new
/// may rest on them.
package enum Digest: String, Sendable, CaseIterable {
  case md5 = "MD5"
  case sha1 = "SHA1"
  case sha224 = "SHA224"
  case sha256 = "SHA256"
  case sha384 = "SHA384"
  case sha512 = "SHA512"

  package var length: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha224: 28
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  package func hash(_ bytes: [UInt8]) -> [UInt8] {
    var running = DigestStream(self)
    running.update(bytes)
    return running.finish()
  }

  package func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }

  /// HMAC (RFC 2104) under this function.
  package func authenticate(_ bytes: [UInt8], key: Secret) -> [UInt8] {
    var out = [UInt8](repeating: 0, count: length)
    var written = 0
    let made = key.reveal { key in
      unsafe key.withUnsafeBytes { key in
        unsafe bytes.withUnsafeBytes { input in
          unsafe out.withUnsafeMutableBytes { out in
            unsafe EVP_Q_mac(
              nil, "HMAC", nil, rawValue, nil, key.baseAddress, key.count,
              input.baseAddress?.assumingMemoryBound(to: UInt8.self), input.count,
              out.baseAddress?.assumingMemoryBound(to: UInt8.self), out.count, &written) != nil
          }
        }
      }
    }
    // Only a library without this function at all can fail here.
    precondition(made && written == length, "HMAC is missing from OpenSSL")
    return out
  }

  package func authenticate(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    authenticate(bytes, key: Secret(key))
  }

  var handle: OpaquePointer? {
    switch self {
    case .md5: unsafe EVP_md5()
    case .sha1: unsafe EVP_sha1()
    case .sha224: unsafe EVP_sha224()
    case .sha256: unsafe EVP_sha256()
    case .sha384: unsafe EVP_sha384()
    case .sha512: unsafe EVP_sha512()
    }
  }
}

/// A hash of something that comes in pieces.
@safe package struct DigestStream: ~Copyable {
  private let context: OpaquePointer
  private let kind: Digest

  package init(_ kind: Digest) {
    self.kind = kind
    // Out of memory is the only way these fail, and then nothing else works either.
    guard let context = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(context, kind.handle, nil) == 1
    else { preconditionFailure("\(kind.rawValue) is missing from OpenSSL") }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { _ = unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
  }

  package mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { _ = unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
  }

  package consuming func finish() -> [UInt8] {
    var out = [UInt8](repeating: 0, count: kind.length)
    unsafe out.withUnsafeMutableBytes {
      _ = unsafe EVP_DigestFinal_ex(
        context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
    }
    return out
  }
}
