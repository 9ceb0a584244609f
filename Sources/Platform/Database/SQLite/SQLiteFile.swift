import Glibc

/// The file of a database and the folder it lies in belong to the user alone. SQLite gives its log
/// and its index the mode of the file itself.
enum SQLiteFile {
  /// An existing file is never opened here: closing it again would drop the locks that SQLite holds on
  /// it for other connections of this process, as POSIX has it.
  static func prepare(_ path: String) throws(DatabaseError) {
    try makeFolder(folder(of: path))
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw DatabaseError(.badLocation("not a regular file"))
      }
      // A file of someone else's keeps its mode: it is shared on purpose.
      if status.st_mode & 0o077 != 0, status.st_uid == geteuid() { unsafe chmod(path, 0o600) }
      return
    }
    guard errno == ENOENT else { throw failure(errno) }
    let file = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    // Someone else may just have made it.
    guard file >= 0 || errno == EEXIST else { throw failure(errno) }
    if file >= 0 { close(file) }
  }

  /// Creates or empties a file that is no database yet, private from its first moment.
  static func makeEmpty(_ path: String) throws(DatabaseError) {
    let flags = O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC | O_NOFOLLOW
    let file = unsafe open(path, flags, 0o600)
    guard file >= 0 else { throw failure(errno) }
    defer { close(file) }
    guard fchmod(file, 0o600) == 0 else { throw failure(errno) }
  }

  /// Whether two paths lead to one file, by links or by spelling.
  static func isSame(_ first: String, _ second: String) -> Bool {
    var (one, two) = (stat(), stat())
    guard unsafe stat(first, &one) == 0, unsafe stat(second, &two) == 0 else { return false }
    return one.st_dev == two.st_dev && one.st_ino == two.st_ino
  }

  /// Puts a finished file in its place, whole or not at all.
  static func move(_ source: String, to destination: String) throws(DatabaseError) {
    try sync(source)
    guard unsafe rename(source, destination) == 0 else { throw failure(errno) }
    try sync(folder(of: destination))
  }

  static func remove(_ path: String) {
    unsafe unlink(path)
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Only folders made here are closed to others; one that exists may be anybody's.
  private static func makeFolder(_ path: String) throws(DatabaseError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw DatabaseError(.badLocation("its folder is a file"))
      }
      return
    }
    guard errno == ENOENT else { throw failure(errno) }
    try makeFolder(folder(of: path))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(errno) }
  }

  private static func sync(_ path: String) throws(DatabaseError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(errno) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure(errno) }
  }

  private static func failure(_ code: Int32) -> DatabaseError {
    let words = unsafe String(cString: strerror(code))
    return switch code {
    case EACCES, EPERM: DatabaseError(.denied, detail: words)
    case ENOSPC, EDQUOT: DatabaseError(.full, detail: words)
    case EROFS: DatabaseError(.readOnly, detail: words)
    case ELOOP: DatabaseError(.badLocation("a symbolic link"), detail: words)
    case ENOENT, ENOTDIR: DatabaseError(.unreachable, detail: words)
    default: DatabaseError(.inputOutput, detail: words)
    }
  }
}
