import Arguments
import Items
import Setup
import TextSafety

struct GutenbergImportCommand: Command {
  static let file = Argument(
    "file", .file, "rdf-files.tar.bz2, one .rdf, or pg_catalog.csv, as the site publishes them.")

  static let spec = CommandSpec(
    "gutenberg import", "Read Project Gutenberg's catalogue from a file.",
    discussion: """
      The nightly archive is the whole catalogue: it is read as it is packed, and what it does not \
      list any more leaves once two archives in a row have missed it. A record adds or renews one \
      title. The table knows neither files nor rights, so it only adds titles that are not known.

      An archive that is cut short is read as far as it goes; importing a whole one afterwards \
      completes it. Nobody needs an account: the books are found at once.
      """,
    examples: [
      .init("carrel gutenberg import rdf-files.tar.bz2", "The whole catalogue."),
      .init("carrel gutenberg import pg11.rdf --json", "One title."),
    ],
    exits: [3, 5, 7, 12, 13, 130], parameters: [file])

  static let schemas = [
    ReportSchema("imported", "How the import ended.", HarvestCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let file = try input[Self.file]
    let engine = try app.needed()
    let seat = try app.seat()
    let waiting = Waiting("the catalogue in \(file)", app.output, app.surroundings)
    defer { waiting.finish() }
    let item: HarvestItem
    do throws(ErrorItem) {
      item = try await engine.readCatalogue(of: "gutenberg", from: file, at: seat) { progress in
        waiting.update("\(HarvestCommand.words(progress, reading: Self.bar))")
      }
    } catch {
      throw CommandError(error)
    }
    waiting.finish()
    var report = Report(Self.schemas[0], [item.json]) { _ in HarvestCommand.line(item) }
    report.partial = item.trouble != nil || item.warningCount > 0
    report.warnings = item.warnings
    try app.output.show(report)
    guard let trouble = item.trouble else { return }
    guard item.editions > 0 else { throw CommandError(trouble) }
    var error = CommandError(
      .partlyFailed, "the catalogue in \(file) is not all there; what is whole of it was read",
      try: "carrel help gutenberg import")
    error.details = ["  " + CommandError(trouble).message]
    throw error
  }

  /// `[#########           ]  45 %  33750 titles`
  static func bar(_ tally: HarvestItem) -> String {
    let titles = "\(tally.changed) titles new or changed, page \(tally.pages)"
    guard tally.bytesInAll > 0 else { return titles }
    let part = min(1, Double(tally.bytesRead) / Double(tally.bytesInAll))
    let done = Int(part * 20)
    let bar = String(repeating: "#", count: done) + String(repeating: " ", count: 20 - done)
    return "[\(bar)] \(Int(part * 100)) %  \(titles)"
  }
}
