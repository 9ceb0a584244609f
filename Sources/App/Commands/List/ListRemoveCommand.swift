import Arguments
import Items
import Setup
import TextSafety

struct ListRemoveCommand: Command {
  static let title = Argument(
    "title", Kind<String>.word.called("TITLE"),
    "A number of the last list shown, a work id, or words of the title.")

  static let spec = CommandSpec(
    "list remove", "Take a book off a list.",
    examples: [
      .init("carrel list remove later emma", "By words of its title."),
      .init("carrel list remove later 2", "The second one that carrel list show showed."),
    ],
    exits: [5, 9, 10], parameters: [ListText.list, title])

  static let schemas = [
    ReportSchema("list-removed", "The book as it stood there.", ListText.bookProperties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let order = ListBookOrder.remove(
      try app.title(try input[Self.title]), from: try input[ListText.list])
    let book = try await app.engaged("the lists") { engine, seat throws(ErrorItem) in
      try await engine.keep(order, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { _ in
        "'\(book.title)' is off '\(book.list)'.\n"
      })
  }
}
