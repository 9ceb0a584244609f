import Arguments
import Items
import Setup
import TextSafety

struct ListRenameCommand: Command {
  static let name = Argument("name", Kind<String>.word.called("NAME"), "What to call it now.")

  static let spec = CommandSpec(
    "list rename", "Give a list another name.",
    examples: [
      .init("carrel list rename later someday", "Its address stays the same."),
      .init("carrel list rename later someday --json", "The same for programs."),
    ],
    exits: [2, 5, 6, 10], parameters: [ListText.list, name])

  static let schemas = [ReportSchema("list-renamed", "The list.", ListText.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let list = try await ListText.order(
      .rename(try input[ListText.list], to: try input[Self.name]), in: app)
    try app.output.show(
      Report(Self.schemas[0], [list.json]) { _ in "It is called '\(list.name)' now.\n" })
  }
}
