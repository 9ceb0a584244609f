import Arguments
import CloudLibraryMock
import Console
import HTTPServer
import JSON
import MockKit
import OverDriveMock

/// Plays until it is told to stop, by signal or by order.
enum ServeCommand {
  static let scenario = Option(
    "scenario", .choice("NAME", of: Scenario.all.map(\.name)), default: Scenario.all[0].name,
    "The state of affairs to begin with.")
  static let seed = Option(
    "seed", Kind("N", "a whole number") { UInt64($0) }, default: 1,
    "Fixes titles, ids, tokens and chance.")
  static let clock = Option(
    "clock", Kind("TIME", "a moment such as 2026-04-01T00:00:00Z") { Moment($0) },
    default: Moment.usualStart, shown: Moment.usualStart.text, "Where the clock stands.")
  static let port = Option(
    "port", .integer(0...65_535), default: 0, "The port on loopback; 0 lets the system choose.")

  static let spec = CommandSpec(
    "serve", "Play the services and print one line of JSON when ready.",
    examples: [
      CommandSpec.Example("carrel-mock serve --scenario fines --seed 7", "A blocked card")
    ],
    exits: [1], parameters: [scenario, seed, clock, port])

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    let name = try input[scenario]
    guard let scenario = Scenario.named(name) else { return 2 }
    let house = MockHouse(
      scenario, seed: try input[seed], at: try input[clock],
      dialects: [OverDriveDialect.dialect, CloudLibraryDialect.dialect],
      shutDown: { Main.stop.give() })
    var settings = ServerSettings([.loopback(port: try input[port])])
    // A fault may keep a client waiting as long as it likes.
    settings.timeouts.request = .seconds(86_400)
    let server = Server(settings, house.handler)
    do throws(ServerError) {
      try server.start()
    } catch {
      Main.say("carrel-mock: \(error)\n", on: .error)
      return 1
    }
    let base = "http://\(server.addresses[0])"
    Main.say(MockHouse.readyLine(house.main, at: base).text() + "\n", on: .output)
    await Main.stop.given()
    await server.stop(within: .seconds(1))
    return 0
  }
}
