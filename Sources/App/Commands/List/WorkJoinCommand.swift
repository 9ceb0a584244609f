import Arguments
import Items
import Setup
import TextSafety

struct WorkJoinCommand: Command {
  static let one = TitleArgument.title
  static let two = Argument(
    "other", Kind<String>.word.called("OTHER"), "The other one, named in the same way.")

  static let spec = CommandSpec(
    "work join", "Say that two works are one.",
    discussion: """
      For what the program keeps apart and you know to be one book. It holds through every harvest, \
      and brings along what comes later and is like one of the two. carrel work undo takes it back.
      """,
    examples: [
      .init("carrel work join w17 w203", "Two works by their ids."),
      .init("carrel work join 1 2", "The first two of the last list."),
    ],
    exits: [5, 6, 7, 9, 10], parameters: [one, two])

  static let schemas = [WorkText.schema("work-joined", "What was decided.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let order = WorkOrder.join(
      try app.title(try input[Self.one]), try app.title(try input[Self.two]))
    let item = try await app.engaged("the catalogue") { engine, seat throws(ErrorItem) in
      try await engine.decide(order, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { _ in
        "\(WorkText.few(item.one)) and \(WorkText.few(item.two)) are one work now"
          + (item.work.map { ", \($0)" } ?? "")
          + ".\nUndo with: carrel work undo \(item.number)\n"
      })
  }
}
