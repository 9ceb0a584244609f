import Arguments
import Items
import Setup
import TextSafety

struct WorkUndoCommand: Command {
  static let number = Argument(
    optional: "number", .integer(1...1_000_000_000), "The decision; without it the last one.")

  static let spec = CommandSpec(
    "work undo", "Take a decision about works back.",
    discussion: "The editions are then one work, or are not, as the program finds them.",
    examples: [
      .init("carrel work undo", "The last decision."),
      .init("carrel work undo 3", "The third; carrel work list shows the numbers."),
    ],
    exits: [6, 10], parameters: [number])

  static let schemas = [WorkText.schema("work-undone", "What was taken back.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let number = try input[Self.number]
    let item = try await app.engaged("the catalogue") { engine, seat throws(ErrorItem) in
      try await engine.decide(.undo(number), at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { _ in
        "Took back that \(WorkText.few(item.one)) "
          + (item.kind == "join" ? "and \(WorkText.few(item.two)) are one work" : "is another work")
          + ".\n"
      })
  }
}
