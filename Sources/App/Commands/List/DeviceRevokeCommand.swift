import Arguments
import Items
import Setup
import TextSafety

struct DeviceRevokeCommand: Command {
  static let name = Argument(
    "name", Kind<String>.word.called("NAME"), "The device; see carrel admin device ls.")

  static let spec = CommandSpec(
    "admin device revoke", "Shut out an app or a machine.",
    discussion: "Its password opens nothing from now on, at no gateway of this database.",
    examples: [
      .init("carrel admin device revoke kobo", "Asks first."),
      .init("carrel admin device revoke kobo --yes", "The same without a question."),
    ],
    exits: [2, 5, 6, 10], parameters: [name])

  static let schemas = [
    ReportSchema("device-revoked", "The device shut out.", DeviceListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[Self.name]
    try app.questions.confirm("Shut out '\(name)'?", of: name)
    let device = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.revokeDevice(name, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [device.json]) { _ in
        "'\(device.name)' of \(device.reader) opens nothing any more.\n"
      })
  }
}
