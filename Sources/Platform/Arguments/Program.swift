/// The whole command line as one value.
package struct Program: Sendable {
  /// A word that groups verbs: `config`.
  package struct Noun: Sendable, Hashable {
    package let name: String
    package let summary: String

    package init(_ name: String, _ summary: String) { (self.name, self.summary) = (name, summary) }
  }

  /// A line of a reference table: an exit code, a variable, a file.
  package struct Note: Sendable, Hashable {
    package let term: String
    package let meaning: String

    package init(_ term: String, _ meaning: String) { (self.term, self.meaning) = (term, meaning) }
  }

  package static let help = Flag("help", short: "h", "Print help and stop.", common: true)
  package static let version = Flag("version", "Print the version and stop.")

  package let name: String
  /// What it is, in a line without a full stop.
  package let summary: String
  package let discussion: String
  package let release: String
  package let examples: [CommandSpec.Example]
  package let nouns: [Noun]
  /// In the order of the manual.
  package let commands: [CommandSpec]
  package let globals: [Parameter]
  package let exits: [Note]
  package let environment: [Note]
  package let files: [Note]
  /// Further pages that `help` can show: `errors`.
  package let topics: [Note]

  package init(
    name: String, summary: String, discussion: String, release: String,
    examples: [CommandSpec.Example], nouns: [Noun], commands: [CommandSpec],
    globals: [any Declared], exits: [Note], environment: [Note], files: [Note], topics: [Note]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.release = release
    self.examples = examples
    self.nouns = nouns
    self.commands = commands
    self.globals = [Self.help.parameter, Self.version.parameter] + globals.map(\.parameter)
    self.exits = exits
    self.environment = environment
    self.files = files
    self.topics = topics
  }

  package var shown: [CommandSpec] { commands.filter { !$0.isHidden } }

  package func command(at path: [String]) -> CommandSpec? {
    commands.first { $0.path == path || $0.aliases.contains(path) }
  }

  /// Commands that stand below a word, in the order of the manual.
  package func commands(below path: [String]) -> [CommandSpec] {
    shown.filter { $0.path.count > path.count && $0.path.starts(with: path) }
  }

  /// The words that may follow a path, each with its meaning.
  package func words(after path: [String]) -> [Note] {
    var notes: [Note] = []
    for command in commands(below: path) {
      let word = command.path[path.count]
      guard !notes.contains(where: { $0.term == word }) else { continue }
      let isLeaf = command.path.count == path.count + 1
      let noun = nouns.first { $0.name == (path + [word]).joined(separator: " ") }
      notes.append(Note(word, isLeaf ? command.summary : noun?.summary ?? command.summary))
    }
    return notes
  }
}
