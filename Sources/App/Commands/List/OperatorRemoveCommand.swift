import Arguments
import Items
import Setup
import TextSafety

struct OperatorRemoveCommand: Command {
  static let spec = CommandSpec(
    "admin operator rm", "Let a reader look after the gateway no longer.",
    discussion: "Their cards, books and lists stay as they are.",
    examples: [
      .init("carrel admin operator rm ada", "The office is closed to Ada at once."),
      .init("carrel admin operator rm ada --json", "The same for programs."),
    ],
    exits: [2, 5, 10], parameters: [OperatorAddCommand.reader])

  static let schemas = [
    ReportSchema("operator-removed", "Whose role it was.", OperatorListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[OperatorAddCommand.reader]
    let item = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.setOperator(name, to: false, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { _ in
        item.changed
          ? "'\(item.reader)' looks after the gateway no longer.\n"
          : "'\(item.reader)' did not look after the gateway.\n"
      })
  }
}
