import Arguments
import Console
import Items
import JSON
import Setup
import TextSafety

struct DoctorCommand: Command {
  static let bundle = Option(
    "bundle", Kind<String>.file,
    "Write what a helper needs to know into this tar file, without secrets.", common: true)

  static let spec = CommandSpec(
    "doctor", "Look at all that the gateway stands on, and say what to do.",
    discussion: """
      It looks at settings, variables, permissions, disks, clocks, the database, the vault, each \
      library (name, certificate, a card, when it was last read), the feeds, the exchange of places, \
      the gateway that runs here, and the public address from outside. Each line begins with ok, warn \
      or fail. With --bundle it writes an archive for whoever helps you, after showing what is in it.
      """,
    examples: [
      .init("carrel doctor", "See what is wrong, if anything."),
      .init("carrel doctor --bundle support.tar", "Make an archive to send along with a question."),
    ],
    exits: [3, 10, 13], parameters: [bundle])

  static let schemas = [
    ReportSchema(
      "checkup", "What was looked at.",
      [
        .init("check", .string, "The kind of thing."),
        .init("subject", .nullable(.string), "Which of several."),
        .init("state", .string, "ok, warn or fail."),
        .init("message", .string, "How it is."),
        .init("try", .nullable(.string), "A command that helps."),
      ])
  ]

  static let patience = Duration.seconds(10)

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let engine = try app.needed()
    let seat: Seat
    do throws(CommandError) { seat = try app.seat() } catch {
      guard error.code == .configInvalid else { throw error }
      throw try Self.shown(error, in: app)
    }
    let waiting = Waiting(quietly: "libraries and disks", app.output, app.surroundings)
    let checks = await engine.examine(at: seat)
    waiting.finish()
    try app.output.show(Self.report(checks))
    if let path = try input[Self.bundle] {
      try Self.write(await engine.supportArchive(checks, at: seat), to: path, in: app)
    }
    let failed = checks.filter { $0.state == .fail }
    guard failed.isEmpty else {
      let names = failed.map { $0.subject.map { "\($0) " } ?? "" + $0.check }
      throw CommandError(
        .partlyFailed,
        "\(failed.count) of \(checks.count) checks failed: \(names.joined(separator: ", "))",
        try: failed.lazy.compactMap(\.attempt).first ?? "carrel doctor --bundle support.tar")
    }
  }

  /// The faults of libraries are reported together with those that keep everything else from being
  /// looked at.
  private static func shown(_ error: CommandError, in app: App) throws(CommandError)
    -> CommandError
  {
    var error = error
    do throws(CommandError) { _ = try app.configuration(checkingLibraries: true) } catch let all {
      error = all
    }
    let items = error.details.map { detail in
      CheckupItem("config", .fail, String(detail.text.drop { $0 == " " }), try: error.attempt)
    }
    try app.output.show(report(items))
    return error
  }

  private static func report(_ checks: [CheckupItem]) -> Report {
    var report = Report(schemas[0], checks.map(\.json)) { layout in
      checks.map { check in
        let word = check.state.rawValue
        let mark: TextLayout.Mark =
          switch check.state {
          case .ok: .good
          case .warn: .notable
          case .fail: .bad
          }
        let state = layout.marked("\(word)", mark)
        let gap = String(repeating: " ", count: 4 - word.count)
        let subject = check.subject.map { " \($0)" } ?? ""
        let attempt = check.attempt.map { "      try: \(command: $0)\n" as TerminalText } ?? ""
        return "\(state)\(gap)  \(check.check)\(subject): \(check.message)\n\(attempt)"
      }.joined()
    }
    report.partial = checks.contains { $0.state == .fail }
    return report
  }

  /// Shown before it is written, and to whoever sits there also asked.
  private static func write(
    _ archive: SupportArchive, to path: String, in app: App
  ) throws(CommandError) {
    app.output.note("\(path) will hold:")
    for file in archive.files {
      app.output.note("  \(file.name)  \(file.bytes.count) bytes: \(file.about)")
    }
    if app.questions.mayAsk { try app.questions.confirm("Write it?") }
    do throws(Files.Trouble) {
      try Files.write(archive.bytes, to: path, onlyForOwner: true)
    } catch {
      throw CommandError(.unwritable, "cannot write \(path): \(error)")
    }
    app.output.note("written to \(path)")
  }
}
