import Arguments
import Console
import Items
import Machine
import Setup

struct DemoCommand: Command {
  static let port = Option(
    "port", short: "p", .integer(0...65535), default: 8080,
    "The port to listen on; 0 takes any free one.", common: true)

  static let spec = CommandSpec(
    "demo", "Show the gateway in a folder that goes away again.",
    discussion: """
      Starts mock libraries and the gateway on this machine, in a temporary folder, links a card \
      at each of them, and walks from shelf to loan and from queue to offer, showing each command. \
      It prints the addresses and the demo cards and runs until Ctrl-C. Your own settings are not \
      read, and nothing stays behind; with --home all of it lies in that folder, which must be \
      empty, and stays there.
      """,
    examples: [
      .init("carrel demo", "Start it and open the address it prints."),
      .init("carrel demo --port 0", "The same on any free port."),
      .init("carrel demo --home /tmp/try", "The same in a folder for other commands, too."),
    ],
    exits: [6, 11, 130], environment: ["TMPDIR"], parameters: [port])

  static let patience = ServeCommand.patience

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let port = try input[Self.port]
    let configuration = try settings(port, nil)
    let folder = try DemoFolder(app)
    defer { withExtendedLifetime(folder) {} }
    let environment = Environment(app.surroundings.environment)
    let mock = try await DemoMock.start(environment)
    defer { mock.process.terminate() }
    let providers = try await providers(configuration, folder.path, app)
    let profile = DemoProfile(home: folder.path, mock, providers)
    try profile.write()
    let tour = DemoTour(
      mock: mock, profile: profile, environment: environment, output: app.output)
    try await tour.walk()
    let place = GatewayPlace(
      data: folder.path + "/data", state: folder.path + "/state", cache: folder.path + "/cache",
      environment: app.surroundings.environment, processID: Process.id)
    // What reading apps borrow comes from the libraries that were linked on the way.
    let settled = try settings(port, profile)
    try await app.needed().serve(settled, in: place) { listening in
      ServeCommand.announce(listening, in: app)
      Self.introduce(mock, profile, listening, in: app)
    }
  }

  /// Those of the demo alone; with its libraries, once they are known.
  private func settings(_ port: Int, _ profile: DemoProfile?) throws -> Configuration {
    var sources = ConfigurationSources(
      flags: [.init("--port", sets: "server.port", to: "\(port)")])
    if let profile, let file = try SettingsReading.file(profile.settings, isNeeded: true) {
      sources.files = [file]
    }
    return try Configuration(from: sources)
  }

  /// What there is to link, whatever the settings of this machine say.
  private func providers(_ configuration: Configuration, _ folder: String, _ app: App) async throws
    -> [ProviderItem]
  {
    let place = GatewayPlace(
      data: folder + "/data", state: folder + "/state", cache: folder + "/cache",
      environment: app.surroundings.environment, processID: Process.id)
    let seat = Seat(
      configuration: configuration, place: place, patron: nil, passphrase: { nil })
    let engine = try app.needed()
    do throws(ErrorItem) { return try await engine.providers(at: seat) } catch {
      throw CommandError(error)
    }
  }

  private static func introduce(
    _ mock: DemoMock, _ profile: DemoProfile, _ listening: Listening, in app: App
  ) {
    for address in listening.addresses {
      app.output.note("for reading apps: \(address)/opds, signed in with a demo card and its PIN")
    }
    app.output.note("mock libraries on \(mock.admin)")
    for (reader, entry) in profile.cards.enumerated() {
      guard let card = entry.card(reader) else { continue }
      app.output.note("demo card at \(entry.name): \(card.card), PIN \(card.pin)")
    }
    app.output.note("in another terminal: carrel --home \(profile.home) search feather")
    app.output.note(
      profile.home == app.home
        ? "Ctrl-C ends the demo; its folder stays" : "Ctrl-C ends the demo and removes its folder")
  }
}
