import Glibc

extension WholeFile {
  /// Copies piece by piece, so that the size of a file does not matter. The target is there whole or
  /// not at all.
  package static func copy(_ path: String, to target: String, mode: UInt32 = 0o600)
    throws(FileError)
  {
    let source = try OpenFile(path)
    do throws(MachineError) {
      try replace(target, mode: mode) { () throws(MachineError) in try source.read() }
    } catch {
      throw .failed(error)
    }
  }
}
