import Arguments
import Bootstrap

struct DemoCommand: Command {
  static let port = Option(
    "port", short: "p", .integer(0...65535), default: 8080,
    "The port to listen on; 0 takes any free one.", common: true)

  static let spec = CommandSpec(
    "demo", "Show it all with mock libraries and a reader who has cards.",
    discussion: """
      Starts mock libraries and the gateway on this machine, in a temporary folder, with a reader \
      whose cards are linked already. Prints the addresses and the card to sign in with, and runs \
      until Ctrl-C. Nothing stays behind, and nothing reaches the network.
      """,
    examples: [
      .init("carrel demo", "Start it and open the address it prints."),
      .init("carrel demo --port 0", "The same on any free port."),
    ],
    exits: [6, 11, 130], environment: ["TMPDIR"], parameters: [port])

  static let patience = ServeCommand.patience

  func run(_ input: Input, in app: App) async throws {
    let port = try input[Self.port]
    let configuration = try Configuration(
      from: ConfigurationSources(flags: [.init("--port", sets: "server.port", to: "\(port)")]))
    let folder = app.surroundings["TMPDIR"] ?? "/tmp"
    try await demonstrate(configuration, in: folder) { readiness in
      ServeCommand.announce(readiness, in: app)
    }
  }
}
