import Arguments
import Items
import Setup
import TextSafety

struct ListAddCommand: Command {
  static let title = TitleArgument.title
  static let note = Option(
    "note", Kind<String>.word.called("TEXT"), "What to say of it there; others may read it.")

  static let spec = CommandSpec(
    "list add", "Put a book on a list.",
    discussion: "A book stands on a list once; putting it there again only changes the note.",
    examples: [
      .init("carrel list add later 2", "The second title of the last list."),
      .init("carrel list add try-these emma --note Wonderful", "With a word on it."),
    ],
    exits: [2, 5, 7, 9, 10], parameters: [ListText.list, title, note])

  static let schemas = [ReportSchema("list-added", "The book there.", ListText.bookProperties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let order = ListBookOrder.add(
      try app.title(try input[Self.title]), to: try input[ListText.list],
      note: try input[Self.note])
    let book = try await app.engaged("the lists") { engine, seat throws(ErrorItem) in
      try await engine.keep(order, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { _ in
        "'\(book.title)' stands on '\(book.list)', in place \(book.place).\n"
      })
  }
}
