import Glibc
import Synchronization

/// A file read from its beginning to its end, piece by piece, for those that are too large to be
/// held.
package final class OpenFile: Sendable {
  package let path: String
  package let size: Int
  /// Another one whenever the file has been written to or put in the place of another.
  package let version: String
  private let file: Mutex<Held>

  private struct Held: ~Copyable {
    let descriptor: Descriptor
    var position = 0
  }

  /// Ordinary files only: what never ends cannot be read to its end.
  package init(_ path: String) throws(FileError) {
    let descriptor: Descriptor
    let status: stat
    do throws(MachineError) {
      // Where a pipe stands in its place nobody waits for its other end.
      let opened = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
      status = try opened.status(of: path)
      descriptor = opened
    } catch {
      throw .failed(error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    (self.path, size) = (path, Int(status.st_size))
    version =
      "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)-\(status.st_ino)"
    file = Mutex(Held(descriptor: descriptor))
  }

  /// How far it has been read.
  package var position: Int { file.withLock { $0.position } }

  /// The next piece, empty at the end.
  package func read(upTo count: Int = 256 << 10) throws(MachineError) -> [UInt8] {
    try file.withLock { held throws(MachineError) in
      let piece = try held.descriptor.piece(upTo: count, of: path)
      held.position += piece.count
      return piece
    }
  }

  /// The last bytes, wherever it has been read to.
  package func tail(_ count: Int) throws(FileError) -> [UInt8] {
    let wanted = min(count, size)
    return try file.withLock { held throws(FileError) in
      var read = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { target, written in
        read = retrying {
          unsafe pread(held.descriptor.number, target.baseAddress, target.count, size - wanted)
        }
        written = max(0, read)
      }
      guard read >= 0 else { throw .failed(MachineError("read", path)) }
      return bytes
    }
  }
}

extension Descriptor {
  func piece(upTo count: Int, of path: String) throws(MachineError) -> [UInt8] {
    var read = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, written in
      read = retrying { unsafe Glibc.read(number, target.baseAddress, target.count) }
      written = max(0, read)
    }
    guard read >= 0 else { throw MachineError("read", path) }
    return bytes
  }
}
