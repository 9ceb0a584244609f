import Arguments
import Setup

struct QueuePauseCommand: Command {
  static let spec = CommandSpec(
    "queue pause", "Let downloads rest.",
    discussion: "What is here of a file stays; carrel queue resume goes on with it.",
    examples: [
      .init("carrel queue pause", "All of yours."),
      .init("carrel queue pause 2", "The second of the last list."),
    ],
    exits: [5, 9, 10], parameters: [QueueWork.title])

  static let schemas = [QueueWork.schema("queue-paused")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    try await QueueWork.run(
      QueueOrder.pause, input, Self.schemas[0], done: "rests", in: app)
  }
}
