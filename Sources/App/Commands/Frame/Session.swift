import Arguments
import Console
package import Setup
import TextSafety

/// One run of the program, from words to an exit code.
package struct Session: Sendable {
  private let words: [String]
  private let surroundings: Surroundings
  private let trace: Trace
  private let engine: (any Engine)?
  private let books: (any BookFiles)?

  /// The process as it is, from its words to the exit it leaves with. What is answered from memory
  /// needs no task, no second thread and no watch on signals, and is half the time of a start.
  package static func main(_ engine: (any Engine)?, _ books: (any BookFiles)?) -> Never {
    Process.takeSignals()
    Process.reportCrashes()
    let words = Array(CommandLine.arguments.dropFirst())
    // Before anything is read: that would be read again there.
    if books == nil, words.first == "epub", let program = program("carrel-book") {
      Process.become(program, words)
    }
    let session = Session(words, Surroundings.current, engine, books)
    let step = session.begin()
    if case .over(let code) = step { Process.leave(with: session.end(code).rawValue) }
    Task.detached { Process.leave(with: await session.goOn(step).rawValue) }
    Process.park()
  }

  init(
    _ words: [String], _ surroundings: Surroundings, _ engine: (any Engine)? = nil,
    _ books: (any BookFiles)? = nil
  ) {
    (self.words, self.surroundings) = (words, surroundings)
    (self.engine, self.books) = (engine, books)
    trace = Trace(words, surroundings)
  }

  func run() async -> ExitCode { await goOn(begin()) }

  private enum Step: Sendable {
    case over(ExitCode)
    case command(any Command, Input, App)
  }

  private func goOn(_ step: Step) async -> ExitCode {
    switch step {
    case .over(let code): return end(code)
    case .command(let command, let input, let app):
      do {
        try await run(command, input, app)
        return end(.done)
      } catch {
        return end(complain(error))
      }
    }
  }

  private func end(_ code: ExitCode) -> ExitCode {
    let places = try? Places(home: wordAfter("--home"), surroundings)
    if let file = trace.finish(in: places, surroundings) { say("trace: \(file)\n") }
    return code
  }

  /// Reads the words, and answers at once what can be.
  private func begin() -> Step {
    do {
      switch try Program.carrel.read(words) {
      case .help(let path, let input):
        let app = try App(input, surroundings, trace, engine: engine)
        try HelpCommand.show(path, in: app)
        return .over(.done)
      case .version(let input):
        if VersionCommand.needsEngine(input) { try becomeLarge() }
        let app = try App(input, surroundings, trace, engine: engine)
        try VersionCommand.show(short: true, in: app)
        return .over(.done)
      case .run(let spec, let input):
        guard let command = allCommands.first(where: { $0.spec.path == spec.path }) else {
          throw CommandError(.unexpected, "the command \(spec.name) has no code")
        }
        let app = try App(input, surroundings, trace, engine: engine, books: books)
        if command.needsEngine(input) {
          try becomeLarge()
        } else if command.opensBook(input), books == nil {
          try become("carrel-book")
        }
        trace.note("running \(spec.name)")
        let one = command.init()
        return try one.answerAtOnce(input, in: app) ? .over(.done) : .command(one, input, app)
      }
    } catch {
      return .over(complain(error))
    }
  }

  /// Does nothing in the large program; the small one never comes back from it.
  private func becomeLarge() throws(CommandError) {
    if engine == nil { try become("carrel-gateway") }
  }

  private func become(_ name: String) throws(CommandError) {
    guard let own = Process.executable else {
      throw CommandError(.incompleteInstall, "carrel does not know where it is installed")
    }
    if let program = Self.program(name) { Process.become(program, words) }
    throw CommandError(.incompleteInstall, "\(name) is missing beside \(own)")
  }

  /// Beside this one in a checkout, under libexec when installed.
  private static func program(_ name: String) -> String? {
    guard let own = Process.executable, let slash = own.lastIndex(of: "/") else { return nil }
    let folder = own[..<slash]
    return ["\(folder)/\(name)", "\(folder)/../libexec/carrel/\(name)"].first(where: Files.exists)
  }

  /// The command is a task, so that Ctrl-C can ask it to stop and let it tidy up.
  private func run(_ command: any Command, _ input: Input, _ app: App) async throws {
    let task = Task { try await command.run(input, in: app) }
    let kind = type(of: command)
    let keys = Interruption.watch(
      task, patience: kind.patience, hangups: kind.takesHangups ? app.hangups : nil)
    try await task.value
    if keys.wereStruck { throw CancellationError() }
  }

  private func complain(_ error: any Error) -> ExitCode {
    let failure = Self.failure(error, words)
    trace.note(
      "failed: \(failure.code.rawValue): \(failure.message); \(String(describing: type(of: error)))"
    )
    let plain = words.prefix { $0 != "--" }
    let isJSON = plain.contains("--json") || plain.contains("--jsonl")
    say(isJSON ? failure.json : surroundings.asides.fitted(failure.text))
    return failure.code.exit
  }

  /// The one place where errors become messages.
  static func failure(_ error: any Error, _ words: [String]) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let error as UsageError: CommandError(error)
    case let error as ConfigurationError: CommandError(error)
    case let error as ServeError: CommandError(error)
    case is CancellationError: CommandError(.interrupted, "interrupted")
    default: unexpected(error, words)
    }
  }

  private static func unexpected(_ error: any Error, _ words: [String]) -> CommandError {
    var failure = CommandError(
      .unexpected, "carrel met a fault of its own: \(error)",
      try: ShellCommand(words: ["carrel"] + words + ["--debug"]))
    failure.details = ["This is a bug. Run it again with --debug and report it with the trace."]
    return failure
  }

  private func wordAfter(_ flag: String) -> String? {
    if let joined = words.last(where: { $0.hasPrefix(flag + "=") }) {
      return String(joined.dropFirst(flag.count + 1))
    }
    guard let place = words.firstIndex(of: flag), place + 1 < words.count else { return nil }
    return words[place + 1]
  }

  private func say(_ text: TerminalText) {
    Waiting.clear()
    try? OutputStream.error.write(text)
  }
}
