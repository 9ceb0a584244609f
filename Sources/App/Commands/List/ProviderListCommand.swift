import Arguments
import Items
import Setup
import TextSafety

struct ProviderListCommand: Command {
  static let spec = CommandSpec(
    "provider list", "List the services Carrel knows and what they need.",
    discussion: """
      For each service: what it can do, what an account at it needs, and which of its libraries \
      the settings name.
      """,
    examples: [
      .init("carrel provider list", "What can be linked."),
      .init("carrel provider list --json", "The same for programs."),
    ],
    exits: [10])

  static let schemas = [
    ReportSchema(
      "providers", "Services that can be linked.",
      [
        .init("id", .string, "The name that carrel link takes."),
        .init("title", .string, "Its own name."),
        .init("capabilities", .list(.string), "What it can do."),
        .init("needs", .list(.string), "What an account needs."),
        .init("fields", .list(.string), "The same, as credentials name it."),
        .init("settings", .list(.string), "What a library's settings say; ? where they may."),
        .init("sign_in", .string, "fields, or page where one signs in at its own page."),
        .init(
          "libraries",
          .list(
            .object([
              .init("id", .string, "As the settings name it."),
              .init("name", .string, "Its own name."),
            ])), "Libraries that are configured."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let providers = try await app.engaged("the list") { engine, seat throws(ErrorItem) in
      try await engine.providers(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], providers.map(\.json)) { layout in
        providers.map { Self.text($0, layout) }.joined(separator: "\n")
      })
  }

  private static func text(_ provider: ProviderItem, _ layout: TextLayout) -> TerminalText {
    let libraries = provider.libraries.map { "\($0.id) (\($0.name))" }.joined(separator: ", ")
    let rows = [
      ("can", provider.capabilities.map(\.sentence).joined(separator: "; ")),
      ("needs", provider.needs.isEmpty ? "nothing" : provider.needs.joined(separator: ", ")),
      ("settings", provider.settings.isEmpty ? "none" : provider.settings.joined(separator: ", ")),
      ("libraries", libraries.isEmpty ? "none configured: carrel config edit" : libraries),
    ]
    return layout.heading("\(provider.id)  \(provider.title)") + "\n"
      + layout.table(rows.map { ($0.0, $0.1) }) + "\n"
  }
}
