import Arguments
import Console
import JSON
import Machine
import Setup
import TextSafety

struct ConfigEditCommand: Command {
  static let spec = CommandSpec(
    "config edit", "Change the settings in your editor.",
    discussion: """
      Opens a copy of the settings file in VISUAL or EDITOR. Only a copy without faults takes the \
      file's place; with faults you may edit again, or leave the old file as it is. When there is \
      no file yet, the copy begins with every setting, its default and its meaning.
      """,
    examples: [
      .init("carrel config edit", "Change your own settings."),
      .init("carrel config edit --profile demo", "Change the settings of a profile."),
    ],
    exits: [6, 10, 13], environment: ["VISUAL", "EDITOR", "CARREL_CONFIG", "CARREL_PROFILE"])

  static let schemas = [
    ReportSchema(
      "config-edit", "What came of an edit.",
      [
        .init("file", .string, "The settings file."),
        .init("changed", .boolean, "Whether it was replaced."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let path = try app.settingsFile().path
    let before = SettingsReading.exists(path) ? try SettingsReading.bytes(path) : nil
    let draft = path + ".edit"
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try files(path) {
      if !folder.isEmpty { try Files.makeFolder(folder) }
      try WholeFile.write(before ?? Array(ExampleFile.text.utf8), to: draft)
    }
    defer { Files.remove(draft) }
    while true {
      try edit(draft, app)
      do throws(CommandError) {
        let faults = try SettingsReading.alone(draft, named: path, app.libraryCheck()).faults
        guard faults.isEmpty else { throw CommandError(ConfigurationError(faults)) }
        break
      } catch {
        try? OutputStream.error.write(error.text)
        try app.questions.confirm("Edit again?")
      }
    }
    let after = try SettingsReading.bytes(draft)
    if after != before {
      try files(path) { try WholeFile.write(after, to: path) }
    }
    try report(path, changed: after != before, app)
  }

  private func report(_ path: String, changed: Bool, _ app: App) throws(CommandError) {
    let item: JSONValue = ["file": .string(path), "changed": .bool(changed)]
    try app.output.show(
      Report(Self.schemas[0], [item]) { _ in
        changed ? "saved \(path)\n" : "nothing was changed in \(path)\n"
      })
  }

  /// The shell splits the editor's own flags, as in EDITOR="code --wait".
  private func edit(_ path: String, _ app: App) throws(CommandError) {
    let editor = app.surroundings["VISUAL"] ?? app.surroundings["EDITOR"] ?? "editor"
    let ending = Process.run(
      ["/bin/sh", "-c", "\(editor) \"$1\"", "carrel", path],
      environment: app.surroundings.environment)
    guard ending == .exited(0) else {
      throw CommandError(
        .editorFailed, "the editor '\(editor)' did not finish; nothing was changed",
        try: "EDITOR=nano carrel config edit")
    }
  }

  private func files(_ path: String, _ body: () throws -> Void) throws(CommandError) {
    do {
      try body()
    } catch {
      throw CommandError(.unwritable, "cannot write \(path): \(error)")
    }
  }
}
