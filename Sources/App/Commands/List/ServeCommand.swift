import Arguments
import Console
import JSON
import Setup
import TextSafety

struct ServeCommand: Command {
  static let port = Option(
    "port", short: "p", .integer(0...65535),
    "Listen on this port instead of server.port; 0 takes any free one.", common: true)
  static let listen = Option(
    list: "listen", Kind<String>.word.called("ADDRESS"),
    "Listen on this address instead of server.listen.", common: true)

  static let spec = CommandSpec(
    "serve", "Start the gateway: OPDS and web pages.",
    discussion: """
      Prints the addresses once they answer and runs until Ctrl-C or SIGTERM; then it finishes \
      what it has begun and stops. SIGHUP has it read its settings anew: lanes and log.level change \
      at once, and the log says what waits for a restart; settings with a fault change nothing. \
      A fault of the settings stops the start with exit 10; a secret file that cannot be read or an \
      unusable address disables only its library. Events go to the error stream, one a \
      line. It listens on this machine only, until server.listen says otherwise.
      """,
    examples: [
      .init("carrel serve", "Start with the settings as they are."),
      .init("carrel serve --port 0 --home /tmp/try", "Try it out on any free port."),
    ],
    exits: [6, 7, 10, 11, 12, 130],
    environment: ["CARREL_HOME", "CARREL_CONFIG", "CARREL_SECTION_KEY"],
    parameters: [port, listen])

  static let schemas = [
    ReportSchema(
      "serve", "Where the gateway answers; printed once it does.",
      [.init("address", .string, "An address to open.")])
  ]

  /// The gateway stops itself after server.shutdown_grace; this only outlasts the usual value.
  static let patience = Duration.seconds(30)

  static let takesHangups = true

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    var flags: [ConfigurationSources.FlagValue] = []
    if let port = try input[Self.port] {
      flags.append(.init("--port", sets: "server.port", to: "\(port)"))
    }
    let addresses = try input[Self.listen]
    if !addresses.isEmpty {
      let text = addresses.joined(separator: ",")
      flags.append(.init("--listen", sets: "server.listen", to: text))
    }
    let configuration = try app.configuration(flags, checkingLibraries: true)
    for warning in configuration.warnings { app.output.warn("\(warning)") }
    var place = try app.gatewayPlace()
    let (reloads, line) = AsyncStream<GatewayPlace.Reload>.makeStream()
    place.reloads = reloads
    let rereading = Task { [flags] in
      for await _ in app.hangups.line { line.yield(Self.reread(app, flags)) }
    }
    defer { rereading.cancel() }
    try await app.needed().serve(configuration, in: place) { listening in
      Self.announce(listening, in: app)
    }
  }

  private static func reread(
    _ app: App, _ flags: [ConfigurationSources.FlagValue]
  ) -> GatewayPlace.Reload {
    do throws(CommandError) {
      return .settings(try app.configuration(flags, checkingLibraries: true))
    } catch {
      return .refused(([error.message] + error.details).joined(separator: "; ").text)
    }
  }

  static func announce(_ listening: Listening, in app: App) {
    let items = listening.addresses.map { address -> JSONValue in ["address": .string(address)] }
    let report = Report(schemas[0], items) { _ in
      listening.addresses.map { "listening on \($0)\n" }.joined()
    }
    do throws(CommandError) {
      try app.output.show(report)
    } catch {
      // The gateway answers whether or not its first line could be written.
      app.output.warn(error.message)
    }
  }
}
