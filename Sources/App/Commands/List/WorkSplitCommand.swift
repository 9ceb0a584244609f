import Arguments
import Items
import Setup
import TextSafety

struct WorkSplitCommand: Command {
  static let editions = Argument(
    list: "editions", Kind<String>.word.called("EDITION"),
    "The editions to take out, as ACCOUNT:ITEM; carrel explain lists them.")

  static let spec = CommandSpec(
    "work split", "Say that editions are not of the work they are in.",
    discussion: """
      For what the program took for one book and you know to be two. The editions named become a \
      work of their own, and stay so through every harvest. carrel work undo takes it back.
      """,
    examples: [
      .init("carrel work split city:76c1b7d0", "One edition is another book."),
      .init("carrel work split city:76c1b7d0 county:88", "These two belong together."),
    ],
    exits: [5, 6, 7, 9, 10], parameters: [editions])

  static let schemas = [WorkText.schema("work-split", "What was decided.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let editions = try input[Self.editions]
    guard !editions.isEmpty else {
      throw CommandError(
        .missingArgument, "which editions are another work?", try: "carrel explain TITLE")
    }
    let titles = try editions.map { try app.title($0) }
    let item = try await app.engaged("the catalogue") { engine, seat throws(ErrorItem) in
      try await engine.decide(.split(titles), at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { _ in
        "\(WorkText.few(item.one)) is a work of its own now"
          + (item.work.map { ", \($0)" } ?? "")
          + ".\nUndo with: carrel work undo \(item.number)\n"
      })
  }
}
