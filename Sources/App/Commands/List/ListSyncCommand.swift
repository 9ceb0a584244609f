import Arguments
import Items
import Setup
import TextSafety

struct ListSyncCommand: Command {
  static let name = Argument(
    optional: "list", Kind<String>.word.called("LIST"),
    "An account where you keep lists, or one of its lists; without it, all.")
  static let full = Flag("full", "Read everything, not only what changed.", common: true)
  static let rehearsal = Flag(
    "dry-run", "Only say what would be done, here and there.", common: true)

  static let spec = CommandSpec(
    "list sync", "Bring your lists in step with the services where you keep them.",
    discussion: """
      What changed at the service is taken over, what you changed here is written there. Where \
      both sides changed the same thing, the later change stands; where the service does not date \
      its changes, yours does. A book leaves a list here only when two full readings in a row did \
      not find it there. Each write can be taken back: see carrel list log.

      A running gateway does all this by itself, as does carrel sync --due.
      """,
    examples: [
      .init("carrel list sync", "All lists at all services."),
      .init("carrel list sync shelves --dry-run", "What would happen, and nothing else."),
    ],
    exits: [3, 4, 5, 6, 7, 8, 10, 12], parameters: [name, full, rehearsal])

  static let schemas = [
    ReportSchema("list-syncs", "How the lists of each account came in step.", properties)
  ]

  private static let properties: [ReportSchema.Property] = [
    .init("account", .string, "The account."),
    .init("state", .string, "fresh, or stale where the service did not answer well."),
    .init("requests", .integer, "Questions that were asked to read."),
    .init("whole", .boolean, "Whether everything was read, and not only what changed."),
    .init("books", .integer, "Books on its lists now."),
    .init("arrived", .list(.string), "Books that came to a list here."),
    .init("left", .list(.string), "Books that left a list here."),
    .init("changed", .integer, "Books of which something else is said."),
    .init("missed", .integer, "Books that the service did not show this time; they stay."),
    .init(
      "conflicts",
      .list(
        .object([
          .init("title", .string, "The book."), .init("matter", .string, "What it is about."),
          .init("here", .string, "What was said here."),
          .init("there", .string, "What was said there."),
          .init("stands", .string, "Which one stands: here or there."),
        ])), "What both sides changed."),
    .init("unfound", .list(.string), "Books that the service does not know, or not for sure."),
    .init("released", .list(.string), "Lists that are gone there; they are your own now."),
    .init("writes", .list(.object(ListWriteText.properties)), "What was written, or would be."),
    .init("error", .nullable(.object(Schemas.error)), "Why not all could be done."),
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let order = ListSyncOrder(
      try input[Self.name], isWhole: try input[Self.full], isRehearsal: try input[Self.rehearsal])
    let (engine, seat) = (try app.needed(), try app.seat())
    let waiting = Waiting("the lists", app.output, app.surroundings)
    defer { waiting.finish() }
    let syncs: [ListSyncItem]
    do throws(ErrorItem) {
      syncs = try await engine.syncLists(order, at: seat) { waiting.update("\(Self.words($0))") }
    } catch {
      throw CommandError(error)
    }
    waiting.finish()
    let failed = syncs.compactMap(\.trouble)
    var report = Report(Self.schemas[0], syncs.map(\.json)) { _ in
      syncs.map { Self.text($0, isRehearsal: order.isRehearsal) }.joined()
    }
    report.partial = !failed.isEmpty
    try app.output.show(report)
    try Partly.check(failed, of: syncs.count, "accounts")
  }

  private static func words(_ progress: ListSyncProgress) -> String {
    switch progress {
    case .read(let account, let pages): "\(account): \(Counted.text(pages, "page")) read"
    case .written(let account, let done, let all): "\(account): \(done) of \(all) written"
    }
  }

  private static func text(_ sync: ListSyncItem, isRehearsal: Bool) -> TerminalText {
    var lines: [TerminalText] = []
    var head: TerminalText = "\(sync.account): "
    if sync.trouble != nil, sync.requests == 0 {
      head += "could not be read"
    } else {
      head += isRehearsal ? "nothing was changed" : "\(Counted.text(sync.books, "book"))"
      if sync.arrived.isEmpty, sync.left.isEmpty, sync.changed == 0, sync.writes.isEmpty {
        head += ", all in step"
      }
    }
    func section(_ title: TerminalText, _ items: [String], sign: String) {
      guard !items.isEmpty else { return }
      lines.append("  \(title)")
      lines += items.prefix(most).map { "    \(sign) \($0)" }
      if items.count > most { lines.append("      and \(items.count - most) more") }
    }
    section(isRehearsal ? "would come here" : "came here", sync.arrived, sign: "+")
    section(isRehearsal ? "would leave here" : "left here", sync.left, sign: "-")
    if sync.changed > 0 { lines.append("  \(Counted.text(sync.changed, "book")) told anew") }
    section(
      isRehearsal ? "would be written there" : "written there",
      sync.writes.map(ListWriteText.line), sign: ">")
    section(
      "changed on both sides",
      sync.conflicts.map { conflict in
        "\(conflict.title), \(conflict.matter): \(conflict.here) here, \(conflict.there) there; "
          + "\(conflict.stands) stands"
      }, sign: "!")
    section("not known there for sure", sync.unfound, sign: "?")
    section("gone there, and your own list now", sync.released, sign: "!")
    if sync.missed > 0 {
      lines.append("  \(Counted.text(sync.missed, "book")) not seen this time; kept")
    }
    return ([head] + lines).joined(separator: "\n") + "\n"
  }

  private static let most = 20
}
