import Arguments
import Items
import Setup
import TextSafety

struct WishListCommand: Command {
  static let spec = CommandSpec(
    "wish ls", "List what you wish for, and where it can be had.",
    examples: [
      .init("carrel wish ls", "Each with what was last heard of it."),
      .init("carrel wish ls --list later", "Those of one list."),
      .init("carrel wish ls --json", "The same for programs, with every way to get them."),
    ],
    exits: [5, 10], parameters: [WishText.list])

  static let schemas = [WishText.schema("wishes", "What you wish for.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let query = try input[WishText.list].map { WishQuery.on(list: $0) } ?? .all
    let wishes = try await WishText.find(query, in: app)
    app.remember(wishes.map { $0.work ?? $0.id })
    try app.output.show(
      Report(Self.schemas[0], wishes.map(\.json)) { layout in
        wishes.isEmpty
          ? "There are no wishes yet.\ntry: carrel wish add TITLE\n"
          : WishText.grid(wishes, layout)
      })
  }
}
