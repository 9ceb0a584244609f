import Arguments
import Items
import Setup
import TextSafety

struct SessionListCommand: Command {
  static let spec = CommandSpec(
    "session list", "List the browsers that are signed in.",
    discussion: """
      Each sign-in on the web pages is a session. Apps with passwords of their own are listed by \
      carrel admin device ls.
      """,
    examples: [
      .init("carrel session list", "Your own sessions."),
      .init("carrel session list --as ada", "Those of another patron of this gateway."),
    ],
    exits: [10])

  static let properties: [ReportSchema.Property] = [
    .init("id", .string, "What carrel session end calls it by."),
    .init("patron", .string, "Who is signed in."),
    .init("signed_in_with", .string, "card, app-password or link."),
    .init("agent", .nullable(.string), "The browser and its system, as far as they are known."),
    .init("made_at", .time, "When the session began."),
    .init("last_seen", .nullable(.time), "When it was last used, by the hour."),
    .init("until", .time, "When it ends by itself."),
  ]

  static let schemas = [ReportSchema("sessions", "Browsers that are signed in.", properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let sessions = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.sessions(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], sessions.map(\.json)) { layout in
        guard !sessions.isEmpty else { return "No browser is signed in.\n" }
        return Grid(rows: sessions.map(Self.row), yielding: 1).text(layout)
      })
  }

  private static func row(_ session: SessionItem) -> [String] {
    [
      session.id, session.agent ?? "unknown browser",
      "signed in \(Moments.day(session.madeAt) ?? session.madeAt)",
      session.lastSeen.flatMap { Moments.past($0) }.map { "last used \($0)" } ?? "",
    ]
  }
}
