import Arguments
import JSON
import TextSafety

/// Reference pages that `carrel help` shows beside those of the commands.
enum HelpTopic: String, CaseIterable {
  case errors
  case exitCodes = "exit-codes"
  case environment
  case files

  static let schema = ReportSchema(
    "notes", "A reference table: exit codes, variables, files.",
    [
      .init("term", .string, "The code, name or path."),
      .init("meaning", .string, "What it means."),
    ])

  static let errorSchema = ReportSchema(
    "errors", "Every error code.",
    [
      .init("code", .string, "The word in messages, logs and answers."),
      .init("exit", .integer, "The exit code that goes with it."),
      .init("cause", .string, "What it means."),
      .init("remedy", .string, "What can be done."),
    ])

  var meaning: String {
    switch self {
    case .errors: "Every error code, its cause and its remedy."
    case .exitCodes: "What each exit code means."
    case .environment: "Variables that carrel reads."
    case .files: "Where carrel keeps its files."
    }
  }

  var report: Report {
    switch self {
    case .errors:
      Report(Self.errorSchema, ErrorCode.allCases.map(Self.item), text: Self.errorPage)
    case .exitCodes: notes("Exit codes", Program.carrel.exits)
    case .environment: notes("Environment", Program.carrel.environment)
    case .files: notes("Files", Program.carrel.files)
    }
  }

  private func notes(_ title: String, _ notes: [Program.Note]) -> Report {
    let items = notes.map { note -> JSONValue in
      ["term": .string(note.term), "meaning": .string(note.meaning)]
    }
    return Report(Self.schema, items) { layout in
      layout.heading("\(title)") + "\n" + layout.table(notes.map { ($0.term, $0.meaning) }) + "\n"
    }
  }

  private static func item(_ code: ErrorCode) -> JSONValue {
    [
      "code": .string(code.rawValue), "exit": .integer(Int(code.exit.rawValue)),
      "cause": .string(code.cause), "remedy": .string(code.remedy),
    ]
  }

  private static func errorPage(_ layout: TextLayout) -> TerminalText {
    let rows = ErrorCode.allCases.map { code in
      (code.rawValue, "\(code.cause) \(code.remedy) Exit \(code.exit.rawValue).")
    }
    return layout.heading("Errors") + "\n" + layout.table(rows) + "\n"
  }
}
