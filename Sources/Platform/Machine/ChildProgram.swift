import Glibc

/// A program to start: its arguments as a list, never a line for a shell to take apart.
package struct ChildProgram: Sendable {
  package enum Stream: Sendable, Hashable {
    case inherited, nothing, pipe
    case descriptor(Int32)
  }

  package var name: String
  package var arguments: [String]
  package var environment: Environment
  package var input = Stream.inherited
  package var output = Stream.inherited
  package var error = Stream.inherited

  /// A name without a slash is looked for in this process's PATH.
  package init(_ name: String, _ arguments: [String] = [], environment: Environment) {
    (self.name, self.arguments, self.environment) = (name, arguments, environment)
  }

  package func start() throws(MachineError) -> ChildProcess {
    let words = [name] + arguments
    let settings = environment.variables.map { "\($0.key)=\($0.value)" }
    // A zero byte would end the word early, and the program would see another one.
    guard !(words + settings).contains(where: { $0.utf8.contains(0) }) else {
      throw MachineError(code: EINVAL, attempt: "start", subject: name)
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var (ours, theirs): ([Int32?], [Int32]) = ([], [])
    defer { for end in theirs { close(end) } }
    for (place, stream) in [input, output, error].enumerated() {
      var end: Int32?
      switch stream {
      case .inherited: break
      case .nothing:
        unsafe posix_spawn_file_actions_addopen(&actions, Int32(place), "/dev/null", O_RDWR, 0)
      case .descriptor(let number):
        unsafe posix_spawn_file_actions_adddup2(&actions, number, Int32(place))
      case .pipe:
        guard let ends = Doors.pipe() else {
          let failure = MachineError("start", name)
          for case let end? in ours { close(end) }
          throw failure
        }
        let (kept, given) = place == 0 ? (ends.write, ends.read) : (ends.read, ends.write)
        theirs.append(given)
        unsafe posix_spawn_file_actions_adddup2(&actions, given, Int32(place))
        end = kept
      }
      ours.append(end)
    }
    var child: pid_t = 0
    let code = unsafe spawn(&child, words, settings, &actions)
    guard code == 0 else {
      for case let end? in ours { close(end) }
      throw MachineError(code: code, attempt: "start", subject: name)
    }
    return ChildProcess(id: child, input: ours[0], output: ours[1], error: ours[2])
  }

  private func spawn(
    _ child: inout pid_t, _ words: [String], _ settings: [String],
    _ actions: UnsafePointer<posix_spawn_file_actions_t>
  ) -> Int32 {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // What we ignore or block is our business: a pager must die of a closed pipe and hear Ctrl-C.
    var (all, none) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let argv = unsafe words.map { unsafe strdup($0) } + [nil]
    let envp = unsafe settings.map { unsafe strdup($0) } + [nil]
    let copies = unsafe argv + envp
    defer { for place in unsafe copies.indices { unsafe free(copies[place]) } }
    return unsafe posix_spawnp(&child, name, actions, &attributes, argv, envp)
  }
}
