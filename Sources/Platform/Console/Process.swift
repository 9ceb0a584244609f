import CCrash
import Glibc

/// The process we are, and those we start.
package enum Process {
  /// From here on a closed pipe is an error of `write`, no longer a silent death, and is handled
  /// where it happens. Signals arrive whatever the parent left
  /// blocked: a program started from a thread pool inherits a mask that lets nothing through.
  package static func takeSignals() {
    signal(SIGPIPE, SIG_IGN)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
  }

  /// From here on a crash writes the functions on its stack to the error stream, without anything from
  /// memory, and ends the process by its signal. Only for the start of a program.
  package static func reportCrashes() { carrel_report_crashes() }

  /// Tells the C library which file its time zone is in, which is the one it takes anyway: else it looks
  /// that up for every time it converts, and an archive has one for each entry. Only for the start of
  /// a program, while there is no second thread.
  package static func settleTimeZone() { unsafe _ = setenv("TZ", ":/etc/localtime", 0) }

  /// At once. Nothing of ours waits in buffers, and `exit` would clear away what C libraries keep
  /// while threads that just end (of the network, of a database) clear away their share of it: one
  /// run in thousands freed something twice.
  package static func leave(with code: Int32) -> Never { _exit(code) }

  /// Where the running program lies.
  package static var executable: String? {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// Goes on as another program with the same process, streams and environment. Comes back only when
  /// that program cannot be started.
  package static func become(_ path: String, _ words: [String]) {
    unsafe withCStrings([path] + words) { arguments in _ = unsafe execv(path, arguments) }
  }

  package enum Ending: Sendable, Hashable {
    case exited(Int32)
    case killed(Int32)
    case notStarted(String)
  }

  /// Runs a program on our own terminal, as an editor or a pager is run, and waits for it. It blocks
  /// its thread; only a command that has nothing else to do calls it.
  package static func run(_ words: [String], environment: [String: String]) -> Ending {
    guard let name = words.first else { return .notStarted("no program is named") }
    let variables = environment.map { "\($0.key)=\($0.value)" }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    resetSignals(&attributes)
    var pid: pid_t = 0
    let code = unsafe withCStrings(words) { arguments in
      unsafe withCStrings(variables) { environment in
        unsafe posix_spawnp(&pid, name, nil, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { return .notStarted(unsafe String(cString: strerror(code))) }
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) == -1 {
      guard errno == EINTR else { return .notStarted(unsafe String(cString: strerror(errno))) }
    }
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal)
  }

  /// What we ignore and block for ourselves would otherwise be inherited.
  private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    var ours = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigemptyset(&ours)
    for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&ours, number) }
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &ours)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { for place in unsafe pointers.indices { unsafe free(pointers[place]) } }
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
  }
}

extension Process {
  /// The variables we were started with. They lie behind the arguments, where nothing that runs
  /// later can change them.
  package static var environment: [String: String] {
    var variables: [String: String] = [:]
    var next = unsafe CommandLine.unsafeArgv + Int(CommandLine.argc) + 1
    while let entry = unsafe next.pointee {
      let text = unsafe String(cString: entry)
      let name = text.prefix { $0 != "=" }
      if name.count < text.count {
        variables[String(name)] = String(text.dropFirst(name.count + 1))
      }
      unsafe next += 1
    }
    return variables
  }
}

extension Process {
  /// Keeps the first thread waiting until another one leaves. The waiting that belongs to an
  /// asynchronous `main` (dispatch_main) lets every signal in again, so a program that watches for
  /// signals starts its task itself and parks here.
  package static func park() -> Never {
    while true { pause() }
  }
}

extension Process {
  package static var id: Int32 { getpid() }
}
