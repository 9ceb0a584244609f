import Arguments
import Console
import Items
import Machine
import Setup
import TextSafety

struct ListImportCommand: Command {
  static let file = Argument("file", .file, "The file; - is the input.")
  static let into = Option(
    "into", Kind<String>.word.called("LIST"),
    "The list to put the books on, made where there is none; by default called like the file.",
    common: true)
  static let shelf = Option(
    "shelf", Kind<String>.word.called("SHELF"), "Only the books that stand on this shelf there.")
  static let dryRun = Flag("dry-run", short: "n", "Only tell what would be done.", common: true)
  static let rejects = Option(
    "rejects", .file, "Where to write the rows that were not taken, as they were.", common: true)

  private static let limit = 256 << 20
  /// As many faults as a screen has room for.
  private static let most = 20

  static let spec = CommandSpec(
    "list import", "Put the books of a file on a list.", discussion: ShelfFileText.importing,
    examples: [
      .init("carrel list import library_export.csv --into Books --dry-run", "What it would do."),
      .init("carrel list import export.csv --shelf to-read --into Wishes", "One shelf of it."),
      .init("carrel list import books.csv --rejects again.csv", "Keep what was not understood."),
    ],
    exits: [3, 6, 10, 13],
    parameters: [file, into, shelf, ShelfFileText.from, dryRun, rejects])

  private static let rows = ReportSchema.Shape.list(
    .object([
      .init("line", .integer, "Its line in the file."), .init("reason", .string, "Why."),
    ]))

  static let schemas = [
    ReportSchema(
      "list-imported", "What became of the file; every row is in one of the counts.",
      [
        .init("list", .string, "The list."),
        .init("format", .string, "Who wrote the file."),
        .init("encoding", .string, "How its letters are written."),
        .init("rows", .integer, "How many rows it has."),
        .init("new", .integer, "Books that were not on the list."),
        .init("changed", .integer, "Books that were, and are other now."),
        .init("unchanged", .integer, "Books that were there as they are."),
        .init("joined", .integer, "Further rows of a book that has several."),
        .init("passed", rows, "Rows left out on purpose."),
        .init("rejected", rows, "Rows that are no books."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let path = try input[Self.file]
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try WholeFile.read(path == "-" ? "/dev/stdin" : path, upTo: Self.limit)
    } catch {
      throw CommandError(.unreadable, "\(error)", try: "carrel help list import")
    }
    let order = ShelfFileOrder(
      bytes, onto: try input[Self.into] ?? Self.stem(of: path), shelf: try input[Self.shelf],
      format: try input[ShelfFileText.from], effect: input.has(Self.dryRun) ? .counted : .taken)
    let engine = try app.needed()
    let seat = try app.seat()
    let waiting = Waiting(quietly: "the books in \(path)", app.output, app.surroundings)
    defer { waiting.finish() }
    let item: ShelfIntakeItem
    do throws(ErrorItem) {
      item = try await engine.take(order, at: seat) { waiting.update("\($0)") }
    } catch {
      throw CommandError(error)
    }
    waiting.finish()
    let rejects = try input[Self.rejects]
    if let rejects, !item.rejected.isEmpty { try Self.write(item.again, to: rejects) }
    try Self.show(item, order.effect, in: app)
    guard !item.rejected.isEmpty else { return }
    throw CommandError(
      .partlyFailed, "\(item.rejected.count) of \(item.rows) rows were not taken",
      try: rejects.map { "carrel list import \($0)" }
        ?? ("carrel list import \(path)" as ShellCommand).adding("--rejects FILE"))
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    do throws(Files.Trouble) { try Files.write(bytes, to: path) } catch {
      throw CommandError(.unwritable, "cannot write \(path): \(error)")
    }
  }

  private static func show(
    _ item: ShelfIntakeItem, _ effect: ShelfFileOrder.Effect, in app: App
  ) throws {
    var report = Report(schemas[0], [item.json]) { _ in text(item, effect) }
    report.partial = !item.rejected.isEmpty
    try app.output.show(report)
  }

  private static func text(_ item: ShelfIntakeItem, _ effect: ShelfFileOrder.Effect) -> TerminalText
  {
    let start = effect == .counted ? "would come to" : "came to"
    var text: TerminalText =
      "\(Counted.text(item.rows, "row")) (\(item.format)) \(start) '\(item.list)': "
    text += "\(item.new) new, \(item.changed) changed, \(item.unchanged) unchanged"
    if item.joined > 0 { text += ", \(Counted.text(item.joined, "further row")) of these" }
    if !item.passed.isEmpty { text += ", \(item.passed.count) left out" }
    if !item.rejected.isEmpty { text += ", \(item.rejected.count) rejected" }
    text += "\n"
    for row in item.rejected.prefix(most) { text += "line \(row.line): \(row.reason)\n" }
    if item.rejected.count > most {
      text += "and \(item.rejected.count - most) more; --json tells them all\n"
    }
    return text
  }

  /// `/home/ada/Books 2021.csv` is called `Books 2021`.
  static func stem(of path: String) -> String {
    if path == "-" { return "Imported" }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}
