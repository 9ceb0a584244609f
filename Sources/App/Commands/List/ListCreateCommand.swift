import Arguments
import Items
import Setup
import TextSafety

struct ListCreateCommand: Command {
  static let name = Argument("name", Kind<String>.word.called("NAME"), "What to call it.")
  static let share = Option(
    "share", Kind.choice("WHO", of: ListText.audiences), default: "private",
    "Who may see it besides you: private, friends or everyone.")

  static let spec = CommandSpec(
    "list create", "Begin a list of books.",
    discussion: """
      A list that is shared is a feed of the gateway: friends are its other readers, everyone is \
      whoever may look at the catalog. With --curator it is a librarian's list, which the catalog \
      offers as such.
      """,
    examples: [
      .init("carrel list create later", "For yourself."),
      .init("carrel list create try-these --share friends", "Other readers here see it."),
      .init(
        "carrel list create winter --share everyone --curator Oak",
        "A librarian's list, found under From librarians."),
    ],
    exits: [2, 6, 10], parameters: [name, share, ListText.curator])

  static let schemas = [ReportSchema("list-created", "The new list.", ListText.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let list = try await ListText.order(
      .create(
        try input[Self.name], sharing: try input[Self.share],
        curator: try input[ListText.curator]), in: app)
    try app.output.show(
      Report(Self.schemas[0], [list.json]) { _ in
        "'\(list.name)' is there: \(ListText.told(list)).\n"
          + "try: \(command: "carrel list add \(list.name) TITLE")\n"
      })
  }
}
