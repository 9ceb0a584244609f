import Arguments
import CSV
import Console
import Items
import Machine
import Setup
import TextSafety

struct MatchCommand: Command {
  static let file = Argument(
    optional: "file", .file, "The list of pairs; - or nothing is the standard input.")

  static let spec = CommandSpec(
    "match", "Say of pairs of editions whether they are one work.",
    discussion: """
      The list is comma-separated text whose first line names the columns, in any order: title_a, \
      authors_a, title_b and authors_b, and as far as known year_a, isbn_a, subtitle_a, \
      language_a, series_a, medium_a, oclc_a, work_a, identifiers_a and the same with b, and id. Several authors \
      are separated by ; or |. Identifiers are written as SCHEME:VALUE.
      """,
    examples: [
      .init("carrel match pairs.csv", "A verdict for each pair: same, different or unsure."),
      .init("carrel match pairs.csv --json", "The same for programs."),
    ],
    exits: [2, 3, 13], parameters: [file])

  static let schemas = [
    ReportSchema(
      "matches", "Pairs of editions that were compared.",
      [
        .init("id", .string, "The pair: its id, or the number of its row."),
        .init("verdict", .string, "same, different or unsure."),
        .init("score", .number, "How likely they are one work, from 0 to 1."),
        .init("why", .list(.string), "The reasons, the weightiest first."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  private static let limit = 256 << 20

  func run(_ input: Input, in app: App) async throws {
    let list = try PairList(try Self.bytes(try input[Self.file]))
    let order = MatchOrder(pairs: list.pairs)
    let matches = try await app.engaged("the matcher") { engine, seat throws(ErrorItem) in
      try await engine.match(order, at: seat)
    }
    var report = Report(Self.schemas[0], matches.map(\.json)) { layout in
      Grid(
        rows: matches.map { match in
          [match.id, match.verdict, Self.text(match.score), match.why.joined(separator: "; ")]
        }, yielding: 3
      ).text(layout)
    }
    report.partial = !list.faults.isEmpty
    report.warnings = list.faults
    try app.output.show(report)
    guard !list.faults.isEmpty else { return }
    let count = list.faults.count
    throw CommandError(
      .partlyFailed,
      "\(count) of \(Counted.text(count + matches.count, "row")) cannot be read",
      try: "carrel help match")
  }

  /// `0.97`, always two digits.
  private static func text(_ score: Double) -> String {
    let hundredths = Int((score * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func bytes(_ path: String?) throws(CommandError) -> [UInt8] {
    let source = path.flatMap { $0 == "-" ? nil : $0 } ?? "/dev/stdin"
    do throws(FileError) { return try WholeFile.read(source, upTo: limit) } catch {
      throw CommandError(.unreadable, "\(error)", try: "carrel help match")
    }
  }
}
