import Synchronization

/// A large body for which room was reserved.
final class Upload: Sendable {
  let bytes: Int
  let client: IPAddress?
  /// Of a patron who is signed in.
  let isPatrons: Bool
  let began: Monotonic
  /// What has come of it; nil once it is whole.
  private let received = Mutex<Int?>(0)
  /// Ends it, on its own loop.
  let end: @Sendable () -> Void

  init(
    bytes: Int, client: IPAddress?, isPatrons: Bool, began: Monotonic,
    end: @escaping @Sendable () -> Void
  ) {
    (self.bytes, self.client, self.isPatrons) = (bytes, client?.household, isPatrons)
    (self.began, self.end) = (began, end)
  }

  func note(_ count: Int?) { received.withLock { $0 = count } }

  /// Bytes a second until now; nil once it is whole, or in its first moments.
  func rate(_ now: Monotonic, after grace: Duration) -> Double? {
    let age = now - began
    guard age >= grace, let count = received.withLock({ $0 }) else { return nil }
    return Double(count) / max(0.001, age / .seconds(1))
  }
}

/// Room for large bodies, reserved before they are read. Strangers and patrons who are signed in have
/// room of their own each. Where it is full, those that come slowly give way to a new one: who stalls
/// must not keep others from it.
final class UploadRoom: Sendable {
  private let limits: Limits
  private let uploads = Mutex<[Upload]>([])

  init(_ limits: Limits) { self.limits = limits }

  /// False where there is none. A first one always has some, or a server that was allowed to take larger
  /// ones would take none of them.
  func reserve(_ upload: Upload, at now: Monotonic) -> Bool {
    let ended: [Upload]? = uploads.withLock { uploads in
      let own = uploads.filter { $0.client == upload.client && $0.client != nil }
      let ownBytes = own.reduce(0) { $0 + $1.bytes }
      guard own.isEmpty || ownBytes + upload.bytes <= limits.uploadsPerClient else { return nil }
      let all = uploads.filter { $0.isPatrons == upload.isPatrons }
      let most = upload.isPatrons ? limits.uploadsOfPatrons : limits.uploadsInFlight
      var total = all.reduce(0) { $0 + $1.bytes }
      let slow = all.compactMap { one in
        one.rate(now, after: limits.uploadGrace).map { (one, $0) }
      }.filter { $0.1 < Double(limits.uploadSecureRate) }.sorted { $0.1 < $1.1 }.map(\.0)
      var ended: [Upload] = []
      while total > 0, total + upload.bytes > most {
        guard ended.count < slow.count else { return nil }
        total -= slow[ended.count].bytes
        ended.append(slow[ended.count])
      }
      uploads.removeAll { one in ended.contains { $0 === one } }
      uploads.append(upload)
      return ended
    }
    for upload in ended ?? [] { upload.end() }
    return ended != nil
  }

  func release(_ upload: Upload) {
    uploads.withLock { uploads in uploads.removeAll { $0 === upload } }
  }
}
