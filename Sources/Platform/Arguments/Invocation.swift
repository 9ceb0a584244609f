/// What a command line asks for.
package enum Invocation: Sendable {
  case run(CommandSpec, Input)
  /// Help on a command, a noun, or (empty) the program.
  case help(of: [String], Input)
  case version(Input)
}

extension Program {
  /// Reads the words after the program's own name.
  package func read(_ words: [String]) throws(UsageError) -> Invocation {
    let route = Route(of: words, in: self)
    let plain = words.prefix { $0 != "--" }
    let wantsHelp = plain.contains("--help") || plain.contains("-h")
    if wantsHelp || route.path.isEmpty && !plain.contains("--version") && route.stray == nil {
      try route.refuseUnknown()
      if !wantsHelp {
        var reading = Reading(CommandSpec("", "", examples: []), in: self)
        _ = try reading.read(words, without: [])
      }
      return .help(of: route.path, Input(command: route.path, texts: flagsOnly(plain)))
    }
    if plain.contains("--version") {
      return .version(Input(command: [], texts: flagsOnly(plain)))
    }
    let command = try route.command()
    var reading = Reading(command, in: self)
    do throws(UsageError) {
      let input = try reading.read(words, without: route.places)
      if input.has(Program.help) { return .help(of: command.path, input) }
      return .run(command, input)
    } catch {
      var error = error
      error.command = command.path
      switch error.problem {
      case .missingArgument, .tooManyArguments: error.usage = command.usage(of: name)
      default: break
      }
      throw error
    }
  }

  /// The switches among the words, for help and version, which forgive everything else.
  private func flagsOnly(_ words: ArraySlice<String>) -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for flag in globals where !flag.takesValue && words.contains("--" + flag.name) {
      texts[flag.key] = [""]
    }
    return texts
  }
}
