import Arguments
import Console
import Items
import Secrets
import Setup
import TextSafety

struct CodesConfirmCommand: Command {
  static let fromInput = Flag("code-stdin", "Read the code from standard input: one line.")

  static let spec = CommandSpec(
    "admin codes confirm", "Take the first code of a reader's app; from then on they count.",
    discussion: """
      Asks for the six digits that the app shows now. The recovery codes are told to a person, \
      this once, and stand in no document: each lets the reader in once when the app is lost.
      """,
    examples: [
      .init("carrel admin codes confirm ada", "Asks for the code."),
      .init("carrel admin codes confirm ada --code-stdin", "The code comes as a line."),
    ],
    exits: [2, 5, 6, 10, 12], parameters: [OperatorAddCommand.reader, fromInput])

  static let schemas = [
    ReportSchema("codes-confirmed", "Whose codes count now.", CodesListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[OperatorAddCommand.reader]
    let typed =
      try input[Self.fromInput]
      ? Keyboard.line(atMost: 100) ?? "" : try app.questions.ask("Code", flag: "--code-stdin")
    let code = Secret(typed)
    let begun = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.confirmCodes(of: name, with: code, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [begun.item.json]) { _ in
        "'\(begun.item.reader)' signs in with codes now. Recovery codes, each good once:\n"
          + begun.spares.map { spare in spare.revealText { "\($0)\n" } }.joined()
      })
  }
}
