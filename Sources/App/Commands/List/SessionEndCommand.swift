import Arguments
import Items
import Setup
import TextSafety

struct SessionEndCommand: Command {
  static let id = Argument(
    optional: "id", Kind<String>.word.called("ID"), "One session; see carrel session list.")
  static let all = Flag("all", "Sign out everywhere.")
  static let appPasswords = Flag(
    "app-passwords", "With --all: revoke all app passwords as well.")

  static let spec = CommandSpec(
    "session end", "Sign a browser out, or all of them.",
    discussion: """
      Takes effect at all gateways within a second: the pages, books that are open, sign-in links, \
      and notifications that were sent to that browser. With --all, everything of that kind ends; app \
      passwords stay unless --app-passwords is given.
      """,
    examples: [
      .init("carrel session end 3f9a0c41d2b7", "One browser."),
      .init("carrel session end --all", "All browsers."),
      .init("carrel session end --all --app-passwords --as ada", "When a device was lost."),
    ],
    exits: [2, 5, 10], parameters: [id, all, appPasswords])

  static let schemas = [
    ReportSchema("sessions-ended", "Sessions that ended.", SessionListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let (id, all) = (try input[Self.id], try input[Self.all])
    let revokes = try input[Self.appPasswords]
    guard (id != nil) != all, all || !revokes else {
      throw CommandError(
        .missingArgument, "Name one session, or give --all.", try: "carrel session list")
    }
    let ended = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.endSessions(id, revokingAppPasswords: revokes, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], ended.map(\.json)) { _ in
        ended.count == 1 ? "Signed out 1 browser.\n" : "Signed out \(ended.count) browsers.\n"
      })
  }
}
