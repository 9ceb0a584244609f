import Glibc

/// Small files, whole: settings, secrets, scripts.
package enum Files {
  package enum Trouble: Error, Sendable, Hashable, CustomStringConvertible {
    case absent
    case tooLarge(limit: Int)
    case failed(String)

    package var description: String {
      switch self {
      case .absent: "there is no such file"
      case .tooLarge(let limit): "it is longer than \(limit) bytes"
      case .failed(let reason): reason
      }
    }
  }

  package static func read(_ path: String, atMost limit: Int) throws(Trouble) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .absent : .current }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .current }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// The whole of the new text or the whole of the old, whatever happens in between.
  package static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o644)
    throws(Trouble)
  {
    let temporary = "\(path).\(getpid()).part"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .current }
    do throws(Trouble) {
      try fill(descriptor, bytes)
      guard unsafe rename(temporary, path) == 0 else { throw .current }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
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
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + done, buffer.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .current }
      done += count
    }
    guard fsync(descriptor) == 0 else { throw .current }
  }
}

extension Files.Trouble {
  fileprivate static var current: Files.Trouble { .failed(unsafe String(cString: strerror(errno))) }
}
