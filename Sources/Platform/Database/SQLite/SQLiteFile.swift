import Glibc

/// The file of a database and the folder it lies in belong to the user alone. SQLite gives its log
/// and its index the mode of the file itself.
enum SQLiteFile {
  static func prepare(_ path: String) throws(DatabaseError) {
    try makeFolder(folder(of: path))
    try makePrivate(path, flags: O_CREAT | O_RDWR)
  }

  /// Creates or empties a file, private from its first moment.
  static func makeEmpty(_ path: String) throws(DatabaseError) {
    try makePrivate(path, flags: O_CREAT | O_TRUNC | O_RDWR | O_NOFOLLOW)
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

  private static func makePrivate(_ path: String, flags: Int32) throws(DatabaseError) {
    let file = unsafe open(path, flags | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(errno) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw failure(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DatabaseError(.badLocation("not a regular file"))
    }
    // A file of someone else's keeps its mode: opening it worked, so it is shared on purpose.
    if status.st_mode & 0o077 != 0, status.st_uid == geteuid() { fchmod(file, 0o600) }
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
