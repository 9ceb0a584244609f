import Arguments
import Items
import Setup
import TextSafety

struct WishRemoveCommand: Command {
  static let wish = Argument(
    optional: "wish", Kind<String>.word.called("WISH"),
    "A number of the last list, the wish's id, or words of its title.")

  static let spec = CommandSpec(
    "wish rm", "Wish for a book no more.",
    discussion: """
      The book goes off its list. With --list the list and its books stay as they are, and are \
      wishes no more.
      """,
    examples: [
      .init("carrel wish rm emma", "By words of its title."),
      .init("carrel wish rm --list later", "All of a list."),
    ],
    exits: [2, 5, 9, 10], parameters: [wish, WishText.list])

  static let schemas = [WishText.schema("wishes-removed", "The wishes as they were.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let order: WishOrder
    switch (try input[Self.wish], try input[WishText.list]) {
    case (let wish?, nil): order = .remove(try app.title(wish))
    case (nil, let list?): order = .unmark(list)
    default:
      throw CommandError(
        .missingValue, "either WISH or --list LIST says what goes", try: "carrel wish ls")
    }
    let wishes = try await WishText.order(order, in: app)
    try app.output.show(
      Report(Self.schemas[0], wishes.map(\.json)) { _ in
        if case .unmark = order {
          return "\(wishes.count == 1 ? "1 wish" : "\(wishes.count) wishes") less; "
            + "the list is as it was.\n"
        }
        return wishes.map { "'\($0.title)' is wished for no more.\n" }.joined()
      })
  }
}
