import Arguments
import Items
import Setup
import TextSafety

struct AccountListCommand: Command {
  static let spec = CommandSpec(
    "account list", "List the linked cards.",
    examples: [
      .init("carrel account list", "Every card with its loans and holds."),
      .init("carrel account list --json", "The same for programs."),
    ],
    exits: [10])

  static let schemas = [Schemas.account]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let accounts = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.accounts(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], accounts.map(\.json)) { layout in
        guard !accounts.isEmpty else {
          return Nothing.noCard
        }
        return Grid(rows: accounts.map(Self.row), yielding: 1).text(layout)
      })
  }

  static func row(_ account: AccountItem) -> [String] {
    [
      account.name, account.libraryName, account.card ?? "",
      account.trouble.map { "\(account.state), last try: \($0)" } ?? account.state,
      Counted.text(account.loans.used, of: account.loans.limit, "loan"),
      Counted.text(account.holds.used, of: account.holds.limit, "hold"),
      account.lastGoodSync.flatMap { Moments.past($0) }.map { "asked \($0)" } ?? "never asked",
    ]
  }
}
