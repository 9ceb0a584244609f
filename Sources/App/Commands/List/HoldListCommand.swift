import Arguments
import Items
import Setup
import TextSafety

struct HoldListCommand: Command {
  static let spec = CommandSpec(
    "hold list", "List what you wait for, over all cards.",
    discussion: """
      Titles that are ready come first, with the last day to borrow them. carrel sync asks the \
      libraries again.
      """,
    examples: [
      .init("carrel hold list", "Places in the queues."),
      .init("carrel hold list --json", "The same for programs."),
    ],
    exits: [10])

  static let schemas = [Schemas.hold]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let holds = try await app.engaged("the shelf") { engine, seat throws(ErrorItem) in
      try await engine.holds(at: seat)
    }
    app.remember(holds.map { "\($0.account):\($0.item)" })
    var report = Report(Self.schemas[0], holds.map(\.json)) { layout in
      holds.isEmpty
        ? "Nothing is waited for. carrel sync asks the libraries again.\n"
        : Grid(rows: holds.enumerated().map(Self.row), yielding: 1).text(layout)
    }
    report.partial = holds.contains { $0.isStale }
    try app.output.show(report)
  }

  private static func row(_ index: Int, _ hold: HoldItem) -> [String] {
    [
      "\(index + 1)", hold.title, hold.authors.prefix(2).joined(separator: ", "), hold.account,
      words(hold) + (hold.isStale ? " as of \(Moments.past(hold.asOf) ?? "long ago")" : ""),
    ]
  }

  private static func words(_ hold: HoldItem) -> String {
    switch hold.status {
    case "ready":
      let verb = hold.pickup == nil ? "borrow" : "fetch it"
      return "ready" + (hold.pickup.map { " at \($0)" } ?? "")
        + (Moments.ahead(hold.until).map { ", \(verb) until \($0)" } ?? "")
    case "suspended": return "rests" + (Moments.day(hold.until).map { " until \($0)" } ?? "")
    case "expired": return "offer missed"
    default:
      guard let position = hold.position else { return "waiting" }
      let wait = hold.estimate.map { ", \(OfferText.roughWait($0))" } ?? ""
      return "place \(position)" + (hold.total.map { " of \($0)" } ?? "") + wait
        + (hold.pickup.map { ", for \($0)" } ?? "")
    }
  }
}
