package import TextSafety

/// What `--help` prints: examples first, because most people came for one; then the flags most
/// people need; then everything else.
package struct HelpPage {
  private let program: Program
  private let layout: TextLayout

  package init(_ program: Program, _ layout: TextLayout) {
    (self.program, self.layout) = (program, layout)
  }

  /// The page of a command, of a noun, or of the program. Nil for a path that is none of these.
  package func text(of path: [String]) -> TerminalText? {
    if let command = program.command(at: path) { return text(of: command) }
    guard !program.commands(below: path).isEmpty else { return nil }
    return path.isEmpty ? overview() : text(ofNoun: path)
  }

  private func overview() -> TerminalText {
    let (common, rest) = split(program.globals)
    return joined([
      layout.wrap("\(program.name) - \(program.summary)"),
      section("Examples", examples(program.examples)),
      section("Usage", layout.wrap("\(program.name) COMMAND [flags]", indent: 2)),
      section("Commands", table(program.shown.map { ($0.name, $0.summary) })),
      section("Common flags", table(common.map(row))),
      section("More flags", table(rest.map(row))),
      section("More help", table(moreHelp)),
    ])
  }

  private var moreHelp: [(term: String, meaning: String)] {
    [("\(program.name) help COMMAND", "All about one command, with examples.")]
      + program.topics.map { ("\(program.name) help \($0.term)", $0.meaning) }
  }

  private func text(ofNoun path: [String]) -> TerminalText {
    let noun = path.joined(separator: " ")
    let commands = program.commands(below: path)
    let summary = program.nouns.first { $0.name == noun }?.summary ?? ""
    return joined([
      layout.wrap("\(program.name) \(noun) - \(summary)"),
      section("Examples", examples(commands.prefix(2).compactMap(\.examples.first))),
      section("Usage", layout.wrap("\(program.name) \(noun) COMMAND [flags]", indent: 2)),
      section("Commands", table(commands.map { ($0.name, $0.summary) })),
      section("More help", table([moreHelp[0]])),
    ])
  }

  private func text(of command: CommandSpec) -> TerminalText {
    let (common, rest) = split(command.flags)
    let often = program.globals.filter(\.isCommon)
    let aliases = command.aliases.map { ($0.joined(separator: " "), "") }
    let exits = program.exits.filter { note in
      command.exits.contains { "\($0)" == note.term } || ["0", "2"].contains(note.term)
    }
    let variables = program.environment.filter { command.environment.contains($0.term) }
    return joined([
      layout.wrap("\(program.name) \(command.name) - \(command.summary)"),
      section("Examples", examples(command.examples)),
      section("Usage", layout.wrap("\(command.usage(of: program.name))", indent: 2, hanging: 6)),
      command.discussion.isEmpty ? "" : layout.wrap(TerminalText(lines: command.discussion)),
      section("Arguments", table(command.arguments.map(row))),
      section("Flags", table((common + rest).map(row))),
      section("Flags of every command", table(often.map(row) + [allFlags])),
      section("Also called", table(aliases)),
      section("Environment", table(variables.map { ($0.term, $0.meaning) })),
      section("Exit codes", table(exits.map { ($0.term, $0.meaning) })),
    ])
  }

  private var allFlags: (term: String, meaning: String) {
    ("...", "All of them: \(program.name) --help")
  }

  private func examples(_ examples: some Sequence<CommandSpec.Example>) -> TerminalText {
    examples.map { example in
      "  \(example.line)\n" + layout.wrap("\(example.meaning)", indent: 6)
    }.joined(separator: "\n")
  }

  private func table(_ rows: [(term: String, meaning: String)]) -> TerminalText {
    layout.table(rows)
  }

  private func section(_ title: TerminalText, _ body: TerminalText) -> TerminalText {
    body.isEmpty ? "" : layout.heading(title) + "\n" + body
  }

  private func joined(_ sections: [TerminalText]) -> TerminalText {
    sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func split(_ flags: [Parameter]) -> (common: [Parameter], rest: [Parameter]) {
    (flags.filter(\.isCommon), flags.filter { !$0.isCommon })
  }

  private func row(_ parameter: Parameter) -> (term: String, meaning: String) {
    (parameter.helpTerm, parameter.fullHelp)
  }
}

extension Parameter {
  /// `-o, --output FILE`; long names stand under one another.
  var helpTerm: String {
    guard role != .argument else { return placeholder }
    let start = short.map { "-\($0), " } ?? "    "
    return start + "--" + name + (takesValue ? " " + placeholder : "")
  }

  /// The help, and what can be said without writing it by hand.
  var fullHelp: String {
    var text = help
    if case .choices(let words) = completion, words.count <= 12 {
      text += " One of: \(words.joined(separator: ", "))."
    }
    if let defaultText { text += " Default: \(defaultText)." }
    if isRepeatable, role != .argument { text += " May be repeated." }
    return text
  }
}
