import Arguments
import Items
import Setup

struct RenewCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "renew", "Keep a title longer.",
    discussion: """
      Some services renew the loan at once; others put you in the queue, and the title comes again \
      when the loan ends.
      """,
    examples: [
      .init("carrel renew 1", "The first title of the last list."),
      .init("carrel renew emma", "By words of its title."),
    ],
    exits: ShelfWork.exits, parameters: [title])

  static let schemas = [ShelfWork.schema("renewed", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let receipt = try await ShelfWork.carryOut(
      .renew, try input[Self.title], in: app)
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
  }
}
