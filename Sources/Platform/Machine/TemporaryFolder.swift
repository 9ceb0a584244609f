import Glibc

/// A private folder that goes away with its owner, and whatever is in it.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Nil where no folder can be made, as on a full or a read-only disk.
  package init?(in parent: String = "/tmp", named prefix: String = "carrel") {
    var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// Links are removed, never followed: what they point at belongs to somebody else.
  private static func remove(_ path: String) {
    if unsafe unlink(path) == 0 || errno == ENOENT { return }
    if let stream = unsafe opendir(path) {
      while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { remove("\(path)/\(name)") }
      }
      unsafe closedir(stream)
    }
    unsafe rmdir(path)
  }
}
