import Glibc

/// A small file that everything else rests on, such as a key. More is asked of it than of a settings
/// file: no link leads to it, and nobody else could have put another file in its place.
package enum GuardedFile {
  /// Who keeps others away from the file.
  package enum Guard: Sendable {
    /// Its mode, 0600 or less, in a folder that only its owner can write.
    case mode
    /// A service manager, which hands files to one service in a folder of its own. It may allow them
    /// by an access list, and that shows as a group that can read.
    case serviceManager
  }

  /// All checks are made on the file that is then read.
  package static func read(
    _ path: String, upTo limit: Int, guardedBy guardian: Guard = .mode
  ) throws(FileError) -> [UInt8] {
    try attempt(path, limit, guardian).get()
  }

  private static func attempt(
    _ path: String, _ limit: Int, _ guardian: Guard
  ) -> Result<[UInt8], FileError> {
    do throws(MachineError) {
      // A pipe laid in the file's place would keep us waiting for ever.
      let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      let status = try file.status(of: path)
      if let refusal = try refusal(of: status, at: path, guardian) { return .failure(refusal) }
      let bytes = try file.read(upTo: limit, of: path)
      return bytes.count <= limit ? .success(bytes) : .failure(.tooLarge(path: path, limit: limit))
    } catch {
      return .failure(error.code == ELOOP ? .isALink(path: path) : .failed(error))
    }
  }

  private static func refusal(
    of status: stat, at path: String, _ guardian: Guard
  ) throws(MachineError) -> FileError? {
    guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile(path: path) }
    let (access, folder) = (Access(status), Path.parent(of: path))
    let around = try Access(of: folder)
    let forbidden: UInt32 = guardian == .mode ? 0o077 : 0o037
    guard access.mode & forbidden == 0 else { return .openToOthers(path: path) }
    guard access.isOurs else { return .ownedBySomeoneElse(path: path) }
    guard around.mode & 0o022 == 0 else { return .folderOpenToOthers(path: folder) }
    return around.isOurs ? nil : .ownedBySomeoneElse(path: folder)
  }

  /// Makes a file that was not there, whole or not at all.
  package static func make(_ bytes: [UInt8], at path: String) throws(MachineError) {
    let draft = "\(path).\(String(Chance.system.next(), radix: 36)).tmp"
    try WholeFile.write(bytes, to: draft)
    defer { unsafe _ = unlink(draft) }
    // Unlike a rename, this never replaces a file that somebody made meanwhile.
    guard unsafe link(draft, path) == 0 else { throw MachineError("create", path) }
    try Folder.synchronize(Path.parent(of: path))
  }

  /// Puts one file in the place of another; a reader finds the old or the new.
  package static func move(_ path: String, over target: String) throws(MachineError) {
    guard unsafe rename(path, target) == 0 else { throw MachineError("replace", target) }
    try Folder.synchronize(Path.parent(of: target))
  }

  /// Removes a file; that it was not there is as good.
  package static func remove(_ path: String) throws(MachineError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw MachineError("remove", path) }
    try Folder.synchronize(Path.parent(of: path))
  }
}
