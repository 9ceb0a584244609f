import Machine
package import Secrets

extension Safekeeping {
  /// Puts the files of books where they belong, each whole or not at all. What is there stays: the name
  /// is the digest. Files that no row tells of do no harm, so this may come before all else.
  package func placeBooks(
    from path: String, passphrase: Secret?, at place: (String) -> String
  ) throws(BackupError) {
    let reading = try BackupReading(path, passphrase: passphrase)
    var open: (digest: String, draft: DraftFile)?
    while true {
      switch try reading.next() {
      case .begin(let name, let size):
        open = nil
        guard name.hasPrefix(BookMember.folder) else { continue }
        let digest = try BookMember.digest(name)
        let target = place(digest)
        if let known = try? OpenFile(target), known.size == size { continue }
        let parent = String(target.prefix(upTo: target.lastIndex(of: "/") ?? target.endIndex))
        do throws(FileError) { _ = try Folder.makePrivate(parent) } catch { throw .file(error) }
        open = (digest, try filing { () throws(MachineError) in try DraftFile(of: target) })
      case .content(let bytes):
        if let draft = open?.draft {
          try filing { () throws(MachineError) in try draft.write(bytes) }
        }
      case .whole(let found):
        guard let (digest, draft) = open else { continue }
        guard digest == found else { throw .damaged(member: BookMember.folder + digest) }
        try filing { () throws(MachineError) in try draft.finish() }
        open = nil
        tell(Progress(what: BookMember.folder, rows: 1))
      case .end: return
      }
    }
  }
}
