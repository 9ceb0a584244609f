import Arguments
import Items
import Setup
import TextSafety

struct RateCommand: Command {
  static let title = TitleArgument.title
  static let stars = Argument("stars", .integer(1...5), "From 1 to 5.")

  static let spec = CommandSpec(
    "rate", "Say how you liked a book.",
    discussion: "What you say of a book stays when the loan ends.",
    examples: [
      .init("carrel rate 2 4", "The second title of the last list: four of five."),
      .init("carrel rate emma 5", "By words of its title."),
    ],
    exits: MyBookText.exits, parameters: [title, stars])

  static let schemas = [MyBookText.schema("rated", "The book as it stands now.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let book = try await MyBookText.carryOut(
      .rate(try input[Self.stars]), try input[Self.title], in: app)
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { _ in
        "'\(book.title)' is rated \(book.rating ?? 0) of 5.\n"
      })
  }
}
