import Arguments
import JSON
import Setup
import TextSafety

struct ConfigExampleCommand: Command {
  static let spec = CommandSpec(
    "config example", "Print a settings file with every setting explained.",
    examples: [
      .init("carrel config example", "Read what can be set, and why one would."),
      .init("carrel config example -o carrel.yaml", "Begin a settings file of your own."),
    ],
    exits: [13])

  static let schemas = [
    ReportSchema(
      "settings", "Every setting there is.",
      [
        .init("key", .string, "The setting."),
        .init("variable", .string, "The variable of the environment that sets it."),
        .init("default", .string, "Its default; left out when that is unset.", required: false),
        .init("takes", .string, "What its value must be."),
        .init("summary", .string, "What it is."),
        .init("reason", .string, "Why one would change it."),
      ])
  ]

  func run(_ input: Input, in app: App) async throws {
    let items = Settings.all.map { spec -> JSONValue in
      var object = JSONObject([
        .init("key", .string(spec.key)), .init("variable", .string(spec.variable)),
        .init("takes", .string(spec.expectation)), .init("summary", .string(spec.summary)),
        .init("reason", .string(spec.reason)),
      ])
      object["default"] = spec.shownDefault.map(JSONValue.string)
      return .object(object)
    }
    try app.output.show(
      Report(Self.schemas[0], items) { _ in TerminalText(lines: ExampleFile.text) })
  }
}
