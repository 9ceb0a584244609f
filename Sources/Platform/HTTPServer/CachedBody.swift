import Compression
package import HTTP
import Synchronization

/// A page that is sent many times: its bytes, its gzip form, and the answer's head for both, all
/// made once. Sending it is a copy of the head and a reference to the bytes.
package final class CachedBody: Sendable {
  /// One coding of the page, ready to go.
  struct Variant: Sendable {
    let bytes: SharedBytes
    let etag: EntityTag
    /// Status line and fields up to where `Date` follows.
    let head: [UInt8]
    /// The same bytes for the kernel, where they are many.
    let file: FileBody?
  }

  /// From here on handing pages to the kernel is cheaper than copying them.
  private static let largeFrom = 24 << 10

  package let type: MediaType
  package let lastModified: HTTPDate?
  let headers: Headers
  let identity: Variant
  private let isCompressible: Bool
  private let gzip = Mutex<Variant??>(nil)

  /// Without a tag one is derived from the bytes, so that equal pages have equal tags on every
  /// gateway. `headers` are further fields, as `Cache-Control`.
  package init(
    _ bytes: [UInt8], _ type: MediaType, etag: EntityTag? = nil, lastModified: HTTPDate? = nil,
    headers: Headers = [:]
  ) {
    self.type = type
    self.lastModified = lastModified
    // Below a few hundred bytes the gzip frame eats what it saves.
    isCompressible = type.isCompressible && bytes.count >= 256
    var fields = headers
    fields.set("Content-Type", type.description)
    if let lastModified { fields.set("Last-Modified", lastModified.description) }
    if isCompressible { fields.add("Vary", "Accept-Encoding") }
    self.headers = fields
    identity = CachedBody.variant(bytes, etag ?? CachedBody.tag(of: bytes), fields)
  }

  /// What a response adds to the prepared fields. Those win where both speak; only `Vary` and
  /// `Set-Cookie` may stand more than once.
  func additions(_ headers: Headers) -> [Headers.Field] {
    guard !headers.isEmpty else { return [] }
    return headers.fields.filter { field in
      if Headers.same(field.name, "Vary") || Headers.same(field.name, "Set-Cookie") { return true }
      return self.headers[field.name] == nil
        && !CachedBody.reserved.contains { Headers.same($0, field.name) }
    }
  }

  private static let reserved = [
    "ETag", "Content-Length", "Content-Encoding", "Transfer-Encoding", "Connection", "Date",
  ]

  package var bytes: [UInt8] { identity.bytes.bytes }
  package var etag: EntityTag { identity.etag }

  /// The coding the client likes best; nil when it rules out all there are. Ranges are always
  /// taken from the plain bytes.
  func variant(_ accept: AcceptEncoding?, isRange: Bool) -> Variant? {
    guard let accept else { return identity }
    let zipped = accept.gzipQuality > 0 && !(isRange && accept.allowsIdentity) ? zippedOnce() : nil
    return switch accept.choice(gzipAvailable: zipped != nil) {
    case .gzip: zipped
    case .identity: identity
    case nil: nil
    }
  }

  /// Under the lock on purpose: a second loop that wants it waits instead of doing it again.
  private func zippedOnce() -> Variant? {
    guard isCompressible else { return nil }
    return gzip.withLock { kept in
      if let kept { return kept }
      let plain = identity.bytes.bytes
      guard let zipped = Gzip.compress(plain), zipped.count < plain.count else {
        kept = .some(nil)
        return nil
      }
      var fields = headers
      fields.set("Content-Encoding", "gzip")
      // Other bytes need another tag, or a range could be put together from both.
      let tag = EntityTag(etag.opaque + "-gzip", weak: etag.isWeak)
      let variant = CachedBody.variant(zipped, tag, fields)
      kept = variant
      return variant
    }
  }

  private static func variant(
    _ bytes: [UInt8], _ etag: EntityTag, _ headers: Headers
  ) -> Variant {
    var fields = headers
    fields.set("ETag", etag.description)
    var head = HeadBytes()
    head.begin(.ok)
    for field in fields.fields { head.add(field) }
    head.add(Headers.Field("Content-Length", String(bytes.count)))
    return Variant(
      bytes: SharedBytes(bytes), etag: etag, head: head.bytes,
      file: bytes.count >= largeFrom ? FileBody(inMemory: bytes) : nil)
  }

  /// FNV-1a of 64 bits with the length: not against forgers, only to tell versions apart.
  private static func tag(of bytes: [UInt8]) -> EntityTag {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return EntityTag("\(String(hash, radix: 36))-\(String(bytes.count, radix: 36))")
  }
}
