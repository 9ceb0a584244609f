import Arguments
import Items
import Setup

struct ReturnCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "return", "Give a title back before its time.",
    examples: [
      .init("carrel return 1", "The first title of the last list."),
      .init("carrel return city:76c1b7d0", "By card and item."),
    ],
    exits: ShelfWork.exits, parameters: [title])

  static let schemas = [ShelfWork.schema("returned", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let receipt = try await ShelfWork.carryOut(
      .giveBack, try input[Self.title], in: app)
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
  }
}
