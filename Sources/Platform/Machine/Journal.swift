import Glibc

/// Whether what a descriptor takes goes straight to the journal, which then wants a priority before
/// each line. The variable alone proves nothing: it is inherited by programs with other outputs.
package enum Journal {
  package static func receives(_ descriptor: Int32 = 2, in environment: Environment) -> Bool {
    guard let stream = environment.nonEmpty("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
