/// Everything there is to say about one command. Parsing, help, the manual, the completion scripts
/// and the tests that guard them all read this, so they cannot drift apart.
package struct CommandSpec: Sendable {
  package struct Example: Sendable, Hashable {
    /// As it is typed, the program's name included.
    package let line: String
    package let meaning: String

    package init(_ line: String, _ meaning: String) { (self.line, self.meaning) = (line, meaning) }
  }

  /// `["config", "show"]`, or `["search"]` for a daily verb.
  package let path: [String]
  /// One sentence in the imperative.
  package let summary: String
  /// Paragraphs, with an empty line between.
  package let discussion: String
  package let examples: [Example]
  package let aliases: [[String]]
  /// Exit codes beside 0 and 2 that it may end with.
  package let exits: [Int]
  package let environment: [String]
  /// Hidden commands serve scripts; only the manual of the source tree knows them.
  package let isHidden: Bool
  package let parameters: [Parameter]

  package init(
    _ path: String, _ summary: String, discussion: String = "", examples: [Example],
    aliases: [String] = [], exits: [Int] = [], environment: [String] = [], isHidden: Bool = false,
    parameters: [any Declared] = []
  ) {
    self.path = path.split(separator: " ").map(String.init)
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.aliases = aliases.map { $0.split(separator: " ").map(String.init) }
    self.exits = exits
    self.environment = environment
    self.isHidden = isHidden
    self.parameters = parameters.map(\.parameter)
  }

  package var name: String { path.joined(separator: " ") }
  package var arguments: [Parameter] { parameters.filter { $0.role == .argument } }
  package var flags: [Parameter] { parameters.filter { $0.role != .argument } }

  /// `carrel config check [flags] [FILE]`
  package func usage(of program: String) -> String {
    var words = [program] + path
    if !flags.isEmpty { words.append("[flags]") }
    words += arguments.map { argument in
      switch argument.presence {
      case .required: argument.placeholder
      case .optional: "[\(argument.placeholder)]"
      case .repeated(let least):
        least > 0 ? "\(argument.placeholder)..." : "[\(argument.placeholder)...]"
      }
    }
    return words.joined(separator: " ")
  }
}
