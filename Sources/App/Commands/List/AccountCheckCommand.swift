import Arguments
import Items
import Setup
import TextSafety

struct AccountCheckCommand: Command {
  static let account = Argument(
    optional: "account", Kind<String>.word.called("ACCOUNT"), "One account; without it, each.")

  static let spec = CommandSpec(
    "account check", "Ask the libraries whether the cards still work.",
    examples: [
      .init("carrel account check", "Every card."),
      .init("carrel account check city", "One card."),
    ],
    exits: [3, 4, 5, 6, 7, 8, 10, 12], parameters: [account])

  static let schemas = [
    ReportSchema(
      "checks", "Cards that were just asked about.",
      Schemas.accountProperties + [
        .init("error", .nullable(.object(Schemas.error)), "What is wrong; null when all is well.")
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let account = try input[Self.account]
    let checks = try await app.engaged("the libraries") { engine, seat throws(ErrorItem) in
      try await engine.check(account, at: seat)
    }
    if checks.count == 1, let trouble = checks[0].trouble { throw CommandError(trouble) }
    var report = Report(Self.schemas[0], checks.map(\.json)) { layout in
      guard !checks.isEmpty else { return Nothing.noCard }
      return Grid(
        rows: checks.map { check in
          [
            check.account.name, check.account.libraryName,
            check.trouble.map { CommandError($0).message.text } ?? "works",
          ]
        }, yielding: 1
      ).text(layout)
    }
    let failed = checks.compactMap(\.trouble)
    report.partial = !failed.isEmpty
    try app.output.show(report)
    try Partly.check(failed, of: checks.count, "cards")
  }
}
