import Arguments
import Axis360Mock
import BookWyrmMock
import CloudLibraryMock
import Console
import GoodreadsMock
import GoogleBooksMock
import GutenbergMock
import HTTPServer
import HathiTrustMock
import JSON
import LibraryDeskMock
import Lines
import Machine
import MockKit
import OPDSMock
import OpenLibraryMock
import OverDriveMock

/// Plays until it is told to stop, by signal or by order.
enum ServeCommand {
  static let scenario = Option(
    "scenario", .choice("NAME", of: Scenario.all.map(\.name)),
    "The state of affairs to begin with; three-cards unless said.")
  static let seed = Option(
    "seed", Kind("N", "a whole number") { UInt64($0) },
    "Fixes titles, ids, tokens and chance; 1 unless said.")
  static let clock = Option(
    "clock", Kind("TIME", "a moment such as 2026-04-01T00:00:00Z") { Moment($0) },
    "Where the clock stands; \(Moment.usualStart.text) unless said.")
  static let port = Option(
    "port", .integer(0...65_535), "The port on loopback; 0, or none, lets the system choose.")
  static let config = Option(
    "config", .file, "A file of YAML with all this, faults and libraries; flags come first.")
  static let untilEnd = Flag(
    "until-eof", "Stop when the standard input ends, as it does with the program that started this."
  )
  static let directory = Option(
    "directory", .directory, "Where recordings lie; without it nothing is written anywhere.")

  /// Every vendor that is played, all on one port.
  private static let dialects = [
    OverDriveDialect.dialect, CloudLibraryDialect.dialect, Axis360Dialect.dialect,
    OPDSDialect.dialect,
    GutenbergDialect.dialect,
    HathiTrustDialect.dialect, GoodreadsDialect.dialect, GoogleBooksDialect.dialect,
    OpenLibraryDialect.dialect, BookWyrmDialect.dialect, LibraryDeskDialect.dialect,
    SIP2Dialect.dialect,
  ]

  static let spec = CommandSpec(
    "serve", "Play the services and print one line of JSON when ready.",
    examples: [
      CommandSpec.Example("carrel-mock serve --scenario fines --seed 7", "A blocked card")
    ],
    exits: [1], parameters: [scenario, seed, clock, port, untilEnd, directory, config])

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    let file = try ServeFile(try input[config])
    let name = try file.value(input[scenario], "scenario") { $0 } ?? Scenario.all[0].name
    guard let scenario = Scenario.named(name) else {
      throw UsageError(.badValue, "there is no scenario \(name)")
    }
    let seed = try file.value(input[seed], "seed") { UInt64($0) } ?? 1
    let start = try file.value(input[clock], "clock") { Moment($0) } ?? .usualStart
    let port = try file.value(input[port], "port") { Int($0) } ?? 0
    let folder = try file.value(input[directory], "directory") { $0 }
    let house = MockHouse(
      scenario, seed: seed, at: start, dialects: dialects,
      recordings: folder.map { RecordingFolder($0) }, shutDown: { Main.stop.give() })
    let lines: [LineDesk]
    do throws(LineError) { lines = try desks(of: house.main) } catch {
      Main.say("carrel-mock: \(error)\n", on: .error)
      return 1
    }
    do throws(AdminRefusal) {
      try house.arrange { state throws(AdminRefusal) in
        for desk in lines { desk.announce(as: SIP2Dialect.name, in: &state) }
        try file.apply(to: &state)
      }
    } catch { throw UsageError(.badValue, "\(error)") }
    var settings = ServerSettings([.loopback(port: port)])
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
    if try input[untilEnd] {
      // Nothing is written there; reading only ends when the other end is closed.
      OwnThread.start {
        _ = try? WholeFile.read("/dev/stdin", upTo: 0)
        Main.stop.give()
      }
    }
    await Main.stop.given()
    await server.stop(within: .seconds(1))
    for desk in lines { await desk.stop() }
    do throws(AdminRefusal) {
      try await house.close()
    } catch {
      Main.say("carrel-mock: the recording is lost: \(error)\n", on: .error)
      return 1
    }
    return 0
  }

  /// The libraries that are spoken to in lines each have a port of their own.
  private static func desks(of world: MockWorld) throws(LineError) -> [LineDesk] {
    var desks: [LineDesk] = []
    for (provider, library) in SIP2Dialect.desks(in: world) {
      desks.append(try LineDesk(world, provider: provider, library: library))
    }
    return desks
  }
}
