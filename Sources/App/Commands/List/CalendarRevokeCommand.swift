import Arguments
import Items
import Setup
import TextSafety

struct CalendarRevokeCommand: Command {
  static let spec = CommandSpec(
    "calendar revoke", "Make the address of your due dates void.",
    discussion: "It opens nothing from now on, at no gateway of this database.",
    examples: [
      .init("carrel calendar revoke", "Asks first."),
      .init("carrel calendar revoke --yes", "The same without a question."),
    ],
    exits: [2, 6, 10])

  static let schemas = [
    ReportSchema("calendar-revoked", "The address that is void.", CalendarShowCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    try app.questions.confirm("Make the address of your due dates void?")
    let item = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.revokeCalendar(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item].compactMap { $0?.json }) { _ in
        item == nil ? "There was no address.\n" : "The address opens nothing any more.\n"
      })
  }
}
