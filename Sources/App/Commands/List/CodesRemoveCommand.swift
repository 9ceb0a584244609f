import Arguments
import Items
import Setup
import TextSafety

struct CodesRemoveCommand: Command {
  static let spec = CommandSpec(
    "admin codes rm", "Let a reader sign in with card and PIN alone again.",
    discussion: """
      For whoever lost the app and the recovery codes. Be sure that it is they who ask: whoever \
      has their card and PIN gets in from now on.
      """,
    examples: [
      .init("carrel admin codes rm ada", "Ada can set up another app."),
      .init("carrel admin codes rm ada --json", "The same for programs."),
    ],
    exits: [2, 5, 10], parameters: [OperatorAddCommand.reader])

  static let schemas = [
    ReportSchema("codes-removed", "Whose codes ended.", CodesListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[OperatorAddCommand.reader]
    let item = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.endCodes(of: name, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { _ in
        item.changed
          ? "'\(item.reader)' signs in with card and PIN alone.\n"
          : "'\(item.reader)' had no codes.\n"
      })
  }
}
