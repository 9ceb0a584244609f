import Arguments
import Items
import Setup
import TextSafety

struct UnlinkCommand: Command {
  static let account = Argument(
    "account", Kind<String>.word.called("ACCOUNT"), "The account; see carrel account list.")

  static let spec = CommandSpec(
    "unlink", "Forget a card, its PIN and its loans.",
    discussion: """
      Loans and holds stay as they are at the library; only Carrel forgets about them. Nothing is \
      kept of the card or its PIN.
      """,
    examples: [
      .init("carrel unlink city", "Asks before it forgets."),
      .init("carrel unlink city --yes", "The same without a question."),
    ],
    exits: [2, 5, 6, 10], parameters: [account])

  static let schemas = [ReportSchema("unlinked", "The forgotten card.", Schemas.accountProperties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[Self.account]
    let linked = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.accounts(at: seat).map(\.name)
    }
    guard linked.contains(name) else {
      var error = CommandError(
        .unknownAccount, "No account '\(name)' is linked.", try: "carrel account list")
      error.suggestions = nearest(to: name, among: linked)
      throw error
    }
    try app.questions.confirm("Forget the account '\(name)' and its PIN?", of: name)
    let account = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.unlink(name, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [account.json]) { _ in
        "Forgot \(account.libraryName) ('\(account.name)'). "
          + "Loans and holds at the library are as they were.\n"
      })
  }
}
