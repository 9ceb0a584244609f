import Arguments
import Console
import Items
import Machine
import Setup
import TextSafety

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
    try profile.write(port: port)
    let tour = DemoTour(
      mock: mock, profile: profile, environment: Self.shown(environment, app), output: app.output)
    try await tour.walk()
    let place = GatewayPlace(
      data: folder.path + "/data", state: folder.path + "/state", cache: folder.path + "/cache",
      environment: app.surroundings.environment, processID: Process.id)
    // What reading apps borrow comes from the libraries that were linked on the way.
    let settled = try settings(port, profile)
    try await app.needed().serve(settled, in: place) { listening in
      app.output.note("")
      ServeCommand.announce(listening, in: app)
      Self.introduce(mock, profile, listening, in: app)
    }
  }

  /// What the commands of the tour print goes to where this one's does.
  private static func shown(_ environment: Environment, _ app: App) -> Environment {
    let layout = app.output.layout
    var changes: [String: String?] = [:]
    if let width = layout.width { changes["COLUMNS"] = String(width) }
    if layout.isStyled { changes["CLICOLOR_FORCE"] = "1" }
    return environment.setting(changes)
  }

  /// Those of the demo alone; with its libraries, once they are known.
  private func settings(_ port: Int, _ profile: DemoProfile?) throws -> Configuration {
    var sources = ConfigurationSources(
      flags: [
        .init("--port", sets: "server.port", to: "\(port)"),
        // Whoever looks on reads what it says itself; what goes wrong is told all the same.
        .init("carrel demo", sets: "log.level", to: "warn"),
      ])
    if let profile { try sources.add(profile.settings, isNeeded: true) }
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

  /// What another terminal has to be told: where the demo lies, and where its programs are that a shell
  /// does not find.
  private static func export(_ home: String, _ app: App) -> ShellCommand {
    let known = (app.surroundings["PATH"] ?? "").split(separator: ":").map(String.init)
    guard let folder = Beside.folder, !known.contains(folder) else {
      return "export CARREL_HOME=\(value: home)"
    }
    return "export PATH=\(value: folder):$PATH CARREL_HOME=\(value: home)"
  }

  private static func introduce(
    _ mock: DemoMock, _ profile: DemoProfile, _ listening: Listening, in app: App
  ) {
    let layout = app.surroundings.asides
    let others = [
      ("reading apps", listening.addresses.map { "\($0)/opds" }.joined(separator: ", ")),
      ("other commands", Self.export(profile.home, app).description),
      ("mock libraries", mock.admin),
    ]
    let cards = profile.cards.enumerated().compactMap { reader, entry -> [String]? in
      guard entry.signsIn else { return nil }
      return entry.card(reader).map { ["  \(entry.name)", $0.card, "PIN \($0.pin)"] }
    }
    app.output.note("\nSign in there, or in a reading app, with a demo card:\n")
    app.output.note(Grid(rows: cards).text(layout))
    app.output.note(layout.table(others.map { (term: $0.0, meaning: $0.1) }))
    app.output.note(
      profile.home == app.home
        ? "\nCtrl-C ends the demo; its folder stays."
        : "\nCtrl-C ends the demo and removes its folder.")
  }
}
