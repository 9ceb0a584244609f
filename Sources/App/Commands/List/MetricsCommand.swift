import Arguments
import JSON
import Metrics
import Setup
import TextSafety

struct MetricsCommand: Command {
  static let spec = CommandSpec(
    "metrics", "Print what /metrics exports: each metric, its labels, its meaning.",
    discussion: """
      Where the numbers themselves are is said by metrics.listen and metrics.token_file; without \
      either they are off.
      """,
    examples: [
      .init("carrel metrics", "Read what monitoring can know of a gateway."),
      .init("carrel metrics -o metrics.md", "Keep the reference beside your dashboards."),
    ],
    exits: [13])

  static let schemas = [
    ReportSchema(
      "metrics", "Every metric there is.",
      [
        .init("name", .string, "The name in a scrape."),
        .init("type", .string, "counter, gauge or histogram."),
        .init("help", .string, "What it says."),
        .init("labels", .list(.string), "The names of its labels."),
      ])
  ]

  func run(_ input: Input, in app: App) async throws {
    let items = MetricTable.all.map { family -> JSONValue in
      [
        "name": .string(family.name), "type": .string(family.kind.rawValue),
        "help": .string(family.help),
        "labels": .array(family.labels.map { .string($0.name) }),
      ]
    }
    try app.output.show(
      Report(Self.schemas[0], items) { _ in TerminalText(lines: Reference.metrics) })
  }
}
