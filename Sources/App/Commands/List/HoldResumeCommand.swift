import Arguments
import Items
import Setup

struct HoldResumeCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "hold resume", "Wake a hold that rests.",
    examples: [
      .init("carrel hold resume 1", "The first title of the last list."),
      .init("carrel hold resume emma", "By words of its title."),
    ],
    exits: ShelfWork.exits, parameters: [title])

  static let schemas = [ShelfWork.schema("hold-resumed", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let receipt = try await ShelfWork.carryOut(
      .resumeHold, try input[Self.title], in: app)
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
  }
}
