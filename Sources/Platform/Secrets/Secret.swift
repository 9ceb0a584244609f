import Glibc

/// A PIN, a password, a token or a key: one owner, wiped when the last user lets go, printed as dots
/// by every way that Swift has to print, and lent only inside a closure, so that every use can be
/// searched for. It has no `Codable` and no `==`, on purpose.
@safe
package final class Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  // Written once before it is shared and never after; freed when nobody holds it any more.
  private nonisolated(unsafe) let storage: UnsafeMutableRawBufferPointer

  package let count: Int

  package init(_ bytes: [UInt8]) {
    unsafe storage = .allocate(byteCount: max(bytes.count, 1), alignment: 16)
    unsafe storage.copyBytes(from: bytes)
    count = bytes.count
  }

  package convenience init(_ text: String) {
    var bytes = Array(text.utf8)
    self.init(bytes)
    wipe(&bytes)
  }

  deinit {
    // Unlike memset, this is never optimised away.
    if let base = unsafe storage.baseAddress { unsafe explicit_bzero(base, storage.count) }
    unsafe storage.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  /// Lends the bytes. What is made of them inside is the caller's to wipe.
  package func reveal<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    let used = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[..<count])
    return try body(unsafe used.bytes)
  }

  /// Lends the text, for protocols that put secrets into headers and forms. The string it makes
  /// cannot be wiped; keep it no longer than the closure.
  package func revealText<R, E: Error>(_ body: (String) throws(E) -> R) throws(E) -> R {
    try body(
      reveal { bytes in
        unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
      })
  }

  /// Lends the bytes as an array, for what cannot take a span. The array is wiped afterwards; a copy
  /// that the closure keeps is not.
  package func revealBytes<R, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    var lent = bytes
    defer { wipe(&lent) }
    return try body(lent)
  }

  /// Whether both hold the same, in a time that tells nothing of where they differ.
  package func matches(_ other: Secret) -> Bool {
    var (mine, theirs) = (bytes, other.bytes)
    defer {
      wipe(&mine)
      wipe(&theirs)
    }
    return constantTimeEqual(mine, theirs)
  }

  private var bytes: [UInt8] { reveal { unsafe $0.withUnsafeBytes { unsafe Array($0) } } }

  package var description: String { "•••" }
  package var debugDescription: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Overwrites an array that held something secret. Only the array handed in: copies made before
/// live on, which is why secrets should not travel in arrays.
package func wipe(_ bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBytes {
    if let base = $0.baseAddress { unsafe explicit_bzero(base, $0.count) }
  }
  bytes = []
}

/// Equality in a time that tells nothing of where two texts differ. Lengths may show.
package func constantTimeEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  guard one.count == other.count else { return false }
  var difference: UInt8 = 0
  for index in one.indices { difference |= one[index] ^ other[index] }
  return difference == 0
}
