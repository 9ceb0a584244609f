import Glibc

/// Keeps two processes out of one folder. The kernel's lock is the truth and ends with its process,
/// however that ends; the number in the file only tells people whom to look for.
package struct ProcessLock: ~Copyable, Sendable {
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case held(path: String, process: Int32?)
    case failed(MachineError)

    package var description: String {
      switch self {
      case .held(let path, let process?): "\(path) is in use by process \(process)"
      case .held(let path, nil): "\(path) is in use by another process"
      case .failed(let error): error.description
      }
    }
  }

  private let file: Descriptor

  /// Held until the value ends. The file stays: removing it would let two processes lock two files
  /// of one name. Shared ones go together, and keep out whoever wants it alone.
  package init(at path: String, shared: Bool = false) throws(Failure) {
    file = try Self.locked(path, shared).get()
  }

  private static func locked(_ path: String, _ shared: Bool) -> LockResult {
    do throws(MachineError) {
      let file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, attempt: "lock")
      guard retrying({ flock(file.number, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) }) == 0 else {
        guard errno == EWOULDBLOCK else { throw MachineError("lock", path) }
        let written = String(decoding: try file.read(upTo: 20, of: path), as: UTF8.self)
        let process = Int32(written.prefix { $0.isNumber })
        return .failure(.held(path: path, process: process))
      }
      if shared { return .success(file) }
      guard ftruncate(file.number, 0) == 0 else { throw MachineError("lock", path) }
      try file.write(Array("\(getpid())\n".utf8), to: path)
      return .success(file)
    } catch {
      return .failure(.failed(error))
    }
  }

  private enum LockResult: ~Copyable {
    case success(Descriptor)
    case failure(Failure)

    consuming func get() throws(Failure) -> Descriptor {
      switch consume self {
      case .success(let file): return file
      case .failure(let failure): throw failure
      }
    }
  }
}
