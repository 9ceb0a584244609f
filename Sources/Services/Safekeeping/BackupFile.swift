import Archive
import Crypto
import Machine
import Secrets

/// A backup on its way to the disk: a tar archive, sealed where there is a passphrase. It appears under
/// its name when it is whole.
final class BackupFile {
  private let draft: DraftFile
  private var sealer: StreamSealer?
  private(set) var members: [BackupManifest.Member] = []
  private var open: (name: String, size: Int, running: Running)?

  /// Digests cannot be copied, so they live in an object.
  private final class Running {
    private var stream: DigestStream? = DigestStream(.sha256)

    func update(_ bytes: [UInt8]) { stream?.update(bytes) }
    func finish() -> String { Hex.encode(stream.take()?.finish() ?? []) }
  }

  init(_ path: String, sealedWith passphrase: Secret?) throws(BackupError) {
    draft = try filing { () throws(MachineError) in try DraftFile(of: path) }
    guard let passphrase else { return }
    let sealer: StreamSealer
    do throws(CryptoError) { sealer = try StreamSealer(passphrase) } catch { throw .crypto(error) }
    self.sealer = sealer
    try filing { () throws(MachineError) in try draft.write(sealer.head) }
  }

  func add(_ name: String, _ bytes: [UInt8]) throws(BackupError) {
    try begin(name, size: bytes.count)
    try write(bytes)
    try end()
  }

  /// A member of a known size whose content comes in pieces.
  func begin(_ name: String, size: Int) throws(BackupError) {
    open = (name, size, Running())
    try put(TarWriter.head(of: name, size: size))
  }

  func write(_ bytes: [UInt8]) throws(BackupError) {
    open?.running.update(bytes)
    try put(bytes)
  }

  func end() throws(BackupError) {
    guard let (name, size, running) = open else { return }
    open = nil
    members.append(.init(name: name, size: size, digest: running.finish()))
    try put(TarWriter.padding(after: size))
  }

  func finish() throws(BackupError) {
    try put(TarWriter.end)
    if var sealer {
      let last = try sealing { () throws(CryptoError) in try sealer.finish() }
      try filing { () throws(MachineError) in try draft.write(last) }
    }
    try filing { () throws(MachineError) in try draft.finish() }
  }

  private func put(_ bytes: [UInt8]) throws(BackupError) {
    guard var sealer else {
      return try filing { () throws(MachineError) in try draft.write(bytes) }
    }
    // Out of the property, so that its bytes are not copied.
    self.sealer = nil
    let sealed = try sealing { () throws(CryptoError) in try sealer.seal(bytes) }
    self.sealer = sealer
    if !sealed.isEmpty { try filing { () throws(MachineError) in try draft.write(sealed) } }
  }

  private func sealing(_ body: () throws(CryptoError) -> [UInt8]) throws(BackupError) -> [UInt8] {
    do throws(CryptoError) { return try body() } catch { throw .crypto(error) }
  }
}
