import Arguments
import Items
import Setup

struct HoldAcceptCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "hold accept", "Borrow a title that is ready for you.",
    examples: [
      .init("carrel hold accept 1", "The first title of the last list."),
      .init("carrel hold accept emma", "By words of its title."),
    ],
    exits: ShelfWork.exits, parameters: [title])

  static let schemas = [ShelfWork.schema("hold-accepted", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let receipt = try await ShelfWork.carryOut(
      .acceptHold, try input[Self.title], in: app)
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
  }
}
