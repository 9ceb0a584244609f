import Arguments
import Items
import JSON
import Secrets
import Setup
import TextSafety

struct CalendarNewCommand: Command {
  static let spec = CommandSpec(
    "calendar new", "Make a secret address under which calendars read your due dates.",
    discussion: """
      Ends of loans, offers and pick-ups stand in it. Calendar programs cannot sign in, so whoever \
      has the address may read it, and nothing else. It is shown once; a new one makes the old one \
      void.
      """,
    examples: [
      .init("carrel calendar new", "Subscribe to it in a calendar program."),
      .init("carrel calendar new --as ada", "For another reader of this gateway."),
    ],
    exits: [10])

  static let schemas = [
    ReportSchema(
      "calendar-new", "An address, shown this once.",
      CalendarShowCommand.properties + [
        .init("address", .string, "What calendars subscribe to, shown this once.")
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let key = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.newCalendar(at: seat)
    }
    // The one place where it is said: whoever ran the command is who it was made for.
    let address = key.address.revealText { $0 }
    guard case .object(var item) = key.item.json else { return }
    item["address"] = .string(address)
    try app.output.show(
      Report(Self.schemas[0], [.object(item)]) { _ in
        """
        \(address)

        It is shown this once. Whoever has it can read when your books are due.
        Undo with: carrel calendar revoke

        """
      })
  }
}
