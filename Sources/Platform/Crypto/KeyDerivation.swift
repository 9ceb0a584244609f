import COpenSSL
package import Secrets

/// Keys out of passphrases and out of other keys.
package enum KeyDerivation {
  /// The cost of scrypt. Bounds hold for what is read from a file too: a changed file must neither
  /// weaken a key nor exhaust the machine.
  package struct ScryptCost: Sendable, Hashable {
    package let n: UInt64
    package let r: UInt32
    package let p: UInt32

    package init(n: UInt64, r: UInt32, p: UInt32) throws(CryptoError) {
      guard n.nonzeroBitCount == 1, (2...(1 << 20)).contains(n), (1...32).contains(r),
        (1...16).contains(p), UInt64(r) * n <= 1 << 23
      else { throw .outOfBounds("the cost of scrypt") }
      (self.n, self.r, self.p) = (n, r, p)
    }

    private init(trusted n: UInt64) { (self.n, r, p) = (n, 8, 1) }

    /// 128 MiB and about a third of a second on one ordinary core.
    package static let interactive = ScryptCost(trusted: 1 << 17)
  }

  package static func scrypt(
    _ passphrase: Secret, salt: [UInt8], cost: ScryptCost, length: Int
  ) throws(CryptoError) -> Secret {
    var out = [UInt8](repeating: 0, count: length)
    // The library's own limit of 32 MiB is below the cost we want.
    let limit = 256 * UInt64(cost.r) * cost.n + (64 << 20)
    let done = passphrase.reveal { pass in
      unsafe pass.withUnsafeBytes { pass in
        unsafe salt.withUnsafeBytes { salt in
          unsafe out.withUnsafeMutableBytes { out in
            unsafe EVP_PBE_scrypt(
              pass.baseAddress?.assumingMemoryBound(to: CChar.self), pass.count,
              salt.baseAddress?.assumingMemoryBound(to: UInt8.self), salt.count, cost.n,
              UInt64(cost.r), UInt64(cost.p), limit,
              out.baseAddress?.assumingMemoryBound(to: UInt8.self), out.count)
          }
        }
      }
    }
    defer { wipe(&out) }
    guard done == 1 else { throw .unavailable("scrypt") }
    return Secret(out)
  }

  package static func pbkdf2(
    _ passphrase: Secret, salt: [UInt8], rounds: Int, digest: Digest, length: Int
  ) throws(CryptoError) -> Secret {
    guard (1...10_000_000).contains(rounds) else { throw .outOfBounds("the rounds of PBKDF2") }
    var out = [UInt8](repeating: 0, count: length)
    let done = passphrase.reveal { pass in
      unsafe pass.withUnsafeBytes { pass in
        unsafe salt.withUnsafeBytes { salt in
          unsafe out.withUnsafeMutableBytes { out in
            unsafe PKCS5_PBKDF2_HMAC(
              pass.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(pass.count),
              salt.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(salt.count),
              Int32(rounds), digest.handle, Int32(out.count),
              out.baseAddress?.assumingMemoryBound(to: UInt8.self))
          }
        }
      }
    }
    defer { wipe(&out) }
    guard done == 1 else { throw .unavailable("PBKDF2") }
    return Secret(out)
  }

  /// HKDF (RFC 5869): one key, one job; `info` names the job.
  package static func hkdf(
    _ key: Secret, salt: [UInt8] = [], info: [UInt8], digest: Digest = .sha256, length: Int
  ) throws(CryptoError) -> Secret {
    guard length <= 255 * digest.length else { throw .wrongLength("the derived key") }
    let salt = salt.isEmpty ? [UInt8](repeating: 0, count: digest.length) : salt
    var extracted = key.reveal { key -> [UInt8] in
      var bytes = unsafe key.withUnsafeBytes { unsafe Array($0) }
      defer { wipe(&bytes) }
      return digest.authenticate(bytes, key: salt)
    }
    defer { wipe(&extracted) }
    let root = Secret(extracted)
    var out: [UInt8] = []
    var block: [UInt8] = []
    var counter: UInt8 = 1
    while out.count < length {
      block = digest.authenticate(block + info + [counter], key: root)
      out += block
      counter &+= 1
    }
    defer {
      wipe(&out)
      wipe(&block)
    }
    return Secret(Array(out.prefix(length)))
  }
}
