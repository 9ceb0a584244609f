import Arguments
import Console
import Setup
import TextSafety

/// What a command may use beside its own input.
struct App: Sendable {
  let surroundings: Surroundings
  let output: Output
  let questions: Questions
  let trace: Trace
  let hangups = Hangups()
  /// Nil in the small program, which becomes the large one where a command needs it.
  let engine: (any Engine)?
  /// Nil where no command about book files runs.
  let books: (any BookFiles)?
  private let globals: Input

  init(
    _ input: Input, _ surroundings: Surroundings, _ trace: Trace, engine: (any Engine)? = nil,
    books: (any BookFiles)? = nil
  ) throws(CommandError) {
    self.surroundings = surroundings
    (self.engine, self.books) = (engine, books)
    self.trace = trace
    globals = input
    output = try Output(input, surroundings)
    questions = Questions(input, surroundings)
  }

  /// The engine, for a command that said it needs one.
  func needed() throws(CommandError) -> any Engine {
    guard let engine else {
      throw CommandError(.unexpected, "a command that needs the engine runs without it")
    }
    return engine
  }

  /// The patron of --as.
  var patron: String? { global(GlobalFlags.patron) }

  /// The folder of --home alone, as it was given.
  var home: String? { global(GlobalFlags.home) }

  func places() throws(CommandError) -> Places {
    try Places(home: global(GlobalFlags.home), surroundings)
  }

  /// The settings file that counts, and whether it was named and so must be there.
  func settingsFile() throws(CommandError) -> (path: String, isNamed: Bool) {
    if let path = global(GlobalFlags.config) { return (path, true) }
    if let name = global(GlobalFlags.profile) { return try profile(name) }
    if let path = surroundings["CARREL_CONFIG"] { return (path, true) }
    if let name = surroundings["CARREL_PROFILE"] { return try profile(name) }
    return (try places().settings, false)
  }

  /// With every fault under `libraries:` where they are checked; that takes the engine.
  func configuration(
    _ flags: [ConfigurationSources.FlagValue] = [], checkingLibraries: Bool = false
  ) throws(CommandError) -> Configuration {
    var sources = ConfigurationSources(
      flags: globalValues + flags, environment: surroundings.environment)
    if checkingLibraries { sources.libraryCheck = try libraryCheck() }
    let (path, isNamed) = try settingsFile()
    try sources.add(path, isNeeded: isNamed)
    if !(try places().isContained), path != surroundings.systemFile {
      try sources.add(surroundings.systemFile, isNeeded: false)
    }
    trace.note("read settings from \(sources.files.map(\.path).joined(separator: ", "))")
    return try SettingsReading.configuration(&sources, beside: path)
  }

  /// What finds the faults of libraries, for a command that said it needs the engine.
  func libraryCheck() throws(CommandError) -> ConfigurationSources.LibraryCheck {
    let engine = try needed()
    return { engine.faults(of: $0, endpoints: $1) }
  }

  /// Global flags that are settings by another name.
  private var globalValues: [ConfigurationSources.FlagValue] {
    var values: [ConfigurationSources.FlagValue] = []
    if let timeout = global(GlobalFlags.timeout) {
      let text = WrittenDuration(timeout).description
      values.append(.init("--timeout", sets: "http.deadline", to: text))
    }
    if output.isQuiet { values.append(.init("--quiet", sets: "log.level", to: "error")) }
    if let count = try? globals[GlobalFlags.verbose], count > 0 {
      values.append(.init("--verbose", sets: "log.level", to: "debug"))
    }
    return values
  }

  private func profile(_ name: String) throws(CommandError) -> (path: String, isNamed: Bool) {
    guard !name.contains("/"), !name.hasPrefix(".") else {
      throw CommandError(.badValue, "--profile must be a name, not '\(name)'")
    }
    return ("\(try places().profiles)/\(name).yaml", true)
  }

  /// Global flags have been checked with all others, so reading one cannot fail any more.
  private func global<Value>(_ option: Option<Value?>) -> Value? {
    (try? globals[option]) ?? nil
  }
}
