import Arguments
import Items
import Setup
import TextSafety

struct LaneListCommand: Command {
  static let all = Flag("all", "Also lanes without any book.")

  static let spec = CommandSpec(
    "lane list", "List the shelves of books that your libraries fill.",
    discussion: """
      Lanes are made by rules from the catalogs that carrel harvest brought. A file lanes.yaml \
      beside the settings file holds your own; config/lanes.yaml tells how it is written.
      """,
    examples: [
      .init("carrel lane list", "Lanes with how many books each has."),
      .init("carrel lane list --json", "The same for programs."),
    ],
    exits: [5, 10], parameters: [all])

  static let schemas = [ReportSchema("lanes", "Shelves of books.", Schemas.laneProperties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let wantsAll = try input[Self.all]
    let found = try await app.engaged("the catalogue") { engine, seat throws(ErrorItem) in
      try await engine.lanes(at: seat)
    }
    let lanes = wantsAll ? found : found.filter { $0.works != 0 }
    try app.output.show(
      Report(Self.schemas[0], lanes.map(\.json)) { layout in
        Grid(rows: lanes.map(Self.row), yielding: 0).text(layout)
      })
  }

  private static func row(_ lane: LaneItem) -> [String] {
    [
      String(repeating: "  ", count: lane.depth) + lane.title, lane.name,
      lane.works.map { Counted.text($0, "book") } ?? "",
    ]
  }
}
