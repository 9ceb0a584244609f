import Arguments
import Items

/// The reference in Markdown: what the program says of itself, and nothing that is written by hand.
enum Reference {
  /// The pages by their file names.
  static func pages(_ providers: [ProviderItem]) -> [(name: String, text: String)] {
    [
      ("commands.md", Program.carrel.reference), ("settings.md", settings), ("errors.md", errors),
      ("documents.md", documents), ("providers.md", Self.providers(providers)),
    ].map { ($0, "\(note)\n\n\($1)") }
  }

  private static let note =
    "<!-- Written by `carrel reference docs/reference`; a test holds it to the program. -->"

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

  private static var documents: String {
    """
    # Documents in JSON

    Every command takes `--json` and prints one document: `schema`, `generated_at`, `items`, `partial`,
    `warnings` and `next`, and the keys below in each item. `carrel schema NAME` prints the JSON Schema.
    Keys that are marked with ? may be left out. New keys may come at any time.


    """
      + SchemaCommand.all.map { schema in
        "## \(schema.id)\n\n\(Markdown.escaped(schema.summary))\n\n"
          + Markdown.table(["key", "type", "meaning"], rows(schema.properties))
          + (schema.members.isEmpty
            ? ""
            : "\nBeside the usual keys of the document:\n\n"
              + Markdown.table(["key", "type", "meaning"], rows(schema.members)))
      }.joined(separator: "\n")
  }

  /// Those inside others by their path.
  private static func rows(_ properties: [ReportSchema.Property], in path: String = "")
    -> [[String]]
  {
    properties.flatMap { property -> [[String]] in
      let name = path + property.name
      let row = [
        Markdown.code(name + (property.isRequired ? "" : "?")), property.shape.word,
        Markdown.escaped(property.meaning),
      ]
      return [row] + rows(property.shape.inner, in: name + property.shape.step)
    }
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

extension ReportSchema.Shape {
  fileprivate var word: String {
    switch self {
    case .string: "text"
    case .integer: "whole number"
    case .number: "number"
    case .boolean: "true or false"
    case .time: "time"
    case .list(let element): "list, each \(element.word)"
    case .object: "object"
    case .nullable(let shape): "\(shape.word), or null"
    }
  }

  fileprivate var inner: [ReportSchema.Property] {
    switch self {
    case .object(let properties): properties
    case .list(let shape), .nullable(let shape): shape.inner
    case .string, .integer, .number, .boolean, .time: []
    }
  }

  /// From its name to what is inside it.
  fileprivate var step: String {
    switch self {
    case .list(let shape): "[]" + (shape.inner.isEmpty ? "" : shape.step)
    case .nullable(let shape): shape.step
    default: "."
    }
  }
}
