/// Sorts the words of a line into the parameters of its command.
struct Reading {
  private let program: Program
  private let command: CommandSpec
  private let flags: [Parameter]
  private var texts: [String: [String]] = [:]
  private var positional: [String] = []

  init(_ command: CommandSpec, in program: Program) {
    (self.command, self.program) = (command, program)
    flags = command.flags + program.globals
  }

  mutating func read(_ words: [String], without places: Set<Int>) throws(UsageError) -> Input {
    var index = 0
    var flagsEnded = false
    while index < words.count {
      let word = words[index]
      let next = index + 1 < words.count ? words[index + 1] : nil
      if places.contains(index) || flagsEnded {
        if !places.contains(index) { positional.append(word) }
      } else if word == "--" {
        flagsEnded = true
      } else if word.hasPrefix("--") {
        if try long(word, next) { index += 1 }
      } else if word.hasPrefix("-"), word != "-", !isNegativeNumber(word) {
        if try cluster(word, next) { index += 1 }
      } else {
        positional.append(word)
      }
      index += 1
    }
    if texts[Program.help.parameter.key] == nil {
      try placeArguments()
      for parameter in command.parameters + program.globals {
        try parameter.check(texts[parameter.key] ?? [])
      }
    }
    return Input(command: command.path, texts: texts)
  }

  /// A long flag; yes when it has used the next word up.
  private mutating func long(_ word: String, _ next: String?) throws(UsageError) -> Bool {
    let body = word.dropFirst(2)
    let name = body.prefix { $0 != "=" }
    guard let flag = flags.first(where: { $0.name == name }) else {
      throw unknown("--" + name)
    }
    guard name.count == body.count else {
      guard flag.takesValue else {
        throw UsageError(.unwantedValue, "--\(name) takes no value")
      }
      try add(String(body.dropFirst(name.count + 1)), to: flag)
      return false
    }
    return try take(flag, next)
  }

  /// `-abc`, `-n5`, `-n 5`; yes when the next word is used up.
  private mutating func cluster(_ word: String, _ next: String?) throws(UsageError) -> Bool {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let flag = flags.first(where: { $0.short == letter }) else {
        // One dash before a long name is a common slip.
        let whole = word.dropFirst().prefix { $0 != "=" }
        let meant = flags.first { $0.name == whole }.map { ["--" + $0.name] }
        throw UsageError(.unknownFlag, "unknown flag '-\(letter)'", suggestions: meant ?? [])
      }
      guard flag.takesValue else {
        if letters.first == "=" {
          throw UsageError(.unwantedValue, "-\(letter) (--\(flag.name)) takes no value")
        }
        try add("", to: flag)
        continue
      }
      guard !letters.isEmpty else { return try take(flag, next) }
      try add(String(letters.first == "=" ? letters.dropFirst() : letters), to: flag)
      return false
    }
    return false
  }

  /// A flag without a value attached: its value, if it needs one, is the next word.
  private mutating func take(_ flag: Parameter, _ next: String?) throws(UsageError) -> Bool {
    guard flag.takesValue else {
      try add("", to: flag)
      return false
    }
    // A flag in the value's place means that the value was forgotten.
    guard let next, next == "-" || !next.hasPrefix("-") || isNegativeNumber(next) else {
      throw UsageError(
        .missingValue, "--\(flag.name) needs a value: --\(flag.name) \(flag.placeholder)")
    }
    try add(next, to: flag)
    return true
  }

  /// Twice with one value is harmless, twice with two is a contradiction. Only what goes for all
  /// commands may be overruled by a later word: aliases and wrappers set it in front.
  private mutating func add(_ text: String, to flag: Parameter) throws(UsageError) {
    if flag.role == .option, !flag.isRepeatable, let earlier = texts[flag.key]?.last,
      earlier != text, !program.globals.contains(where: { $0.name == flag.name })
    {
      throw UsageError(.givenTwice, "--\(flag.name) is given twice: '\(earlier)' and '\(text)'")
    }
    texts[flag.key, default: []].append(text)
  }

  private func unknown(_ typed: String) -> UsageError {
    let near = nearest(to: String(typed.dropFirst(2)), among: flags.map(\.name))
    return UsageError(
      .unknownFlag, "unknown flag '\(typed)'", suggestions: near.map { "--" + $0 })
  }

  private func isNegativeNumber(_ word: String) -> Bool {
    guard word.hasPrefix("-"), Double(word) != nil else { return false }
    return word.dropFirst().allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
  }

  private mutating func placeArguments() throws(UsageError) {
    var left = positional[...]
    for argument in command.arguments {
      switch argument.presence {
      case .required:
        guard let word = left.popFirst() else { throw missing(argument) }
        texts[argument.key] = [word]
      case .optional:
        if let word = left.popFirst() { texts[argument.key] = [word] }
      case .repeated(let least):
        guard left.count >= least else { throw missing(argument) }
        if !left.isEmpty { texts[argument.key] = Array(left) }
        left = []
      }
    }
    guard left.isEmpty else {
      let extra = left.map { "'\($0)'" }.joined(separator: " ")
      let takes = command.arguments.isEmpty ? "takes no arguments" : "takes no more arguments"
      throw UsageError(.tooManyArguments, "\(command.name) \(takes): \(extra) is too many")
    }
  }

  private func missing(_ argument: Parameter) -> UsageError {
    UsageError(.missingArgument, "missing argument \(argument.placeholder)")
  }
}
