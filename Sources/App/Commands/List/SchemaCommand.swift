import Arguments
import JSON
import TextSafety

struct SchemaCommand: Command {
  static let name = Argument(
    optional: "name", Kind<String>.word.completed(by: .dynamic("schemas")),
    "The name of a schema; without it, all names.")

  static let spec = CommandSpec(
    "schema", "Print the JSON Schema of an output.",
    discussion: """
      Every --json output names its schema, as in "carrel.version/1". The number changes only when \
      a key goes away or changes its meaning; new keys may come at any time.
      """,
    examples: [
      .init("carrel schema", "The names of all schemas."),
      .init("carrel schema version", "The schema of carrel version --json."),
    ],
    exits: [5], parameters: [name])

  static let schemas = [
    ReportSchema(
      "schemas", "Schemas that carrel can print.",
      [
        .init("name", .string, "The name to ask for."),
        .init("schema", .string, "As documents name it."),
        .init("summary", .string, "What the documents hold."),
        .init(
          "document", .object([]), "The JSON Schema, when one was asked for.", required: false),
      ])
  ]

  /// All that are shipped, in the order of the commands.
  static var all: [ReportSchema] { allCommands.flatMap { $0.schemas } }

  func run(_ input: Input, in app: App) async throws {
    guard let name = try input[Self.name] else {
      return try app.output.show(
        Report(Self.schemas[0], Self.all.map { item($0) }) { layout in
          layout.table(Self.all.map { ($0.name, $0.summary) }, indent: 0) + "\n"
        })
    }
    guard let schema = Self.all.first(where: { $0.name == name || $0.id == name }) else {
      var error = CommandError(
        .unknownSchema, "there is no schema '\(name)'", try: "carrel schema")
      error.suggestions = nearest(to: name, among: Self.all.map(\.name))
      throw error
    }
    let report = Report(Self.schemas[0], [item(schema, with: schema.document)]) { _ in
      TerminalText(json: schema.document.text(.indented) + "\n")
    }
    try app.output.show(report)
  }

  private func item(_ schema: ReportSchema, with document: JSONValue? = nil) -> JSONValue {
    var object = JSONObject([
      .init("name", .string(schema.name)), .init("schema", .string(schema.id)),
      .init("summary", .string(schema.summary)),
    ])
    object["document"] = document
    return .object(object)
  }
}
