import Arguments
import Items
import Setup
import TextSafety

struct NotifyTestCommand: Command {
  static let name = Argument(
    optional: "name", Kind<String>.word.called("NAME"), "One channel; without it, all.")

  static let spec = CommandSpec(
    "notify test", "Send a test by one of your channels, or by all.",
    discussion: """
      It goes out at once, at any hour, and is tried once. Ten codes and tests can be sent in \
      an hour and twenty a day, by all channels together.
      """,
    examples: [
      .init("carrel notify test", "By all channels."),
      .init("carrel notify test email", "By one."),
    ],
    exits: [2, 3, 5, 8, 10, 12], parameters: [name])

  static let schemas = [
    ReportSchema(
      "channel-tests", "How each channel did.",
      [
        .init("name", .string, "The channel."),
        .init("channel", .string, "email, sms, ntfy, push or webhook."),
        .init("result", .string, "sent or failed."),
        .init("reason", .nullable(.string), "Why it failed."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[Self.name]
    let trials = try await app.engaged("the channels") { engine, seat throws(ErrorItem) in
      try await engine.testChannel(name, at: seat)
    }
    let failed = trials.filter { $0.trouble != nil }
    var report = Report(Self.schemas[0], trials.map(\.json)) { layout in
      guard !trials.isEmpty else {
        return "You are told by no channel.\ntry: carrel notify add email\n"
      }
      return Grid(
        rows: trials.map { [$0.name, $0.medium, $0.trouble.map { "failed: \($0)" } ?? "sent"] },
        yielding: 2
      ).text(layout)
    }
    report.partial = !failed.isEmpty
    try app.output.show(report)
    guard let first = failed.first else { return }
    throw CommandError(
      .partlyFailed, "\(failed.count) of \(trials.count) channels failed",
      try: "carrel notify rm \(first.name)")
  }
}
