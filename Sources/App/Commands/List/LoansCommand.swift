import Arguments
import Items
import Setup
import TextSafety

struct LoansCommand: Command {
  static let spec = CommandSpec(
    "loans", "List what is on loan, over all cards.",
    discussion: """
      Shows what the libraries said when they were last asked; carrel sync asks them again. What \
      an unreachable library said before is marked as old.
      """,
    examples: [
      .init("carrel loans", "What goes back first comes first."),
      .init("carrel loans --json", "The same for programs."),
    ],
    exits: [10])

  static let schemas = [Schemas.loan]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let loans = try await app.engaged("the shelf") { engine, seat throws(ErrorItem) in
      try await engine.loans(at: seat)
    }
    app.remember(loans.map { "\($0.account):\($0.item)" })
    var report = Report(Self.schemas[0], loans.map(\.json)) { layout in
      loans.isEmpty
        ? "Nothing is on loan. carrel sync asks the libraries again.\n"
        : Grid(rows: loans.enumerated().map(Self.row), yielding: 1).text(layout)
    }
    report.partial = loans.contains { $0.isStale }
    try app.output.show(report)
  }

  private static func row(_ index: Int, _ loan: LoanItem) -> [String] {
    let paper = loan.format == "paper" ? "on paper, " : ""
    let end = Moments.ahead(loan.until).map { "until \($0)" } ?? "to keep"
    let old = loan.isStale ? " as of \(Moments.past(loan.asOf) ?? "long ago")" : ""
    return [
      "\(index + 1)", loan.title, loan.authors.prefix(2).joined(separator: ", "), loan.account,
      paper + end + old,
    ]
  }
}
