import Arguments
import Items
import Setup
import TextSafety

struct WorkListCommand: Command {
  static let spec = CommandSpec(
    "work list", "List what readers decided about works.",
    discussion: "Of two decisions about the same editions the later one holds.",
    examples: [
      .init("carrel work list", "All decisions, the first first."),
      .init("carrel work list --json", "The same for programs."),
    ],
    exits: [10])

  static let schemas = [WorkText.schema("work-decisions", "What readers decided.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let items = try await app.engaged("the catalogue") { engine, seat throws(ErrorItem) in
      try await engine.decisions(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], items.map(\.json)) { layout in
        items.isEmpty
          ? "Nothing was decided: works are as the program finds them.\n"
          : items.map { layout.wrap("\(WorkText.sentence($0))") + "\n" }.joined()
      })
  }
}
