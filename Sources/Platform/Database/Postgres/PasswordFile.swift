import Glibc

/// A password kept in a file of its own, as service managers hand them out.
enum PasswordFile {
  /// Refused if others could read it, since then it is no secret.
  static func read(_ path: String) throws(DatabaseError) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw DatabaseError(.denied, detail: "the password file cannot be read")
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o077 == 0
    else { throw DatabaseError(.denied, detail: "the password file is open to others") }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe Glibc.read(file, $0.baseAddress, $0.count)
    }
    let line = bytes.prefix(max(0, count)).prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty, let password = String(validating: line, as: UTF8.self) else {
      throw DatabaseError(.denied, detail: "the password file holds no password")
    }
    return password
  }
}
