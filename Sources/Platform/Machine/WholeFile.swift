import Glibc

/// A file read or replaced as a whole. There is no half: a reader sees the old bytes or the new ones,
/// also after a power cut.
package enum WholeFile {
  /// Whose files are good enough. Secrets are read from files that no one else can read.
  package enum Trust: Sendable { case anyone, ownerOnly }

  /// The check is made on the file that is then read, so it cannot be exchanged in between.
  package static func read(
    _ path: String, upTo limit: Int, trusting trust: Trust = .anyone
  ) throws(FileError) -> [UInt8] {
    try attempt(path, upTo: limit, trusting: trust).get()
  }

  private static func attempt(
    _ path: String, upTo limit: Int, trusting trust: Trust
  ) -> Result<[UInt8], FileError> {
    do throws(MachineError) {
      let file = try Descriptor(opening: path, O_RDONLY)
      let status = try file.status(of: path)
      if trust == .ownerOnly, let refusal = Access(status).refusal(of: path) {
        return .failure(refusal)
      }
      let bytes = try file.read(upTo: limit, of: path)
      return bytes.count <= limit ? .success(bytes) : .failure(.tooLarge(path: path, limit: limit))
    } catch {
      return .failure(.failed(error))
    }
  }

  /// Written beside the old file and renamed over it, file and folder both flushed to disk. Where the
  /// path is a symbolic link, what it points to is replaced: settings are often kept as links.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600
  ) throws(MachineError) {
    var pieces = [bytes]
    try replace(path, mode: mode) { () throws(MachineError) in pieces.popLast() ?? [] }
  }

  /// The same piece by piece, up to an empty one.
  static func replace(
    _ path: String, mode: UInt32, _ next: () throws(MachineError) -> [UInt8]
  ) throws(MachineError) {
    let draft = try DraftFile(of: path, mode: mode)
    while case let piece = try next(), !piece.isEmpty { try draft.write(piece) }
    try draft.finish()
  }
}

extension WholeFile {
  /// Why a file cannot be written there, so that nobody types a text for nothing; nil where it can.
  /// It is replaced and not overwritten: its folder is what counts.
  package static func obstacle(to path: String) -> String? {
    let folder = Path.parent(of: Path.resolvingLink(path))
    return Access.mayWrite(folder) ? nil : "the folder \(folder) may not be written to"
  }
}

/// The few questions about a path that need no file system library.
enum Path {
  static func parent(of path: String) -> String {
    let path = path.withoutTrailingSlashes
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func resolvingLink(_ path: String) -> String {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let resolved = unsafe realpath(path, nil)
    else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
