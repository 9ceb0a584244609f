import Arguments
import Items
import Setup
import TextSafety

struct QueueCommand: Command {
  static let spec = CommandSpec(
    "queue", "List what is being downloaded, or waits to be.",
    discussion: "carrel get works the line off; a running gateway does so by itself.",
    examples: [
      .init("carrel queue", "In the order in which they come."),
      .init("carrel queue --json", "The same for programs."),
    ],
    exits: [10])

  static let schemas = [ReportSchema("queue", "The line of downloads.", DownloadText.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let items = try await app.engaged("the line") { engine, seat throws(ErrorItem) in
      try await engine.downloads(at: seat)
    }
    if !items.isEmpty { app.remember(items.map { "\($0.account):\($0.item)" }) }
    try app.output.show(
      Report(Self.schemas[0], items.map(\.json)) { layout in
        items.isEmpty
          ? "Nothing waits to be downloaded.\ntry: carrel loans, then carrel get TITLE\n"
          : Grid(rows: DownloadText.rows(items), yielding: 1).text(layout)
      })
  }
}

/// What the verbs of the line have in common.
enum QueueWork {
  static let title = Argument(
    optional: "title", Kind<String>.word.called("TITLE"), "One of them; all of yours without it.")

  static func run(
    _ order: (String?) -> QueueOrder, _ input: Input, _ schema: ReportSchema, done: String,
    in app: App
  ) async throws {
    var word = try input[title]
    if let given = word { word = try app.title(given) }
    let wish = order(word)
    let items = try await app.engaged("the line") { engine, seat throws(ErrorItem) in
      try await engine.change(wish, at: seat)
    }
    try app.output.show(
      Report(schema, items.map(\.json)) { _ in
        items.isEmpty
          ? "Nothing was changed.\n" : items.map { "'\($0.title)' \(done).\n" }.joined()
      })
  }

  static func schema(_ name: String) -> ReportSchema {
    ReportSchema(name, "The downloads that were changed.", DownloadText.properties)
  }
}
