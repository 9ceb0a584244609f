import Arguments
import Items
import Setup
import TextSafety

struct NotifyRemoveCommand: Command {
  static let name = Argument(
    "name", Kind<String>.word.called("NAME"), "The channel; see carrel notify ls.")

  static let spec = CommandSpec(
    "notify rm", "Be told by a channel no more.",
    discussion: "Where it leads is wiped. The inbox keeps what was told.",
    examples: [
      .init("carrel notify rm email", "Asks first."),
      .init("carrel notify rm email --yes", "The same without a question."),
    ],
    exits: [2, 5, 10], parameters: [name])

  static let schemas = [
    ReportSchema("channel-removed", "The channel that went.", NotifyListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[Self.name]
    try app.questions.confirm("Take the channel '\(name)' away?", of: name)
    let channel = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
      try await engine.removeChannel(name, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [channel.json]) { _ in
        "You are told by '\(channel.name)' no more.\n"
      })
  }
}
