import Arguments
import Items
import Setup
import TextSafety

struct AccountLoginCommand: Command {
  static let account = Argument(
    "account", Kind<String>.word.called("ACCOUNT"), "The account; see carrel account list.")

  static let spec = CommandSpec(
    "account login", "Sign in anew, after a PIN changed.",
    discussion: """
      The new card and PIN are tried at the library first; the old ones are kept until the new \
      ones work.
      """,
    examples: [
      .init("carrel account login city", "Asks for card and PIN."),
      .init("carrel account login city --credentials-stdin", "They come as two lines."),
    ],
    exits: [2, 4, 5, 6, 7, 8, 10, 12],
    parameters: [account, CredentialReading.fromInput, CredentialReading.fromFile])

  static let schemas = [ReportSchema("signed-in", "The card.", Schemas.accountProperties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[Self.account]
    let needs = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.needs(of: name, at: seat)
    }
    let credentials = try CredentialReading.credentials(for: needs, input, in: app)
    let account = try await app.engaged("\(needs.libraryName)") { engine, seat throws(ErrorItem) in
      try await engine.login(name, with: credentials, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [account.json]) { _ in
        "\(account.libraryName) takes the card of '\(account.name)'.\n"
      })
  }
}
