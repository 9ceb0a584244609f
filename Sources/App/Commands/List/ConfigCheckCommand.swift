import Arguments
import JSON
import Setup
import TextSafety

struct ConfigCheckCommand: Command {
  static let file = Argument(
    optional: "file", .file, "A settings file; without it, the settings that count now.")

  static let spec = CommandSpec(
    "config check", "Check the settings and tell all that is wrong.",
    discussion: """
      Reads a settings file without using it and reports every fault at once, each with line and \
      column. Without a file it checks what carrel would start with: the settings file, the \
      system's, the environment and the flags together. Libraries are checked against what their \
      provider needs. Most faults stop a gateway from starting; a secret file that cannot be read \
      or an unusable address disables only its library.
      """,
    examples: [
      .init("carrel config check", "Would carrel start with what it has?"),
      .init("carrel config check new.yaml", "Is this file all right?"),
    ],
    exits: [10], environment: ["CARREL_CONFIG", "CARREL_PROFILE", "CARREL_SECTION_KEY"],
    parameters: [file])

  static let schemas = [
    ReportSchema(
      "config-check", "A settings file that was found to be right.",
      [
        .init("file", .string, "The file; left out when there is none.", required: false),
        .init("valid", .boolean, "Always true: faults are an error."),
        .init("changed", .integer, "Settings whose value is not the default."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let configuration: Configuration
    var path: String?
    if let file = try input[Self.file] {
      path = file
      configuration = try SettingsReading.alone(file, app.libraryCheck())
    } else {
      let found = try app.settingsFile()
      configuration = try app.configuration(checkingLibraries: true)
      path = SettingsReading.exists(found.path) ? found.path : nil
    }
    // A gateway would start with these, but without the library.
    guard configuration.faults.isEmpty else { throw ConfigurationError(configuration.faults) }
    let changed = configuration.resolved.count { $0.origin != .builtIn }
    var item = JSONObject([.init("valid", true), .init("changed", .integer(changed))])
    item["file"] = path.map(JSONValue.string)
    let shown = path ?? "no settings file, and that"
    var report = Report(Self.schemas[0], [.object(item)]) { _ in
      "\(shown) is all right: \(changed) of \(configuration.resolved.count) settings are set\n"
    }
    report.warnings = configuration.warnings
    try app.output.show(report)
  }
}
