import Arguments
import Items
import Setup

struct HoldSuspendCommand: Command {
  static let title = TitleArgument.title
  static let days = Option(
    "days", .integer(1...366), "For how many days; without it, until it is resumed.",
    common: true)

  static let spec = CommandSpec(
    "hold suspend", "Let a hold rest and keep its place.",
    discussion: """
      While it rests the copy goes to others, and the place in the queue is kept. Some services \
      take no end date; then it rests until it is resumed.
      """,
    examples: [
      .init("carrel hold suspend 1", "Until it is resumed."),
      .init("carrel hold suspend emma --days 14", "For two weeks."),
    ],
    exits: ShelfWork.exits, parameters: [title, days])

  static let schemas = [ShelfWork.schema("hold-suspended", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let receipt = try await ShelfWork.carryOut(
      .suspendHold(days: try input[Self.days]), try input[Self.title], in: app)
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
  }
}
