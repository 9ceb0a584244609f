import Arguments
import Setup

struct QueueCancelCommand: Command {
  static let spec = CommandSpec(
    "queue cancel", "Take downloads out of the line.",
    discussion: "The loan stays; carrel get asks for the file again.",
    examples: [
      .init("carrel queue cancel", "All of yours."),
      .init("carrel queue cancel 2", "The second of the last list."),
    ],
    exits: [5, 9, 10], parameters: [QueueWork.title])

  static let schemas = [QueueWork.schema("queue-cancelled")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    try await QueueWork.run(
      QueueOrder.cancel, input, Self.schemas[0], done: "is not downloaded", in: app)
  }
}
