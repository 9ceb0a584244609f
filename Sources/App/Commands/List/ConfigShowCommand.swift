import Arguments
import JSON
import Setup
import TextSafety

struct ConfigShowCommand: Command {
  static let key = Argument(
    optional: "key", Kind<String>.word.completed(by: .dynamic("settings")),
    "A setting such as server.port, or a group such as server.")
  static let origin = Flag("origin", "Show where each value comes from.", common: true)

  static let spec = CommandSpec(
    "config show", "Print the settings that count.",
    discussion: """
      Prints every setting with the value that counts now. A flag wins over a variable of the \
      environment, that over the settings file, and the file over /etc/carrel/config.yaml. \
      Secrets are printed as dots.
      """,
    examples: [
      .init("carrel config show --origin", "Every setting, and where its value comes from."),
      .init("carrel config show server.port", "One setting."),
      .init("carrel config show mail --json", "One group, for programs."),
    ],
    exits: [5, 10], environment: ["CARREL_CONFIG", "CARREL_PROFILE", "CARREL_SECTION_KEY"],
    parameters: [key, origin])

  static let schemas = [
    ReportSchema(
      "config", "Settings with their values and origins.",
      [
        .init("key", .string, "The setting."),
        .init("value", .string, "Its value as text; left out when unset.", required: false),
        .init("origin", .string, "default, a file with line, a variable, or a flag."),
        .init("default", .string, "Its default; left out when that is unset.", required: false),
        .init("secret", .boolean, "Whether the value is hidden."),
      ])
  ]

  func run(_ input: Input, in app: App) async throws {
    let configuration = try app.configuration()
    let key = try input[Self.key]
    let showsOrigin = try input[Self.origin]
    let settings = configuration.resolved.filter { setting in
      key.map { setting.spec.key == $0 || setting.spec.section == $0 } ?? true
    }
    guard !settings.isEmpty else { throw unknown(key ?? "") }
    var report = Report(Self.schemas[0], settings.map(item)) { layout in
      page(settings, showsOrigin, layout)
    }
    report.warnings = configuration.warnings
    try app.output.show(report)
  }

  private func page(_ settings: [ResolvedSetting], _ showsOrigin: Bool, _ layout: TextLayout)
    -> TerminalText
  {
    let keyWidth = settings.map { cells($0.spec.key) }.max() ?? 0
    let valueWidth = settings.map { cells($0.shown ?? "-") }.filter { $0 <= 40 }.max() ?? 0
    var text: TerminalText = ""
    var section = settings.first?.spec.section
    for setting in settings {
      if setting.spec.section != section { text += "\n" }
      section = setting.spec.section
      let value = setting.shown ?? "-"
      text += "\(setting.spec.key.padded(to: keyWidth))  "
      let line =
        showsOrigin ? "\(value.padded(to: valueWidth))  \(setting.origin.description)" : value
      text += "\(line)\n"
    }
    return text
  }

  private func item(_ setting: ResolvedSetting) -> JSONValue {
    var object = JSONObject([
      .init("key", .string(setting.spec.key)),
      .init("origin", .string(setting.origin.description)),
      .init("secret", .bool(setting.spec.secrecy == .secret)),
    ])
    object["value"] = setting.shown.map(JSONValue.string)
    object["default"] = setting.spec.shownDefault.map(JSONValue.string)
    return .object(object)
  }

  private func unknown(_ key: String) -> CommandError {
    let keys = Settings.all.map(\.key) + Settings.sections.map(\.name)
    var error = CommandError(
      .unknownSetting, "there is no setting '\(key)'", try: "carrel config show")
    error.suggestions = nearest(to: key, among: keys)
    if error.suggestions.isEmpty {
      error.suggestions = Settings.all.filter { $0.name == key }.map(\.key)
    }
    return error
  }
}
