import Arguments
import Console
import Items
import JSON
import Machine
import Setup
import TextSafety

struct GetCommand: Command {
  static let titles = Argument(
    list: "titles", Kind<String>.word.called("TITLE"),
    "Titles on loan: numbers of the last list, work ids, ACCOUNT:ITEMs, or words.")
  static let format = Option(
    "format", Kind<String>.word.called("FORMAT"), "As this, such as epub or pdf.")
  static let folder = Option(
    "to", .file, "Put a copy into this folder, under a name for people.", common: true)

  static let spec = CommandSpec(
    "get", "Download titles that are on loan.",
    discussion: """
      Fetches two at a time; the others stand in the line. A cut line is no loss: the download goes \
      on where it stopped, the next time too. A file counts as here when it has been examined: its \
      length, its archive, its contents. Licences for other reading programs are kept as they came, \
      and the program that opens them is named. Without a title, whatever stands in the line is \
      fetched.
      """,
    examples: [
      .init("carrel get 1 2", "The first two of the last list."),
      .init("carrel get emma --to ~/Books", "And put a copy where you keep books."),
    ],
    exits: ShelfWork.exits, parameters: [titles, format, folder])

  static let schemas = [ReportSchema("downloaded", "What is here now.", DownloadText.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    var titles: [String] = []
    for word in try input[Self.titles] { titles.append(try app.title(word)) }
    let order = DownloadOrder(titles, format: try input[Self.format])
    let folder = try input[Self.folder]
    if let folder, !Files.exists(folder) {
      throw CommandError(
        .unwritable, "there is no folder '\(folder)'",
        try: "mkdir -p \(folder)")
    }
    let (engine, seat) = (try app.needed(), try app.seat())
    let waiting = Waiting("the books", app.output, app.surroundings)
    defer { waiting.finish() }
    let items: [DownloadItem]
    do throws(ErrorItem) {
      items = try await engine.download(order, at: seat) { items in
        waiting.update("\(DownloadText.progress(items))")
      }
    } catch {
      throw CommandError(error)
    }
    waiting.finish()
    var copies: [String: String] = [:]
    if let folder {
      for item in items where item.state == "done" {
        copies[item.path ?? ""] = try copy(item, into: folder)
      }
    }
    var report = Report(Self.schemas[0], items.map(\.json)) { [copies] _ in
      items.isEmpty
        ? "Nothing waits to be downloaded.\ntry: carrel loans, then carrel get TITLE\n"
        : items.map { Self.sentence($0, copies[$0.path ?? ""]) }.joined()
    }
    let failed = items.filter { $0.state == "failed" || $0.state == "queued" && $0.reason != nil }
    report.partial = !failed.isEmpty
    try app.output.show(report)
    if let first = failed.first {
      var error = CommandError(
        items.count > failed.count
          ? .partlyFailed : first.reason.flatMap(ErrorCode.init) ?? .downloadFailed,
        "'\(first.title)' could not be downloaded: \(DownloadWords.cause(first.reason ?? ""))",
        try: DownloadText.remedy(first))
      error.fields = [
        .init("card", .string(first.account)),
        .init("reason", first.reason.map { .string($0) } ?? .null),
      ]
      throw error
    }
  }

  private func copy(_ item: DownloadItem, into folder: String) throws(CommandError) -> String {
    let target = "\(folder)/\(item.fileName ?? "book")"
    do throws(FileError) {
      try WholeFile.copy(item.path ?? "", to: target)
    } catch {
      throw CommandError(
        .unwritable, "the copy cannot be written: \(error)", try: "carrel get --help")
    }
    return target
  }

  private static func sentence(_ item: DownloadItem, _ copy: String?) -> TerminalText {
    let title = "'\(item.title)'"
    switch item.state {
    case "done":
      let place = copy.map { ": \($0)" } ?? "."
      let id = "\(item.account):\(item.item)"
      let take = ("carrel get \(id)" as ShellCommand).adding("--to FOLDER")
      let opener: TerminalText =
        item.opensWith.map { program in
          copy == nil ? "Take it to \(program) with: \(command: take)" : "Open it in \(program)."
        } ?? "Read it with: \(command: "carrel read \(id)")"
      return "\(title) is here\(place)\n\(opener)\n"
    case "failed" where item.reason == "read_at_provider":
      return "\(title) is read at the library's own page\(item.page.map { ": \($0)" } ?? "")\n"
    default: return "\(title): \(DownloadText.state(item))\n"
    }
  }
}
