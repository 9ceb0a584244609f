import Glibc

/// Files that a person names for a result. Settings and secrets go through `WholeFile` instead,
/// which decides on the mode itself; here the umask does.
package enum Files {
  package enum Trouble: Error, Sendable, Hashable, CustomStringConvertible {
    case failed(String)

    package var description: String {
      switch self {
      case .failed(let reason): reason
      }
    }
  }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// The whole of the new text or the whole of the old, whatever happens in between. What is no
  /// ordinary file is written to as it stands: renaming over `/dev/null` would replace the device.
  package static func write(
    _ bytes: [UInt8], to path: String, onlyForOwner: Bool = false
  ) throws(Trouble) {
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .current }
      defer { close(descriptor) }
      try fill(descriptor, bytes)
      return
    }
    let target = linked(path)
    let temporary = "\(target).\(getpid()).part"
    let descriptor = unsafe open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
      onlyForOwner ? 0o600 : 0o666)
    guard descriptor >= 0 else { throw .current }
    do throws(Trouble) {
      defer { close(descriptor) }
      try fill(descriptor, bytes)
      guard fsync(descriptor) == 0 else { throw .current }
      guard unsafe rename(temporary, target) == 0 else { throw .current }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
  }

  /// What a link points to; the path itself where there is nothing yet.
  private static func linked(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  package static func makeFolder(_ path: String) throws(Trouble) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      guard unsafe mkdir(made, 0o755) == 0 || errno == EEXIST else { throw .current }
    }
  }

  /// What lies in a folder, in order; nothing when it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package static func remove(_ path: String) { unsafe unlink(path) }

  private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) throws(Trouble) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + done, buffer.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .current }
      done += count
    }
  }
}

extension Files.Trouble {
  fileprivate static var current: Files.Trouble { .failed(unsafe String(cString: strerror(errno))) }
}
