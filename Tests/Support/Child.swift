import Foundation
import Synchronization

/// A spawned process with its three pipes. Standard error goes to an unnamed file and can never block
/// the child.
final class Child: Sendable {
  let pid: pid_t

  private struct State {
    var input: Int32
    var unread: [UInt8] = []
    var end: ProcessEnd?
  }

  private let output: Int32
  private let errors: Int32
  private let state: Mutex<State>

  /// Held from making pipes to spawning: no other child may inherit an end of them, since it would then
  /// keep this one from seeing the end of its input.
  private static let spawning = Mutex(())

  init(
    _ program: String, _ arguments: [String], environment: [String: String], folder: String?
  ) throws {
    // The C library's module has no way to start a child in a folder.
    let words = (folder.map { ["env", "-C", $0] } ?? []) + [program] + arguments
    let variables = ProcessInfo.processInfo.environment.merging(environment) { _, added in added }
    let settings = variables.map { "\($0.key)=\($0.value)" }
    let (pid, input, output, errors) = try Self.spawning.withLock { _ in
      let (childInput, input) = try Self.pipe()
      let (output, childOutput) = try Self.pipe()
      let errors = try Self.unnamedFile()
      defer {
        close(childInput)
        close(childOutput)
      }
      let pid = try Self.spawn(words, settings, [childInput, childOutput, errors])
      return (pid, input, output, errors)
    }
    (self.pid, self.output, self.errors) = (pid, output, errors)
    state = Mutex(State(input: input))
  }

  deinit {
    closeInput()
    close(output)
    close(errors)
    if state.withLock({ $0.end }) == nil, pid > 0 {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      _ = unsafe waitpid(pid, &status, 0)
    }
  }

  func write(_ bytes: [UInt8]) throws {
    let input = state.withLock { $0.input }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(input, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw TestSupportError("the child reads no more") }
      rest = rest.dropFirst(count)
    }
  }

  func closeInput() {
    let input = state.withLock { state in
      defer { state.input = -1 }
      return state.input
    }
    if input >= 0 { close(input) }
  }

  /// Signals its group: the child may have children.
  func send(_ signal: Int32) {
    let isRunning = state.withLock { $0.end == nil }
    if isRunning, kill(-pid, signal) != 0 { kill(pid, signal) }
  }

  /// Signals its main thread alone. The kernel gives a signal to a process to any thread that takes it.
  func sendToMainThread(_ signal: Int32) throws {
    typealias Kill = @convention(c) (pid_t, pid_t, Int32) -> Int32
    // The C library's module does not have it.
    guard let symbol = unsafe dlsym(nil, "tgkill") else { throw TestSupportError("no tgkill") }
    guard unsafe unsafeBitCast(symbol, to: Kill.self)(pid, pid, signal) == 0 else {
      throw TestSupportError("the child cannot be signalled")
    }
  }

  /// What comes before the next such byte, or the rest; nil at the end of the output.
  func next(to mark: UInt8, until limit: ContinuousClock.Instant) throws -> [UInt8]? {
    var looked = 0
    while true {
      let piece: [UInt8]? = state.withLock { state in
        guard let end = state.unread[looked...].firstIndex(of: mark) else {
          looked = state.unread.count
          return nil
        }
        let piece = Array(state.unread[..<end])
        state.unread.removeSubrange(...end)
        return piece
      }
      if let piece { return piece }
      guard let bytes = try readOutput(until: limit) else {
        let rest = state.withLock { state in
          defer { state.unread = [] }
          return state.unread
        }
        return rest.isEmpty ? nil : rest
      }
      state.withLock { $0.unread += bytes }
    }
  }

  /// Feeds the input and collects the output at the same time, since either pipe may be full.
  func converse(_ input: [UInt8], until limit: ContinuousClock.Instant) throws -> FinishedProcess {
    if input.isEmpty {
      closeInput()
    } else {
      Thread.detachNewThread {
        try? self.write(input)
        self.closeInput()
      }
    }
    var collected: [UInt8] = []
    while let bytes = try readOutput(until: limit) { collected += bytes }
    let end = try waitForEnd(until: limit)
    return FinishedProcess(end: end, output: collected, errors: errorsSoFar())
  }

  func waitForEnd(until limit: ContinuousClock.Instant) throws -> ProcessEnd {
    while true {
      if let end = state.withLock({ $0.end }) { return end }
      var status: Int32 = 0
      if unsafe waitpid(pid, &status, WNOHANG) == pid {
        let end: ProcessEnd =
          status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
        state.withLock { $0.end = end }
        return end
      }
      guard ContinuousClock.now < limit else { throw overdue() }
      usleep(2000)
    }
  }

  func errorsSoFar() -> [UInt8] {
    var collected: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe pread(errors, &chunk, chunk.count, off_t(collected.count))
      guard count > 0 else { return collected }
      collected += chunk[..<count]
    }
  }

  private func readOutput(until limit: ContinuousClock.Instant) throws -> ArraySlice<UInt8>? {
    while true {
      let left = ContinuousClock.now.duration(to: limit)
      guard left > .zero else { throw overdue() }
      var file = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      unsafe poll(&file, 1, Int32(clamping: left.components.seconds * 1000 + 1))
      guard file.revents != 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let count = unsafe read(output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? chunk[..<count] : nil
    }
  }

  private func overdue() -> TestSupportError {
    send(SIGKILL)
    let words = String(decoding: errorsSoFar().suffix(2000), as: UTF8.self)
    return TestSupportError("process \(pid) took too long and was killed; it said: \(words)")
  }

  private static func spawn(
    _ words: [String], _ settings: [String], _ files: [Int32]
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (target, source) in files.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // A group of its own: a Ctrl-C for the tests is not for the child. No inherited signal mask.
    let flags = Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK)
    unsafe posix_spawnattr_setflags(&attributes, flags)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    let arguments = unsafe words.map { unsafe strdup($0) }
    let environment = unsafe settings.map { unsafe strdup($0) }
    defer {
      for index in unsafe arguments.indices { unsafe free(arguments[index]) }
      for index in unsafe environment.indices { unsafe free(environment[index]) }
    }
    var pid: pid_t = 0
    let code = unsafe posix_spawnp(
      &pid, words[0], &actions, &attributes, arguments + [nil], environment + [nil])
    guard code == 0 else {
      let reason = unsafe String(cString: strerror(code))
      throw TestSupportError("cannot start \(words[0]): \(reason)")
    }
    return pid
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw TestSupportError("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func unnamedFile() throws -> Int32 {
    var template = Array("\(NSTemporaryDirectory())/carrel-errors-XXXXXX".utf8CString)
    let file = unsafe mkstemp(&template)
    guard file >= 0 else { throw TestSupportError("no temporary file") }
    _ = unsafe unlink(template)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }
}
