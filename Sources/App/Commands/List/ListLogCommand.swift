import Arguments
import Items
import Setup
import TextSafety

struct ListLogCommand: Command {
  static let spec = CommandSpec(
    "list log", "List what was written at the services where you keep lists.",
    examples: [
      .init("carrel list log", "The latest first, with numbers for carrel list undo."),
      .init("carrel list log --json", "The same for programs."),
    ],
    exits: [10])

  static let schemas = [
    ReportSchema("list-writes", "What was written there.", ListWriteText.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let writes = try await app.engaged("the lists") { engine, seat throws(ErrorItem) in
      try await engine.listWrites(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], writes.map(\.json)) { layout in
        guard !writes.isEmpty else {
          return "Nothing was written at a service yet.\ntry: carrel list sync\n"
        }
        return Grid(
          rows: writes.map { write in
            [
              write.id.map(String.init) ?? "", write.at.flatMap { Moments.day($0) } ?? "",
              write.account, ListWriteText.line(write),
            ]
          }, yielding: 3
        ).text(layout)
      })
  }
}
