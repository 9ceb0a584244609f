import Crypto
import HTTPClient
import Machine
import Synchronization

/// Reckons the digest of a file while it grows, close behind whoever writes it, so that nobody waits
/// for it at the end. It reads what was written from the disk's cache, in pieces and on threads of its
/// own; what it missed it reads at the end.
final class RunningDigest: Sendable {
  private struct Growth {
    var received = 0
    /// Goes up whenever the file starts over.
    var beginnings = 0
    var told = 0
  }

  private struct Held: ~Copyable {
    /// Nil when it was asked for.
    var stream: DigestStream? = DigestStream(.sha256)
    var file: OpenFile?
    var position = 0
    var beginnings = 0
  }

  private let part: String
  private let growth = Mutex(Growth())
  private let held = Mutex(Held())
  private let bell: AsyncStream<Void>
  private let ring: AsyncStream<Void>.Continuation

  /// So much is worth a look.
  private static let stretch = 4 << 20

  init(of part: String) {
    self.part = part
    (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// From whoever writes; does not wait.
  func grew(to received: Int) {
    let isWorthALook = growth.withLock { growth in
      if received < growth.received {
        growth.beginnings += 1
        growth.told = 0
      }
      growth.received = received
      guard received - growth.told >= Self.stretch else { return false }
      growth.told = received
      return true
    }
    if isWorthALook { ring.yield() }
  }

  /// Until it is told to stop.
  func follow() async {
    for await _ in bell { await OwnThread.run { self.catchUp() } }
  }

  func stop() { ring.finish() }

  /// Of the whole file, which has its own name by now. After `follow` has ended.
  func finished(_ path: String, _ size: Int) async throws(MachineError) -> [UInt8] {
    try await OwnThread.run {
      self.catchUp()
      if let digest = self.digest(of: size) { return Result<[UInt8], MachineError>.success(digest) }
      return Result { () throws(MachineError) in try Self.digest(of: path, size) }
    }.get()
  }

  private func digest(of size: Int) -> [UInt8]? {
    let beginnings = growth.withLock { $0.beginnings }
    return held.withLock { held in
      guard held.position == size, held.beginnings == beginnings else { return nil }
      return held.stream.take()?.finish()
    }
  }

  private func catchUp() {
    held.withLock { held in
      while true {
        let now = growth.withLock { $0 }
        if now.beginnings != held.beginnings {
          held.stream = DigestStream(.sha256)
          (held.file, held.position) = (nil, 0)
          held.beginnings = now.beginnings
        }
        // What cannot be read now is read at the end, and told then.
        if held.file == nil { held.file = try? OpenFile(part) }
        guard let file = held.file, held.position < now.received,
          let piece = try? file.read(upTo: min(256 << 10, now.received - held.position)),
          !piece.isEmpty
        else { return }
        // It may have started over between the look and the reading.
        if growth.withLock({ $0.beginnings }) != held.beginnings { continue }
        held.stream?.update(piece)
        held.position += piece.count
      }
    }
  }

  static func digest(of path: String, _ size: Int) throws(MachineError) -> [UInt8] {
    var stream = DigestStream(.sha256)
    let file: OpenFile
    do throws(FileError) { file = try OpenFile(path) } catch {
      if case .failed(let error) = error { throw error }
      throw MachineError(code: 5, attempt: "read", subject: path)
    }
    while true {
      let piece = try file.read()
      if piece.isEmpty { return stream.finish() }
      stream.update(piece)
    }
  }
}
