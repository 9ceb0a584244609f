import Arguments
import Setup
import TextSafety

struct PlanCommand: Command {
  static let libraries = Option(
    "libraries", .integer(1...100_000), default: 1, "How many libraries.")
  static let patrons = Option(
    "patrons", .integer(1...10_000_000), default: 10_000, "How many readers each of them has.")
  static let perGateway = Option(
    "per-gateway", .integer(1...1_000_000), default: 1_000,
    "What one gateway answers in a second, as scripts/bench-scale measures it.")

  static let spec = CommandSpec(
    "admin plan", "Tell what a house of a certain size needs.",
    discussion: """
      Rows and bytes, and on which machines of a distributed PostgreSQL they lie; requests in the \
      busiest hour and gateways for them; questions to libraries, by schedule.sync_every and \
      schedule.harvest_every as they are set. It is a sum over what one reader brings, not a \
      measurement: docs/scale.md says what is assumed.
      """,
    examples: [
      .init("carrel admin plan --libraries 1000 --patrons 100000", "A country."),
      .init("carrel admin plan --patrons 20000 --json", "A town."),
    ],
    exits: [2, 10], parameters: [libraries, patrons, perGateway])

  static let schemas = [
    ReportSchema(
      "plan", "What a house of that size needs.",
      [
        .init("libraries", .integer, "How many libraries."),
        .init("patrons", .integer, "How many readers in all."),
        .init("rows", .integer, "How many rows in all tables."),
        .init("bytes_by_patron", .integer, "Bytes that are parted by reader."),
        .init("bytes_everywhere", .integer, "Bytes that each machine has whole."),
        .init("requests_per_second", .integer, "In the busiest hour."),
        .init("gateways", .integer, "So many, one of them for when another is restarted."),
        .init("provider_calls_per_day", .integer, "Questions to all libraries."),
        .init(
          "provider_calls_per_library_and_minute", .integer, "The same for one of them, on average."
        ),
        .init(
          "tables",
          .list(
            .object([
              .init("what", .string, "What it is."),
              .init("place", .string, "patron, everywhere or one: where its rows lie."),
              .init("rows", .integer, "How many rows."), .init("bytes", .integer, "How large."),
              .init("of", .list(.string), "The tables, each with the column it is parted by."),
            ])), "Part by part."),
      ])
  ]

  func run(_ input: Input, in app: App) async throws {
    let schedule = try app.configuration().schedule
    let plan = GrowthPlan(
      libraries: try input[Self.libraries], patrons: try input[Self.patrons],
      syncSeconds: max(60, schedule.syncEvery / .seconds(1)),
      harvestSeconds: max(60, schedule.harvestEvery / .seconds(1)),
      perGateway: Double(try input[Self.perGateway]))
    try app.output.show(Report(Self.schemas[0], [plan.json]) { Self.text(plan, $0) })
  }

  private static func size(_ bytes: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var (number, unit) = (Double(bytes), 0)
    while number >= 1000, unit < units.count - 1 { (number, unit) = (number / 1000, unit + 1) }
    return "\(Int(number.rounded())) \(units[unit])"
  }

  private static func text(_ plan: GrowthPlan, _ layout: TextLayout) -> TerminalText {
    let rows = plan.lines.map {
      [Counted.grouped($0.rows), size($0.bytes), $0.place.rawValue, $0.what]
    }
    return """
      \(Counted.grouped(plan.readers)) readers of \(plan.libraries) \
      \(plan.libraries == 1 ? "library" : "libraries"), \(Counted.grouped(plan.rows)) rows:

      \(Grid(rows: rows, yielding: 3).text(layout))
      parted by reader  \(size(plan.bytes(.patron)))
      on every machine  \(size(plan.bytes(.everywhere)))
      busiest hour      \(Int(plan.peakRequests.rounded(.up))) requests/s: \(Counted.text(plan.gateways, "gateway"))
      to libraries      \(Counted.grouped(Int(plan.callsPerDay))) questions a day, \
      \(Int((plan.callsPerLibrarySecond * 60).rounded(.up))) a minute at each

      """
  }
}
