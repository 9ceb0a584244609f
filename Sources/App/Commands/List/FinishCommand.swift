import Arguments
import Items
import Setup
import TextSafety

struct FinishCommand: Command {
  static let title = TitleArgument.title
  static let day = Option(
    "on", Kind<String>.word.called("DAY"), "The day, as 2026-11-22; today if it is not said.")

  static let spec = CommandSpec(
    "finish", "Say that you have read a book to its end.",
    discussion: "It changes nothing at any library: carrel return gives the book back.",
    examples: [
      .init("carrel finish 2", "The second title of the last list, today."),
      .init("carrel finish emma --on 2026-11-22", "On another day."),
    ],
    exits: MyBookText.exits, parameters: [title, day])

  static let schemas = [MyBookText.schema("finished", "The book as it stands now.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let day = try input[Self.day]
    if let day, !Moments.isDay(day) {
      throw CommandError(
        .badValue, "--on must be a day such as 2026-11-22, not '\(day)'",
        try: "carrel help finish")
    }
    let book = try await MyBookText.carryOut(.finish(day), try input[Self.title], in: app)
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { _ in
        "You finished '\(book.title)' on \(book.finished ?? "")."
          + " Give it back with: \(command: "carrel return \(book.name)")\n"
      })
  }
}
