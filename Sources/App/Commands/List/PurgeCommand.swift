import Arguments
import Items
import Setup
import TextSafety

struct PurgeCommand: Command {
  static let confirm = Option(
    "confirm", Kind<String>.word.called("NAME"),
    "The reader's name again; --yes is not enough for this.")

  static let spec = CommandSpec(
    "admin purge", "Forget a reader and all that is kept of them.",
    discussion: """
      Cards with their secrets, devices, sign-ins, books, downloads, lists, notes, places in books, \
      notices and wishes go in one step, and cannot be brought back. Loans and holds go on at the \
      libraries, which are not asked. The audit keeps what was done, by numbers that no longer \
      lead to anybody.
      """,
    examples: [
      .init("carrel admin purge ada", "Asks for the name once more."),
      .init("carrel admin purge ada --confirm=ada", "The same without a question."),
    ],
    exits: [2, 5, 6, 10], parameters: [OperatorAddCommand.reader, confirm])

  static let schemas = [
    ReportSchema(
      "purged", "What was forgotten.",
      [
        .init("reader", .string, "Who was forgotten."),
        .init("accounts", .integer, "How many cards they had here."),
        .init("loans_left", .integer, "Loans that go on at the libraries."),
        .init("rows", .integer, "How many rows went."),
        .init(
          "removed",
          .list(
            .object([
              .init("what", .string, "What it was."), .init("rows", .integer, "How many rows."),
            ])), "The same part by part."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[OperatorAddCommand.reader]
    try app.questions.confirm(
      "Forget '\(name)' and all that is kept of them?", of: name, naming: name,
      given: try input[Self.confirm])
    let item = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.purge(name, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { layout in
        let parts = item.removed.map { ["\($0.rows)", $0.what] }
        return "'\(item.reader)' is forgotten.\n" + Grid(rows: parts, yielding: 1).text(layout)
          + (item.loansLeft == 0
            ? "" : "\(item.loansLeft) loans go on at the libraries: give them back there.\n")
      })
  }
}
