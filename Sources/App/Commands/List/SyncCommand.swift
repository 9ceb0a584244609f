import Arguments
import Items
import Setup
import TextSafety

struct SyncCommand: Command {
  static let due = Flag(
    "due", "Do what the schedule says is due by now, for every reader, and nothing else.",
    common: true)

  static let spec = CommandSpec(
    "sync", "Ask every library for loans and holds.",
    discussion: """
      All libraries are asked at the same time. One that does not answer keeps what was last known \
      of it, marked as old. Commands whose outcome was left open by a crash or a silence are \
      settled.

      A running gateway does all this by itself. Where none runs, carrel sync --due from a timer \
      does what is due: syncs, harvests, and whatever else is on the schedule, each once, however \
      many gateways share the database.
      """,
    examples: [
      .init("carrel sync", "Refresh the shelf."),
      .init("carrel sync --timeout 5s", "Wait five seconds at most for each library."),
      .init("carrel sync --due", "From a timer, where no gateway runs."),
    ],
    exits: [3, 4, 6, 7, 8, 10, 12], parameters: [due])

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
      ]), DueText.schema,
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    if try input[Self.due] { return try await DueText.show(in: app) }
    let syncs = try await app.engaged("the libraries") { engine, seat throws(ErrorItem) in
      try await engine.sync(at: seat)
    }
    let failed = syncs.compactMap(\.trouble)
    var report = Report(Self.schemas[0], syncs.map(\.json)) { _ in
      syncs.isEmpty ? Nothing.noCard : syncs.map(Self.text).joined()
    }
    report.partial = !failed.isEmpty
    try app.output.show(report)
    try Partly.check(failed, of: syncs.count, "cards")
  }

  private static func text(_ sync: SyncItem) -> TerminalText {
    var text: TerminalText =
      "\(sync.account): \(Counted.text(sync.loans, "loan")), \(Counted.text(sync.holds, "hold"))"
    if sync.ready > 0 { text += ", \(sync.ready) ready to borrow" }
    if sync.state == "stale" {
      text +=
        sync.lastGoodSync.flatMap { Moments.past($0) }.map { " (as of \($0))" as TerminalText }
        ?? " (never answered yet)"
    }
    return text + "\n" + sync.settled.map { "  \($0)\n" }.joined()
  }
}
