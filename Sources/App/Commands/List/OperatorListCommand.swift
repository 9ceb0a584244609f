import Arguments
import Items
import Setup
import TextSafety

struct OperatorListCommand: Command {
  static let spec = CommandSpec(
    "admin operator ls", "List who looks after the gateway.",
    examples: [
      .init("carrel admin operator ls", "Each with since when."),
      .init("carrel admin operator ls --json", "The same for programs."),
    ],
    exits: [10])

  static let properties: [ReportSchema.Property] = [
    .init("reader", .string, "The reader's name here."),
    .init("since", .time, "Since when they have the role."),
    .init("changed", .boolean, "Whether this command changed it."),
  ]

  static let schemas = [ReportSchema("operators", "Who looks after the gateway.", properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let items = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.operators(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], items.map(\.json)) { layout in
        guard !items.isEmpty else {
          return "Nobody looks after the gateway.\ntry: carrel admin operator add READER\n"
        }
        return Grid(
          rows: items.map { [$0.reader, "since \(Moments.day($0.since) ?? $0.since)"] }
        ).text(layout)
      })
  }
}
