import Arguments
import Items
import Setup
import TextSafety

struct NotifyInboxCommand: Command {
  static let unread = Flag("unread", "Only what you have not read.", common: true)
  static let readAll = Flag("read-all", "Show what is unread, and take it as read.", common: true)

  static let spec = CommandSpec(
    "notify inbox", "Read what there was to tell you.",
    examples: [
      .init("carrel notify inbox", "Everything, the newest first."),
      .init("carrel notify inbox --unread", "What you have not read."),
      .init("carrel notify inbox --read-all", "The same, and it is read from then on."),
    ],
    exits: [2, 10], parameters: [unread, readAll])

  static let schemas = [
    ReportSchema(
      "notices", "What there was to tell.",
      [
        .init("kind", .string, "wish_available, hold_ready, loan_due and so on."),
        .init("title", .string, "In a line, without titles of books."),
        .init("body", .string, "In a sentence or two."),
        .init("told_at", .time, "When it was found."),
        .init("until", .nullable(.time), "Until when it matters."),
        .init("read", .boolean, "Whether it was read before now."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let isUnread = try input[Self.unread]
    let choice: InboxChoice = try input[Self.readAll] ? .readAll : isUnread ? .unread : .all
    let notices = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
      try await engine.inbox(choice, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], notices.map(\.json)) { _ in
        guard !notices.isEmpty else {
          return choice == .all ? "There was nothing to tell yet.\n" : "Nothing is unread.\n"
        }
        return notices.map { notice in
          "\(notice.isRead ? " " : "*") \(Moments.past(notice.toldAt) ?? notice.toldAt)  "
            + "\(TerminalText(lines: notice.body))\n"
        }.joined()
      })
  }
}
