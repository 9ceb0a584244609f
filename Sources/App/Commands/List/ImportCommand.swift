import Arguments
import Items
import Setup
import TextSafety

struct ImportCommand: Command {
  static let path = Argument("path", .file, "A folder or an archive that carrel export made.")

  static let spec = CommandSpec(
    "import", "Take in what was taken along with export.",
    discussion: """
      What is here already stays as it is, so doing it twice changes nothing. Readers and cards go \
      by their names. Cards come without their secrets: sign in to each again. A gateway that has a \
      catalogue keeps its own.
      """,
    examples: [
      .init("carrel import mine", "From a folder."),
      .init("carrel import export.tar --json", "From an archive."),
    ],
    exits: [2, 5, 6, 7, 10, 13], parameters: [path])

  static let schemas = [ReportSchema("imported-all", "What came in.", ExportCommand.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let path = try input[Self.path]
    let item = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
      try await engine.takeIn(path, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { ExportCommand.text("came in", item, $0) })
  }
}
