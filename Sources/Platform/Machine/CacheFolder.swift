import Glibc

/// A folder of files that can be made again. Each is whole or not there, a file that is used stays
/// young, and what is oldest goes first when there is too much. Other processes may do the same in
/// it at the same time, or somebody may empty it: nothing here minds.
package struct CacheFolder: Sendable {
  package let path: String

  /// Made when it is first written to.
  package init(_ path: String) { self.path = path }

  package struct Kept: Sendable, Hashable {
    package let name: String
    package let size: Int
    /// Milliseconds since 1970.
    package let used: Int64

    package init(name: String, size: Int, used: Int64) {
      (self.name, self.size, self.used) = (name, size, used)
    }
  }

  /// The bytes, and when they were last used; nil where there are none, or too many.
  package func read(_ name: String, upTo limit: Int) -> (bytes: [UInt8], used: Int64)? {
    let path = self.path.appending(path: name)
    do throws(MachineError) {
      let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW)
      let status = try file.status(of: path)
      let bytes = try file.read(upTo: limit, of: path)
      return bytes.count <= limit ? (bytes, status.used) : nil
    } catch {
      return nil
    }
  }

  /// Under a name of its own first, so that nobody reads half of it. It is not waited for until it
  /// is safe on disk: what a power cut takes can be made again, and whoever reads looks at it.
  package func write(_ bytes: [UInt8], to name: String, at now: Int64) throws(FileError) {
    let target = path.appending(path: name)
    let draft = path.appending(path: ".\(String(Chance.system.next(), radix: 36)).tmp")
    try Folder.makePrivate(path)
    do throws(MachineError) {
      let file = try Descriptor(opening: draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
      do throws(MachineError) {
        try file.write(bytes, to: draft)
        Self.stamp(file.number, now)
        guard unsafe rename(draft, target) == 0 else { throw MachineError("replace", target) }
      } catch {
        unsafe _ = unlink(draft)
        throw error
      }
    } catch {
      throw .failed(error)
    }
  }

  /// Makes it young again.
  package func touch(_ name: String, at now: Int64) {
    let path = self.path.appending(path: name)
    guard let file = try? Descriptor(opening: path, O_RDONLY | O_NOFOLLOW) else { return }
    Self.stamp(file.number, now)
  }

  package func remove(_ name: String) { unsafe _ = unlink(path.appending(path: name)) }

  /// All there is, and what a crash left half written.
  package func all() -> [Kept] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var found: [Kept] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard unsafe lstat(path.appending(path: name), &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      found.append(Kept(name: name, size: Int(status.st_size), used: status.used))
    }
    return found
  }

  private static func stamp(_ file: Int32, _ now: Int64) {
    let time = timespec(
      tv_sec: Int(now / 1000), tv_nsec: Int(now % 1000) * 1_000_000)
    // A file that stays old is only thrown away sooner.
    unsafe _ = futimens(file, [time, time])
  }
}

extension stat {
  fileprivate var used: Int64 {
    Int64(st_mtim.tv_sec) * 1000 + Int64(st_mtim.tv_nsec) / 1_000_000
  }
}
