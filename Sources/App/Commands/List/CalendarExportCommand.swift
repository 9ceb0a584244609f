import Arguments
import Items
import Setup
import TextSafety

struct CalendarExportCommand: Command {
  static let spec = CommandSpec(
    "calendar export", "Print your due dates for a calendar program.",
    discussion: """
      Ends of loans, offers and pick-ups as an iCalendar file, as far as they are known. A program \
      that shall keep up with them subscribes to an address; see carrel calendar new.
      """,
    examples: [
      .init("carrel calendar export", "To look at."),
      .init("carrel calendar export -o books.ics", "To open with a calendar program."),
    ],
    exits: [10])

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let text = try await app.engaged("the shelf") { engine, seat throws(ErrorItem) in
      try await engine.exportCalendar(at: seat)
    }
    try app.output.write(document: Array(text.utf8))
  }
}
