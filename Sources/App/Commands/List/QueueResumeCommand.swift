import Arguments
import Setup

struct QueueResumeCommand: Command {
  static let spec = CommandSpec(
    "queue resume", "Go on with downloads that rest or failed.",
    discussion: "They take their place in the line again; carrel get works it off.",
    examples: [
      .init("carrel queue resume", "All of yours."),
      .init("carrel queue resume 2", "The second of the last list."),
    ],
    exits: [5, 9, 10], parameters: [QueueWork.title])

  static let schemas = [QueueWork.schema("queue-resumed")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    try await QueueWork.run(
      QueueOrder.resume, input, Self.schemas[0], done: "stands in the line again", in: app)
  }
}
