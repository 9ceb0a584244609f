import Archive
import Crypto
import Machine
package import Secrets

/// A backup read from its beginning to its end. Members are handed out in pieces that are not proved
/// before `manifest` is known; who needs proof reads it once before (`Safekeeping.verify`).
final class BackupReading {
  enum Step {
    case begin(name: String, size: Int)
    case content([UInt8])
    /// With the digest of what was handed out.
    case whole(digest: String)
    case end
  }

  private let file: OpenFile
  private var opener: StreamOpener?
  private var tar = ExactTarReader()
  private var digest: DigestStream?
  private var isAtEnd = false

  static func isSealed(_ path: String) throws(BackupError) -> Bool {
    let file = try opened(path)
    let start = try filing { () throws(MachineError) in
      try file.read(upTo: SealedStream.mark.count)
    }
    return start == SealedStream.mark
  }

  init(_ path: String, passphrase: Secret?) throws(BackupError) {
    file = try Self.opened(path)
    guard try Self.isSealed(path) else { return }
    guard let passphrase else { throw .passphraseNeeded }
    let file = file
    let head = try filing { () throws(MachineError) in
      try file.read(upTo: SealedStream.headLength)
    }
    do throws(SealedStream.Failure) {
      opener = try StreamOpener(passphrase, head: head)
    } catch {
      throw BackupError(error, in: nil)
    }
  }

  func next() throws(BackupError) -> Step {
    while true {
      switch try step() {
      case .begin(let name, let size):
        digest = DigestStream(.sha256)
        return .begin(name: name, size: size)
      case .content(let bytes):
        digest?.update(bytes)
        return .content(bytes)
      case .whole: return .whole(digest: Hex.encode(digest.take()?.finish() ?? []))
      case .needsMore: try feed()
      case .end:
        // Bytes that follow the end are bytes that nobody wrote.
        if isAtEnd { return .end }
        try feed()
      }
    }
  }

  private func step() throws(BackupError) -> ExactTarReader.Step {
    do throws(TarError) { return try tar.next() } catch { throw Self.failure(error, tar.member) }
  }

  private func feed() throws(BackupError) {
    let file = file
    guard !isAtEnd else {
      do throws(TarError) { try tar.finish() } catch { throw Self.failure(error, tar.member) }
      return
    }
    let piece = try filing { () throws(MachineError) in try file.read() }
    isAtEnd = piece.isEmpty
    guard var opener else { return tar.feed(piece) }
    self.opener = nil
    do throws(SealedStream.Failure) {
      tar.feed(isAtEnd ? try opener.finish() : try opener.open(piece))
    } catch {
      throw BackupError(error, in: tar.member)
    }
    self.opener = opener
  }

  private static func failure(_ error: TarError, _ member: String?) -> BackupError {
    switch error {
    case .truncated(let member): .truncated(member: member)
    case .damaged, .nameTooLong: member.map { .damaged(member: $0) } ?? .notABackup
    }
  }

  private static func opened(_ path: String) throws(BackupError) -> OpenFile {
    do throws(FileError) { return try OpenFile(path) } catch { throw .file(error) }
  }
}
