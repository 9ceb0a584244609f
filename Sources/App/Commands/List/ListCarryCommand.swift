import Arguments
import Items
import Setup
import TextSafety

struct ListCarryCommand: Command {
  static let account = Argument(
    optional: "account", Kind<String>.word.called("ACCOUNT"),
    "The account where you keep lists; without it, all are shown.")
  static let finished = Flag("finished", "Say there which books you finished, and when.")
  static let ratings = Flag("ratings", "Say there how you rated them.")
  static let saved = Flag("saved", "Put books you save here on the list of wanted books.")
  static let nothing = Flag("nothing", "Say nothing there of what you do here.")

  static let spec = CommandSpec(
    "list carry", "Choose what a service is told of what you do here.",
    discussion: """
      Until you choose, nothing is carried. What is chosen counts for everything you said here, \
      also before. What another service told is never carried on.
      """,
    examples: [
      .init("carrel list carry shelves --finished --ratings", "Record your reads there."),
      .init("carrel list carry shelves --nothing", "No more."),
      .init("carrel list carry", "What is carried where."),
    ],
    exits: [2, 5, 6, 10], parameters: [account, finished, ratings, saved, nothing])

  static let schemas = [
    ReportSchema(
      "list-carried", "What each service is told.",
      [
        .init("account", .string, "The account."),
        .init("carried", .list(.string), "Of finished, rated and saved."),
        .init("waiting", .integer, "Changes made here that the service does not know yet."),
        .init("writable", .boolean, "Whether the service takes anything from us."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    var chosen: Set<String> = []
    if try input[Self.finished] { chosen.insert("finished") }
    if try input[Self.ratings] { chosen.insert("rated") }
    if try input[Self.saved] { chosen.insert("saved") }
    let isNothing = try input[Self.nothing]
    guard chosen.isEmpty || !isNothing else {
      throw CommandError(
        .conflictingFlags, "--nothing goes with none of the others", try: "carrel help list carry")
    }
    var order: ListCarryOrder?
    if let account = try input[Self.account] {
      if !chosen.isEmpty || isNothing { order = ListCarryOrder(account, carried: chosen) }
    } else if !chosen.isEmpty || isNothing {
      throw CommandError(
        .missingArgument, "ACCOUNT is missing: name the account where that is to be said",
        try: "carrel list carry")
    }
    let (wanted, name) = (order, try input[Self.account])
    let items = try await app.engaged("the lists") { engine, seat throws(ErrorItem) in
      try await engine.carried(wanted, at: seat).filter { name == nil || $0.account == name }
    }
    try app.output.show(
      Report(Self.schemas[0], items.map(\.json)) { _ in
        items.isEmpty
          ? "No account where lists are kept is linked.\ntry: carrel provider list\n"
          : items.map(Self.line).joined()
      })
  }

  private static func line(_ item: ListCarryItem) -> TerminalText {
    guard item.canWrite else { return "\(item.account): takes nothing from us\n" }
    let parts = item.carried.isEmpty ? "nothing" : item.carried.joined(separator: ", ")
    let rest = item.waiting == 0 ? "" : "; \(Counted.text(item.waiting, "change")) not there yet"
    return "\(item.account): \(parts)\(rest)\n"
  }
}
