import Arguments
import Items
import Setup
import TextSafety

struct OperatorAddCommand: Command {
  static let reader = Argument(
    "reader", Kind<String>.word.called("READER"), "The name that the reader has here.")

  static let spec = CommandSpec(
    "admin operator add", "Let a reader look after the gateway.",
    discussion: """
      They find the office in the navigation when they have signed in at the pages: libraries, \
      jobs, lanes, lists of librarians, readers. They see nobody's books. The role is asked for \
      at each request, so that it ends at once when it is taken away.
      """,
    examples: [
      .init("carrel admin operator add ada", "Ada gets the role."),
      .init("carrel admin operator add ada --json", "The same for programs."),
    ],
    exits: [2, 5, 10], parameters: [reader])

  static let schemas = [
    ReportSchema("operator-added", "Who got the role.", OperatorListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[Self.reader]
    let item = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.setOperator(name, to: true, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { _ in
        item.changed
          ? "'\(item.reader)' looks after the gateway now.\n"
          : "'\(item.reader)' looks after the gateway already.\n"
      })
  }
}
