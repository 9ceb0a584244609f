import Arguments
import Items
import Setup
import TextSafety

struct ListShareCommand: Command {
  static let audience = Argument(
    "who", Kind.choice("WHO", of: ListText.audiences),
    "Who may see it besides you: private, friends or everyone.")

  static let spec = CommandSpec(
    "list share", "Say who may see a list.",
    discussion: """
      Friends are the other readers of this gateway, everyone is whoever may look at the catalog. \
      With --curator it becomes a librarian's list, without it a list like any other.
      """,
    examples: [
      .init("carrel list share try-these friends", "Other readers here see it."),
      .init("carrel list share try-these private", "Nobody else sees it any more."),
      .init("carrel list share winter everyone --curator Oak", "A librarian's list."),
    ],
    exits: [2, 5, 10], parameters: [ListText.list, audience, ListText.curator])

  static let schemas = [ReportSchema("list-shared", "The list.", ListText.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let list = try await ListText.order(
      .share(
        try input[ListText.list], with: try input[Self.audience],
        curator: try input[ListText.curator]), in: app)
    try app.output.show(
      Report(Self.schemas[0], [list.json]) { _ in
        "'\(list.name)' is \(ListText.told(list)) now.\n"
      })
  }
}
