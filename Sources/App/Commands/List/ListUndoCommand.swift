import Arguments
import Items
import Setup
import TextSafety

struct ListUndoCommand: Command {
  static let number = Argument(
    "number", Kind<Int>.integer(1...Int.max).called("NUMBER"), "The write; see carrel list log.")

  static let spec = CommandSpec(
    "list undo", "Take back what was written at a service.",
    discussion: """
      The book becomes here what it was before, and the next sync carries that to the service, as \
      a write of its own.
      """,
    examples: [
      .init("carrel list undo 12", "As if it had not been written."),
      .init("carrel list undo 12 --json", "The same for programs."),
    ],
    exits: [2, 5, 10], parameters: [number])

  static let schemas = [
    ReportSchema("list-undone", "What is taken back.", ListWriteText.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let number = try input[Self.number]
    let write = try await app.engaged("the lists") { engine, seat throws(ErrorItem) in
      try await engine.undoListWrite(number, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [write.json]) { _ in
        "Taken back: \(write.title): \(write.words)\n"
          + "Carry it there with: \(command: "carrel list sync \(write.account)")\n"
      })
  }
}
