import Glibc

/// Folders that no other account can look into.
package enum Folder {
  package enum Outcome: Sendable, Hashable {
    case created, existed
    /// It was there and open to others; now it is not. Worth a line in the log.
    case tightened
  }

  /// Makes the folder and whatever is missing above it, all with mode 0700. A folder of another
  /// account is refused, and so is a link that another account laid: in /tmp anyone could have made
  /// it before us.
  @discardableResult
  package static func makePrivate(_ path: String) throws(FileError) -> Outcome {
    let path = path.withoutTrailingSlashes
    let isNew: Bool
    do { isNew = try make(path) } catch { throw .failed(error) }
    var (link, status) = (stat(), stat())
    guard unsafe lstat(path, &link) == 0, unsafe stat(path, &status) == 0 else {
      throw .failed(MachineError("examine", path))
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(path: path) }
    guard Access(link).isOurs, Access(status).isOurs else {
      throw .ownedBySomeoneElse(path: path)
    }
    guard Access(status).isOpenToOthers else { return isNew ? .created : .existed }
    guard unsafe chmod(path, 0o700) == 0 else { throw .failed(MachineError("protect", path)) }
    return isNew ? .created : .tightened
  }

  /// Whether it had to be made.
  private static func make(_ path: String) throws(MachineError) -> Bool {
    if unsafe mkdir(path, 0o700) == 0 { return true }
    if errno == EEXIST { return false }
    let parent = Path.parent(of: path)
    guard errno == ENOENT, parent != path, parent != "." else {
      throw MachineError("create folder", path)
    }
    _ = try make(parent)
    // Another process may have been faster, which is as good.
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw MachineError("create folder", path)
    }
    return true
  }

  /// A new name in a folder is safe on disk only once the folder is.
  static func synchronize(_ path: String) throws(MachineError) {
    let folder = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
    // Some network file systems cannot, and say so.
    guard retrying({ fsync(folder.number) }) == 0 || errno == EINVAL else {
      throw MachineError("write", path)
    }
  }
}
