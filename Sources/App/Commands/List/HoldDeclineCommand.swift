import Arguments
import Items
import Setup

struct HoldDeclineCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "hold decline", "Let a ready title go to the next reader.",
    examples: [
      .init("carrel hold decline 1", "The first title of the last list."),
      .init("carrel hold decline emma", "By words of its title."),
    ],
    exits: ShelfWork.exits, parameters: [title])

  static let schemas = [ShelfWork.schema("hold-declined", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let receipt = try await ShelfWork.carryOut(
      .declineHold, try input[Self.title], in: app)
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
  }
}
