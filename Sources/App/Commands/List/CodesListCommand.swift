import Arguments
import Items
import Setup
import TextSafety

struct CodesListCommand: Command {
  static let spec = CommandSpec(
    "admin codes ls", "List who signs in with codes from an app.",
    discussion: """
      Besides card and PIN, the pages ask them for six digits that their app shows. Keys and codes \
      are never told again.
      """,
    examples: [
      .init("carrel admin codes ls", "Each with since when, and how many recovery codes are left."),
      .init("carrel admin codes ls --json", "The same for programs."),
    ],
    exits: [10])

  static let properties: [ReportSchema.Property] = [
    .init("reader", .string, "The reader's name here."),
    .init("since", .nullable(.time), "Since when codes count; null where they do not."),
    .init("recovery_codes", .integer, "Recovery codes that were not used."),
    .init("changed", .boolean, "Whether this command changed it."),
  ]

  static let schemas = [ReportSchema("codes", "Who signs in with codes from an app.", properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let items = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.codes(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], items.map(\.json)) { layout in
        guard !items.isEmpty else {
          return "Nobody signs in with codes.\ntry: carrel admin codes add READER\n"
        }
        return Grid(
          rows: items.map { item in
            [
              item.reader, item.since.flatMap(Moments.day).map { "since \($0)" } ?? "",
              "\(item.spares) recovery codes",
            ]
          }
        ).text(layout)
      })
  }
}
