import Arguments
import Items
import Setup
import TextSafety

struct HarvestCommand: Command {
  static let account = Argument(
    optional: "account", Kind<String>.word.called("ACCOUNT"),
    "One account's library; without it, each.")
  static let full = Flag("full", "Read the whole catalogue, not only what changed.", common: true)

  static let spec = CommandSpec(
    "harvest", "Refresh the catalogue of each library.",
    discussion: """
      Reads what changed since the last harvest, or everything the first time. It may be stopped \
      at any time and goes on where it was. Of a catalogue that suddenly lists far fewer titles \
      than before nothing is taken to have left.
      """,
    examples: [
      .init("carrel harvest", "Every library."),
      .init("carrel harvest city --full", "One library, from the beginning."),
    ],
    exits: [3, 4, 5, 7, 8, 10, 12, 130], parameters: [account, full])

  static let schemas = [ReportSchema("harvests", "How each harvest ended.", properties)]

  static let properties: [ReportSchema.Property] = [

    .init("library", .string, "The library."),
    .init("provider", .string, "The kind of service."),
    .init("pages", .integer, "Pages that were read."),
    .init("changed", .integer, "Titles that are new or changed."),
    .init("removed", .integer, "Titles that left."),
    .init("editions", .integer, "Titles in the catalogue now."),
    .init("missing", .integer, "Titles that were not listed any more; still to be found."),
    .init("held_back", .integer, "Titles that would have left, but were too many at once."),
    .init("warnings", .list(.string), "What could not be read: the first hundred sentences."),
    .init("warning_count", .integer, "How many there were in all."),
    .init("complete", .boolean, "Whether the library has been read to its end."),
    .init("error", .nullable(.object(Schemas.error)), "What stopped it."),
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let account = try input[Self.account]
    let full = try input[Self.full]
    let engine = try app.needed()
    let seat = try app.seat()
    let waiting = Waiting("the catalogues", app.output, app.surroundings)
    defer { waiting.finish() }
    let harvests: [HarvestItem]
    do throws(ErrorItem) {
      harvests = try await engine.harvest(account, full: full, at: seat) { progress in
        let words = Self.words(progress) {
          "\($0.library): \($0.changed) titles, page \($0.pages)"
        }
        waiting.update("\(words)")
      }
    } catch {
      throw CommandError(error)
    }
    waiting.finish()
    let failed = harvests.compactMap(\.trouble)
    var report = Report(Self.schemas[0], harvests.map(\.json)) { _ in
      harvests.map(Self.line).joined()
    }
    report.partial = !failed.isEmpty
    report.warnings = harvests.flatMap(Self.warnings)
    try app.output.show(report)
    try Partly.check(failed, of: harvests.count, "libraries")
  }

  /// A catalogue full of faults is not to hide what became of the others.
  private static func warnings(_ harvest: HarvestItem) -> [String] {
    let first = harvest.warnings.prefix(10)
    let rest = harvest.warningCount - first.count
    let more = rest > 0 ? ["and \(rest) more"] : []
    return (first + more).map { "\(harvest.library): \($0)" }
  }

  /// What it is at, in one line of a terminal; `reading` puts that part into words.
  static func words(
    _ progress: HarvestProgress, reading: (HarvestItem) -> String
  ) -> String {
    switch progress {
    case .indexing(let left): "making the search anew: \(Counted.text(left, "title")) left"
    case .matching(let left): "telling which are one work: \(Counted.text(left, "step")) left"
    case .reading(let tally): reading(tally)
    }
  }

  static func line(_ harvest: HarvestItem) -> TerminalText {
    let counts = "\(harvest.changed) new or changed, \(harvest.removed) gone"
    // How many there are in all is counted at the end.
    let end = harvest.isComplete ? ", \(harvest.editions) in all" : "; stopped before its end"
    return "\(harvest.library): \(counts)\(end)\n"
  }
}
