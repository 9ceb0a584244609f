import Arguments
import Items
import Setup

struct HoldCancelCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "hold cancel", "Wait for a title no longer.",
    examples: [
      .init("carrel hold cancel 1", "The first title of the last list."),
      .init("carrel hold cancel emma", "By words of its title."),
    ],
    exits: ShelfWork.exits, parameters: [title])

  static let schemas = [ShelfWork.schema("hold-cancelled", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let receipt = try await ShelfWork.carryOut(
      .cancelHold, try input[Self.title], in: app)
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
  }
}
