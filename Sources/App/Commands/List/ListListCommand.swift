import Arguments
import Items
import Setup
import TextSafety

struct ListListCommand: Command {
  static let spec = CommandSpec(
    "list ls", "List your own lists of books.",
    examples: [
      .init("carrel list ls", "Each with how many books it has and who may see it."),
      .init("carrel list ls --json", "The same for programs."),
    ],
    exits: [10])

  static let schemas = [ReportSchema("reading-lists", "Lists of books.", ListText.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let lists = try await app.engaged("the lists") { engine, seat throws(ErrorItem) in
      try await engine.lists(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], lists.map(\.json)) { layout in
        guard !lists.isEmpty else { return "There is no list yet.\ntry: carrel list create NAME\n" }
        return Grid(
          rows: lists.map { [$0.name, Counted.text($0.books, "book"), ListText.told($0)] },
          yielding: 0
        ).text(layout)
      })
  }
}
