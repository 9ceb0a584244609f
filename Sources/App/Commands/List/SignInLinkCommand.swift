import Arguments
import Items
import JSON
import Secrets
import Setup
import TextSafety

struct SignInLinkCommand: Command {
  private static let patron = Argument(
    "patron", Kind<String>.word.called("PATRON"), "The name that the patron has here.")

  static let spec = CommandSpec(
    "admin sign-in-link", "Create a one-time sign-in link for a patron.",
    discussion: """
      For a patron whose card does not sign in: at a library without PINs, at a catalog that they \
      named themselves, or a card that another patron of this gateway has too. The link is good for \
      24 hours and for one sign-in; a newer one replaces it. Give it to the patron only, because \
      it signs in those who have it. A patron who signs in with codes is still asked for one.
      """,
    examples: [
      .init("carrel admin sign-in-link ada", "A link for Ada."),
      .init("carrel admin sign-in-link ada --json", "The same for programs."),
    ],
    exits: [2, 5, 10], parameters: [patron])

  static let schemas = [
    ReportSchema(
      "sign-in-link", "A link, shown this once.",
      [
        .init("patron", .string, "Whom it signs in."),
        .init("address", .string, "The link, shown this once."),
        .init("until", .time, "When it ends, unless it is used before."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[Self.patron]
    let link = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.signInLink(for: name, at: seat)
    }
    let address = link.address.revealText { $0 }
    let item: JSONValue = [
      "patron": .string(link.patron), "address": .string(address), "until": .string(link.until),
    ]
    try app.output.show(
      Report(Self.schemas[0], [item]) { _ in
        """
        \(address)

        It signs in '\(link.patron)' once, within 24 hours. It is not shown again.

        """
      })
  }
}
