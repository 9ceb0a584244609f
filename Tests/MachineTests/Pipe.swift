import Glibc

/// Two ends of a pipe, closed with it.
final class Pipe {
  let read: Int32
  let write: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    (read, write) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(read)
    close(write)
  }
}
