package import Secrets

extension Safekeeping {
  /// Whether it needs a passphrase to be read.
  package static func isSealed(_ path: String) throws(BackupError) -> Bool {
    try BackupReading.isSealed(path)
  }

  /// Reads a backup to its end and proves every byte of it.
  package static func verify(
    _ path: String, passphrase: Secret?
  ) throws(BackupError) -> BackupManifest {
    let reading = try BackupReading(path, passphrase: passphrase)
    var found: [BackupManifest.Member] = []
    var manifest: BackupManifest?
    var (name, size, held) = ("", 0, [UInt8]())
    walk: while true {
      switch try reading.next() {
      case .begin(let begun, let length):
        (name, size, held) = (begun, length, [])
        // Whoever made such a file did not make it with us.
        if Self.isHeld(name), size > 1 << 30 { throw .damaged(member: name) }
      case .content(let bytes): if Self.isHeld(name) { held += bytes }
      case .whole(let digest):
        switch name {
        case BackupManifest.name:
          let told = try BackupManifest(held)
          try compare(found, with: told)
          manifest = told
          found.append(.init(name: name, size: size, digest: digest))
        case BackupManifest.proof:
          guard manifest != nil, held == Array((found.last?.digest ?? "").utf8) + [0x0a] else {
            throw .damaged(member: BackupManifest.name)
          }
          name = "the end"
        default:
          guard manifest == nil else { throw .damaged(member: name) }
          found.append(.init(name: name, size: size, digest: digest))
        }
      case .end:
        guard let manifest, name == "the end" else { throw .truncated(member: name) }
        return manifest
      }
    }
  }

  private static func isHeld(_ name: String) -> Bool {
    name == BackupManifest.name || name == BackupManifest.proof
  }

  private static func compare(
    _ found: [BackupManifest.Member], with manifest: BackupManifest
  ) throws(BackupError) {
    for (one, told) in zip(found, manifest.members) where one != told {
      throw .damaged(member: told.name)
    }
    guard found.count == manifest.members.count else {
      let place = min(found.count, manifest.members.count)
      let rest = found.count > place ? found[place] : manifest.members[place]
      throw .damaged(member: rest.name)
    }
    for book in manifest.members where book.name.hasPrefix(BookMember.folder) {
      guard try BookMember.digest(book.name) == book.digest else {
        throw .damaged(member: book.name)
      }
    }
  }
}
