import Arguments
import Items
import Setup

struct SyncCommand: Command {
  static let spec = CommandSpec(
    "sync", "Ask every library for loans and holds.",
    discussion: """
      All libraries are asked at the same time. One that does not answer keeps what was last known \
      of it, marked as old. Commands whose outcome was left open by a crash or a silence are \
      settled.
      """,
    examples: [
      .init("carrel sync", "Refresh the shelf."),
      .init("carrel sync --timeout 5s", "Wait five seconds at most for each library."),
    ],
    exits: [3, 4, 6, 7, 8, 10, 12])

  static let schemas = [
    ReportSchema(
      "syncs", "What each library answered.",
      [
        .init("account", .string, "The card."),
        .init("state", .string, "fresh or stale."),
        .init("loans", .integer, "Loans on it."),
        .init("holds", .integer, "Holds on it."),
        .init("ready", .integer, "Holds that can be borrowed now."),
        .init("last_good_sync", .nullable(.time), "When it last answered well."),
        .init("settled", .list(.string), "Commands whose outcome is known now."),
        .init("error", .nullable(.object(Schemas.error)), "Why it did not answer."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let syncs = try await app.engaged("the libraries") { engine, seat throws(ErrorItem) in
      try await engine.sync(at: seat)
    }
    let failed = syncs.compactMap(\.trouble)
    var report = Report(Self.schemas[0], syncs.map(\.json)) { _ in
      syncs.isEmpty ? "No card is linked yet.\n" : syncs.map(Self.text).joined()
    }
    report.partial = !failed.isEmpty
    try app.output.show(report)
    try Partly.check(failed, of: syncs.count, "cards")
  }

  private static func text(_ sync: SyncItem) -> String {
    var text =
      "\(sync.account): \(Counted.text(sync.loans, "loan")), \(Counted.text(sync.holds, "hold"))"
    if sync.ready > 0 { text += ", \(sync.ready) ready to borrow" }
    if sync.state == "stale" {
      text +=
        sync.lastGoodSync.flatMap { Moments.day($0) }.map { " (as of \($0))" }
        ?? " (never answered yet)"
    }
    return text + "\n" + sync.settled.map { "  \($0)\n" }.joined()
  }
}
