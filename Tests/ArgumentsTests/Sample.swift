import Arguments

/// A small command line that uses everything a real one does.
enum Sample {
  enum Format: String, CaseIterable, Sendable { case epub, pdf }

  static let title = Argument("title", Kind<String>.word, "A title.")
  static let format = Option("format", short: "f", .choice("FORMAT") as Kind<Format>, "Its format.")
  static let limit = Option(
    "limit", short: "n", .integer(-10...100), default: 20, "At most so many.")
  static let tags = Option(list: "tag", short: "t", Kind<String>.word, "A tag.")
  static let force = Flag("force", short: "F", "Do it all the same.")
  static let all = Flag("all", short: "a", "All of them.")
  static let words = Argument(list: "words", atLeast: 1, Kind<String>.text, "What to look for.")
  static let file = Argument(optional: "file", .file, "A file.")
  static let home = Option("home", .directory, "The home.", common: true)
  static let verbose = Count("verbose", short: "v", "Tell more.")
  static let json = Flag("json", "As JSON.", common: true)
  static let patience = Option("timeout", .duration, "How long to wait.")

  static let program = Program(
    name: "sample", summary: "a sample", discussion: "For tests.", release: "1.0",
    examples: [
      .init("sample search whale", "Look for a whale."), .init("sample list", "All lists."),
    ],
    nouns: [.init("hold", "Places in a queue.")],
    commands: [
      CommandSpec(
        "search", "Find titles.",
        examples: [.init("sample search a", "One."), .init("sample search -n 5 a b", "Two.")],
        aliases: ["find"], parameters: [words, limit, tags, all, patience]),
      CommandSpec(
        "borrow", "Borrow a title.", discussion: "It's \"yours\" then.\n\n.dots \\ and - dashes",
        examples: [.init("sample borrow x", "One."), .init("sample borrow -f epub x", "Two.")],
        exits: [6], parameters: [title, format, force]),
      CommandSpec(
        "hold list", "List holds.",
        examples: [.init("sample hold list", "One."), .init("sample hold list f", "Two.")],
        parameters: [file]),
      CommandSpec(
        "hold cancel", "Cancel a hold.",
        examples: [.init("sample hold cancel x", "One."), .init("sample hold cancel y", "Two.")],
        parameters: [title]),
    ],
    globals: [home, verbose, json],
    exits: [.init("0", "Done."), .init("2", "Usage."), .init("6", "Refused.")],
    environment: [], files: [], topics: [])

  static func input(_ words: String...) throws -> (name: String, input: Input) {
    guard case .run(let spec, let input) = try program.read(words) else { throw Missed() }
    return (spec.name, input)
  }

  struct Missed: Error {}
}
