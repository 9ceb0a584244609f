import Glibc

/// Keeps SIGPIPE from ending the process while OpenSSL writes to a socket whose other end is gone.
/// The signal is blocked only for the call, and taken away if it came: a thread that blocked it for
/// good would pass that on to every thread the runtime starts from it, and so to child processes,
/// which then could not be ended as their users expect.
func withoutBrokenPipes<T>(_ work: () -> T) -> T {
  var pipe = sigset_t()
  var before = sigset_t()
  unsafe sigemptyset(&pipe)
  unsafe sigaddset(&pipe, SIGPIPE)
  guard unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before) == 0 else { return work() }
  defer {
    var atOnce = timespec()
    while unsafe sigtimedwait(&pipe, nil, &atOnce) == SIGPIPE {}
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }
  return work()
}
