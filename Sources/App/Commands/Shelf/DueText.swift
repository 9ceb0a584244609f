import Items
import Setup
import TextSafety

/// What was due, and how each piece of it ended.
enum DueText {
  static let schema = ReportSchema(
    "due", "What was due, and how it ended.",
    [
      .init("kind", .string, "The kind of work: sync, harvest, settling, pacing and so on."),
      .init("subject", .string, "The reader or the library it was for, or house."),
      .init(
        "outcome", .string, "done, failed, or over where there is nothing left to do for it."),
      .init("note", .nullable(.string), "What came of it, or why it failed."),
    ])

  static func show(in app: App) async throws {
    let items = try await app.engaged("what is due") { engine, seat throws(ErrorItem) in
      try await engine.doDue(at: seat)
    }
    let failed = items.filter { $0.outcome == "failed" }
    var report = Report(schema, items.map(\.json)) { layout in
      items.isEmpty
        ? "Nothing was due.\n" : Grid(rows: items.map(row), yielding: 3).text(layout)
    }
    report.partial = !failed.isEmpty
    try app.output.show(report)
    guard !failed.isEmpty else { return }
    var error = CommandError(
      .partlyFailed, "\(failed.count) of \(Counted.text(items.count, "job")) failed",
      try: "carrel account check")
    error.details = failed.map { "  \($0.kind) of \($0.subject): \($0.note ?? "no reason given")" }
    throw error
  }

  private static func row(_ item: DueItem) -> [String] {
    [item.kind, item.subject, item.outcome, item.note ?? ""]
  }
}
