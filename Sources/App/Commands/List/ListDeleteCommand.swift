import Arguments
import Items
import Setup
import TextSafety

struct ListDeleteCommand: Command {
  static let spec = CommandSpec(
    "list delete", "Delete a list.",
    discussion: "What stands on it is forgotten; loans and holds stay as they are.",
    examples: [
      .init("carrel list delete Later", "Asks first."),
      .init("carrel list delete Later --yes", "The same without a question."),
    ],
    exits: [2, 5, 6, 10], parameters: [ListText.list])

  static let schemas = [ReportSchema("list-deleted", "The list as it was.", ListText.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[ListText.list]
    try app.questions.confirm("Delete the list '\(name)'?", of: name)
    let list = try await ListText.order(.delete(name), in: app)
    try app.output.show(
      Report(Self.schemas[0], [list.json]) { _ in
        "'\(list.name)' with \(Counted.text(list.books, "book")) is gone.\n"
      })
  }
}
