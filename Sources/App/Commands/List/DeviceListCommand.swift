import Arguments
import Items
import Setup
import TextSafety

struct DeviceListCommand: Command {
  static let spec = CommandSpec(
    "admin device ls", "List the apps and machines that have a password.",
    examples: [
      .init("carrel admin device ls", "Each with what it may do and when it last came."),
      .init("carrel admin device ls --json", "The same for programs."),
    ],
    exits: [10])

  static let properties: [ReportSchema.Property] = [
    .init("name", .string, "The device."),
    .init("scopes", .list(.string), "What it may do: read, lend, lists, sync."),
    .init("reader", .string, "The name it signs in with."),
    .init("made_at", .time, "When its password was made."),
    .init("last_used", .nullable(.time), "When it last signed in, by the hour."),
  ]

  static let schemas = [ReportSchema("devices", "Apps with a password.", properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let devices = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.devices(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], devices.map(\.json)) { layout in
        guard !devices.isEmpty else {
          return "No app has a password yet.\ntry: carrel admin device add NAME\n"
        }
        return Grid(rows: devices.map(Self.row), yielding: 1).text(layout)
      })
  }

  private static func row(_ device: DeviceItem) -> [String] {
    [
      device.name, device.scopes.joined(separator: ", "),
      "made \(Moments.day(device.madeAt) ?? device.madeAt)",
      device.lastUsed.flatMap { Moments.past($0) }.map { "last came \($0)" } ?? "never came",
    ]
  }
}
