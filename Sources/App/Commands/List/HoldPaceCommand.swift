import Arguments
import Items
import Setup
import TextSafety

struct HoldPaceCommand: Command {
  static let ready = Option(
    "ready", .integer(0...100),
    "From now on at most so many ready at a time; 0 for any number.", common: true)
  static let dryRun = Flag("dry-run", short: "n", "Only say what would happen.", common: true)

  static let spec = CommandSpec(
    "hold pace", "Let holds rest, so that books come when there is room for them.",
    discussion: """
      Says for each hold what is to be done and why, and then does it: those for which there is no \
      room rest and keep their place, and are woken when there is. What was put to rest by hand is \
      left alone, and so is what a library cannot let rest. The number stays until another is \
      given; a running gateway and carrel sync --due keep to it.

      A single book is kept away until a day with carrel hold add --not-before.
      """,
    examples: [
      .init("carrel hold pace --ready 2 --dry-run", "What would be done for two at a time."),
      .init("carrel hold pace --ready 2", "Two at a time from now on."),
      .init("carrel hold pace --ready 0", "As they come, from now on."),
    ],
    exits: [3, 4, 6, 7, 8, 10, 12], parameters: [ready, dryRun])

  static let schemas = [
    ReportSchema(
      "hold-pace", "What is done with each hold, and why.",
      [
        .init("title", .string, "Its title."),
        .init("account", .string, "The card."),
        .init("item", .string, "The provider's own name for the title."),
        .init("step", .string, "suspend, resume or leave."),
        .init("days", .nullable(.integer), "For how many days it rests."),
        .init("reason", .string, "Why."),
        .init("result", .string, "planned, left, done, in_doubt or failed."),
        .init("error", .nullable(.object(Schemas.error)), "Why it failed."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let isDryRun = try input[Self.dryRun]
    let most = try input[Self.ready]
    let order = PaceOrder(
      mostReady: most.map { .set($0 == 0 ? nil : $0) } ?? .asBefore, isDryRun: isDryRun)
    let output = app.output
    let items = try await app.engaged("the libraries") { engine, seat throws(ErrorItem) in
      try await engine.pace(order, at: seat) { plan in
        // Programs read one document; it comes at the end.
        guard output.mode == .human, !isDryRun, !plan.isEmpty else { return }
        try? output.write(Self.text(plan, output.layout))
      }
    }
    let isEmpty = items.isEmpty
    let failed = items.compactMap(\.trouble)
    var report = Report(Self.schemas[0], items.map(\.json)) { layout in
      isDryRun || isEmpty ? Self.text(items, layout) : Self.ending(items)
    }
    report.partial = !failed.isEmpty
    try output.show(report)
    try Partly.check(failed, of: items.count { $0.step != "leave" }, "holds")
  }

  private static func text(_ plan: [PaceItem], _ layout: TextLayout) -> TerminalText {
    if plan.isEmpty { return "Nothing is waited for, so nothing was changed.\n" }
    return Grid(rows: plan.map(row), yielding: 1).text(layout)
  }

  private static func row(_ item: PaceItem) -> [String] {
    let deed =
      switch item.step {
      case "suspend": "rest" + (item.days.map { " for \(Counted.text($0, "day"))" } ?? "")
      case "resume": "wake"
      default: "leave"
      }
    return [deed, item.title, item.account, item.reason]
  }

  private static func ending(_ items: [PaceItem]) -> TerminalText {
    let done = items.filter { $0.result == "done" }
    let doubted = items.filter { $0.result == "in_doubt" }
    let rested = done.count { $0.step == "suspend" }
    var text: TerminalText =
      done.isEmpty
      ? "Nothing was changed.\n"
      : "\(Counted.text(rested, "hold")) put to rest, \(done.count - rested) woken.\n"
    if !doubted.isEmpty {
      text += "\(Counted.text(doubted.count, "hold")) without an answer; carrel sync tells.\n"
    }
    return text
  }
}
