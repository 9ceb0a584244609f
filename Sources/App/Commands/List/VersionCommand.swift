import Arguments
import JSON
import Setup
import TextSafety

struct VersionCommand: Command {
  static let spec = CommandSpec(
    "version", "Print the version and the commit; with --json the libraries too.",
    examples: [
      .init("carrel version", "What to name in a report of a fault."),
      .init("carrel version --json", "The same for programs, with every library."),
    ])

  static let schema = ReportSchema(
    "version", "The program and what it is linked with.",
    [
      .init("name", .string, "The program."),
      .init("version", .string, "Its release."),
      .init(
        "commit", .string, "The commit it was built from; left out when unknown.", required: false),
      .init("libraries", .list(.object(libraryProperties)), "Libraries as linked."),
    ])

  static let schemas = [schema]

  private static let libraryProperties: [ReportSchema.Property] = [
    .init("name", .string, "The library."), .init("version", .string, "Its version."),
  ]

  /// A person asks which carrel this is and wants to know at once; a program asks for everything.
  static func needsEngine(_ input: Input) -> Bool {
    (try? input[GlobalFlags.json]) == true || (try? input[GlobalFlags.jsonLines]) == true
  }

  func answerAtOnce(_ input: Input, in app: App) throws -> Bool {
    try Self.show(short: false, in: app)
    return true
  }

  /// `--version` prints the first line only.
  static func show(short: Bool, in app: App) throws(CommandError) {
    let release = Release.current
    let libraries = app.engine?.libraries ?? []
    var item = JSONObject([
      .init("name", "carrel"), .init("version", .string(Release.number)),
    ])
    item["commit"] = release.commit.map(JSONValue.string)
    item["libraries"] = .array(
      libraries.map { ["name": .string($0.name), "version": .string($0.version)] })
    let commit = release.commit.map { " (\($0.prefix(12)))" } ?? ""
    try app.output.show(
      Report(schema, [.object(item)]) { layout in
        let line: TerminalText = "carrel \(Release.number)\(commit)\n"
        guard !short, !libraries.isEmpty else { return line }
        return line + layout.table(libraries.map { ($0.name, $0.version) }) + "\n"
      })
  }
}
