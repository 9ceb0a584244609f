import Arguments
import Items
import Setup

/// The reference in Markdown: what the program says of itself, and nothing that is written by hand.
enum Reference {
  /// The pages by their file names.
  static func pages(_ providers: [ProviderItem]) -> [(name: String, text: String)] {
    [
      ("commands.md", Program.carrel.reference), ("settings.md", settings), ("errors.md", errors),
      ("documents.md", ReferenceDocuments.page), ("providers.md", Self.providers(providers)),
    ].map { ($0, "\(note)\n\n\(footed($1))") }
  }

  /// The figures, which whoever runs a gateway may keep beside the dashboards.
  static var metrics: String { footed(MetricTable.reference) }

  private static func footed(_ text: String) -> String {
    text + (text.hasSuffix("\n") ? "\n" : "\n\n") + foot + "\n"
  }

  private static let note =
    "<!-- Written by `carrel reference docs/reference`; a test holds it to the program. -->"

  /// The same line ends every page of the documents, also those that people write.
  static let foot =
    "*True for Carrel \(Release.number); commands are typed by a test (`Tests/EndToEnd/DocTests.swift`).*"

  private static var settings: String {
    "# Settings\n\n\(Manual.settings.markdown(below: 1))"
  }

  private static var errors: String {
    let codes = ErrorCode.allCases.map { code in
      [
        Markdown.code(code.rawValue), "\(code.exit.rawValue)", Markdown.escaped(code.cause),
        Markdown.escaped(code.remedy),
      ]
    }
    let exits = Program.carrel.exits.map { [$0.term, Markdown.escaped($0.meaning)] }
    return """
      # Errors and exit codes

      The codes are the same in messages, in JSON, in logs and in the problem documents of the gateway.
      Codes that are not listed here may be added: whoever reads them takes an unknown one for a failure.

      ## Exit codes

      \(Markdown.table(["code", "means"], exits))
      ## Error codes

      \(Markdown.table(["code", "exit", "what it means", "what can be done"], codes))
      """
  }

  private static func providers(_ providers: [ProviderItem]) -> String {
    var can: [ProviderItem.Capability] = []
    for capability in providers.flatMap(\.capabilities) where !can.contains(capability) {
      can.append(capability)
    }
    let matrix = can.map { capability in
      [Markdown.escaped(capability.sentence)]
        + providers.map { $0.capabilities.contains(capability) ? "yes" : "" }
    }
    let needs = providers.map { provider in
      [
        Markdown.code(provider.id), Markdown.escaped(provider.needs.joined(separator: ", ")),
        provider.settings.map(Markdown.code).joined(separator: " "),
      ]
    }
    return """
      # Services

      What `carrel link` knows, and what each of them can do. A library's own desk can do what its parts can: the
      page of its adapter, in `Providers`, says which.

      \(Markdown.table([""] + providers.map { Markdown.escaped($0.title) }, matrix))
      ## What each needs

      A setting that is marked with ? may be left out. `carrel config example` shows where they stand.

      \(Markdown.table(["service", "an account needs", "settings of a library"], needs))
      """
  }
}
