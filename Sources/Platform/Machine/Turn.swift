import Glibc

/// One at a time, over all processes: whoever asks waits for the others. For steps that are short,
/// such as putting a file in its place and writing down that it is there. The kernel's lock is the
/// truth, and ends with its process.
package final class Turn: Sendable {
  private let file: Descriptor

  private init(_ file: consuming Descriptor) { self.file = file }

  /// Held until the value is gone. The file stays, for removing it would let two lock two files of
  /// one name.
  package static func taken(at path: String) async throws(MachineError) -> Turn {
    try await OwnThread.run {
      Result { () throws(MachineError) in
        let file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, attempt: "lock")
        guard retrying({ flock(file.number, LOCK_EX) }) == 0 else {
          throw MachineError("lock", path)
        }
        return Turn(file)
      }
    }.get()
  }

  /// Ends the turn at the end of the work and not at some later time.
  package func end() { _ = flock(file.number, LOCK_UN) }
}
