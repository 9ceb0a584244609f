import Arguments
import Console
import Machine
import Setup

struct DemoCommand: Command {
  static let port = Option(
    "port", short: "p", .integer(0...65535), default: 8080,
    "The port to listen on; 0 takes any free one.", common: true)

  static let spec = CommandSpec(
    "demo", "Show the gateway in a folder that goes away again.",
    discussion: """
      Starts the gateway on this machine, in a temporary folder, prints its address, and runs \
      until Ctrl-C. Your own settings are not read, and nothing stays behind.
      """,
    examples: [
      .init("carrel demo", "Start it and open the address it prints."),
      .init("carrel demo --port 0", "The same on any free port."),
    ],
    exits: [6, 11, 130], environment: ["TMPDIR"], parameters: [port])

  static let patience = ServeCommand.patience

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let port = try input[Self.port]
    let configuration = try Configuration(
      from: ConfigurationSources(flags: [.init("--port", sets: "server.port", to: "\(port)")]))
    let parent = app.surroundings["TMPDIR"] ?? "/tmp"
    guard let folder = TemporaryFolder(in: parent, named: "carrel-demo") else {
      throw CommandError(.unwritable, "no folder can be made in \(parent)")
    }
    defer { withExtendedLifetime(folder) {} }
    let place = GatewayPlace(
      data: folder.path, environment: app.surroundings.environment, processID: Process.id)
    try await app.needed().serve(configuration, in: place) { listening in
      ServeCommand.announce(listening, in: app)
    }
  }
}
