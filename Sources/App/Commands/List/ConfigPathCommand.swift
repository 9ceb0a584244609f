import Arguments
import JSON
import TextSafety

struct ConfigPathCommand: Command {
  static let spec = CommandSpec(
    "config path", "Print where the settings file lies.",
    examples: [
      .init("carrel config path", "The file that counts, whether it exists or not."),
      .init("carrel config path --home /srv/carrel", "The same for another home."),
    ],
    exits: [10], environment: ["CARREL_HOME", "CARREL_CONFIG", "XDG_CONFIG_HOME"])

  static let schemas = [
    ReportSchema(
      "config-path", "The settings file.",
      [
        .init("path", .string, "Where it lies."),
        .init("exists", .boolean, "Whether there is one."),
      ])
  ]

  func run(_ input: Input, in app: App) async throws {
    let path = try app.settingsFile().path
    let item: JSONValue = [
      "path": .string(path), "exists": .bool(SettingsReading.exists(path)),
    ]
    try app.output.show(Report(Self.schemas[0], [item]) { _ in "\(path)\n" })
  }
}
