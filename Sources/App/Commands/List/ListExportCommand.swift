import Arguments
import Items
import Setup
import TextSafety

struct ListExportCommand: Command {
  static let spec = CommandSpec(
    "list export", "Write a list as a file for another program.",
    discussion: ShelfFileText.exporting,
    examples: [
      .init("carrel list export later --output later.json", "Everything."),
      .init("carrel list export later --format isbn", "The numbers alone."),
    ],
    exits: [5, 10], parameters: [ListText.list, ShelfFileText.format])

  static let schemas = [
    ReportSchema(
      "list-exported", "A list as a file.",
      [
        .init("list", .string, "The list."),
        .init("format", .string, "The form."),
        .init("books", .integer, "How many books are in the file."),
        .init(
          "losses",
          .list(
            .object([
              .init("what", .string, "What that form has no place for."),
              .init("books", .integer, "How many books lose it."),
            ])), "What is not in the file."),
        .init("text", .string, "The file."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let (list, format) = (try input[ListText.list], try input[ShelfFileText.format])
    let item = try await app.engaged("the lists") { engine, seat throws(ErrorItem) in
      try await engine.write(list, as: format, at: seat)
    }
    switch app.output.mode {
    case .json, .jsonLines: try app.output.show(Report(Self.schemas[0], [item.json]))
    case .human, .plain:
      try app.output.write(document: Array(item.text.utf8))
      for loss in item.losses { app.output.warn("\(loss.books) books: \(loss.what)") }
    }
  }
}
