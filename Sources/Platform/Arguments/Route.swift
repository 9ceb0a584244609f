/// Finds the command among words in which flags may stand anywhere. A flag before its command is
/// looked up in all commands, only to know whether the next word is its value.
struct Route {
  private let program: Program
  private(set) var path: [String] = []
  /// Where in the line the words of the path stand.
  private(set) var places: Set<Int> = []
  /// The first word that leads nowhere.
  private(set) var stray: String?

  init(of words: [String], in program: Program) {
    self.program = program
    var index = 0
    var flagsEnded = false
    while index < words.count {
      let word = words[index]
      if !flagsEnded, word == "--" {
        flagsEnded = true
      } else if !flagsEnded, word.hasPrefix("-"), word != "-" {
        if Self.wantsNext(word, in: program) { index += 1 }
      } else if !follow(word, at: index) {
        return
      }
      index += 1
    }
  }

  /// Goes one word further; no when the command is complete or the word is unknown.
  private mutating func follow(_ word: String, at index: Int) -> Bool {
    let longer = path + [word]
    let leads = program.commands.contains { command in
      ([command.path] + command.aliases).contains { $0.starts(with: longer) }
    }
    guard leads else {
      if program.command(at: path) == nil { stray = word }
      return false
    }
    path = longer
    places.insert(index)
    return true
  }

  func command() throws(UsageError) -> CommandSpec {
    try refuseUnknown()
    if let command = program.command(at: path) { return command }
    let verbs = program.words(after: path).map(\.term)
    var error = UsageError(
      .missingCommand,
      "'\(program.name) \(path.joined(separator: " "))' needs one of: "
        + verbs.joined(separator: ", "))
    error.command = path
    throw error
  }

  func refuseUnknown() throws(UsageError) {
    guard let stray else { return }
    let typed = (path + [stray]).joined(separator: " ")
    var near = nearest(to: stray, among: candidates)
      .map { (path + [$0]).joined(separator: " ") }
    if near.isEmpty, path.isEmpty {
      // A verb without its noun: `show` for `config show`.
      near = program.shown.filter { $0.path.count > 1 && $0.path.last == stray }.map(\.name)
    }
    var error = UsageError(.unknownCommand, "unknown command '\(typed)'", suggestions: near)
    error.command = path
    throw error
  }

  private var candidates: [String] {
    program.shown.flatMap { [$0.path] + $0.aliases }
      .filter { $0.count > path.count && $0.starts(with: path) }
      .map { $0[path.count] }
  }

  private static func wantsNext(_ word: String, in program: Program) -> Bool {
    guard !word.contains("=") else { return false }
    let known = program.globals + program.commands.flatMap(\.flags)
    if word.hasPrefix("--") {
      return known.first { $0.name == word.dropFirst(2) }?.takesValue ?? false
    }
    // In a cluster the first that takes a value takes the rest, or the next word.
    for (place, letter) in word.dropFirst().enumerated() {
      guard let flag = known.first(where: { $0.short == letter }) else { return false }
      if flag.takesValue { return place == word.count - 2 }
    }
    return false
  }
}
