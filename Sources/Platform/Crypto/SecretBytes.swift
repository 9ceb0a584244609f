import COpenSSL

/// Key material with one owner: wiped when the last user lets go, printed as dots, and lent only
/// inside a closure, so that every use can be searched for.
@safe package final class SecretBytes: Sendable, CustomStringConvertible, CustomReflectable {
  // Written once before it is shared and never after; freed when nobody holds it any more.
  private nonisolated(unsafe) let storage: UnsafeMutableRawBufferPointer

  package init(_ bytes: [UInt8]) {
    unsafe storage = .allocate(byteCount: max(bytes.count, 1), alignment: 16)
    unsafe storage.copyBytes(from: bytes)
    count = bytes.count
  }

  package let count: Int

  deinit {
    unsafe OPENSSL_cleanse(storage.baseAddress, storage.count)
    unsafe storage.deallocate()
  }

  package static func random(_ count: Int) throws(CryptoError) -> SecretBytes {
    var bytes = try randomBytes(count)
    defer { wipe(&bytes) }
    return SecretBytes(bytes)
  }

  /// Lends the bytes. What is made of them inside is the caller's to wipe.
  package func reveal<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    let used = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[..<count])
    return try body(unsafe used.bytes)
  }

  package var description: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Overwrites an array that held something secret. Only the array handed in: copies made before
/// live on, which is why secrets should not travel in arrays.
package func wipe(_ bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
  bytes = []
}

/// Random bytes fit for keys and nonces.
package func randomBytes(_ count: Int) throws(CryptoError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  let made = unsafe bytes.withUnsafeMutableBytes {
    unsafe RAND_bytes($0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count))
  }
  guard made == 1 || count == 0 else { throw .unavailable("randomness") }
  return bytes
}

/// Equality in a time that tells nothing of where two texts differ. Lengths may show.
package func constantTimeEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  guard one.count == other.count else { return false }
  return unsafe one.withUnsafeBytes { left in
    unsafe other.withUnsafeBytes { right in
      unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
    }
  }
}
