import Arguments
import Items
import Secrets
import Setup
import TextSafety

struct CodesAddCommand: Command {
  static let spec = CommandSpec(
    "admin codes add", "Draw a key for a reader's authenticator app.",
    discussion: """
      Readers do this themselves at the pages, under Settings; this is for those who look after \
      the gateway and begin at its machine. The key is told to a person, this once, and stands in \
      no document: with --json it is told to nobody. Nothing counts before carrel admin codes confirm was given one \
      of the app's codes. One that was begun before and not confirmed is void.
      """,
    examples: [
      .init("carrel admin codes add ada", "A key for Ada's app."),
      .init("carrel admin codes add ada --json", "Only that one was drawn, and not which."),
    ],
    exits: [2, 5, 6, 10, 12], parameters: [OperatorAddCommand.reader])

  static let schemas = [
    ReportSchema("codes-begun", "Whose key was drawn.", CodesListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[OperatorAddCommand.reader]
    let key = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.beginCodes(of: name, at: seat)
    }
    let item = CodesItem(reader: key.reader, since: nil, spares: 0, changed: true)
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { _ in
        key.key.revealText { "Key      \($0)\n" }
          + key.address.revealText { "Address  \($0)\n\n" }
          + "Put it into the app of '\(key.reader)'; it is shown this once.\n"
          + "Then: \(command: "carrel admin codes confirm \(key.reader)")\n"
      })
  }
}
