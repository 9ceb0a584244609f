import Arguments
import Console
import HTTP
import JSON
import Machine
import MockKit

enum ScenarioCommand {
  static let name = Argument(
    "name", .choice("NAME", of: Scenario.all.map(\.name)), "The scenario to begin.")
  static let seed = Option(
    "seed", Kind("N", "a whole number") { UInt64($0) }, "Another seed than before.")
  static let clock = Option(
    "clock", Kind("TIME", "a moment such as 2026-04-01T00:00:00Z") { Moment($0) },
    "Where the clock stands.")
  static let spec = CommandSpec(
    "scenario", "Begin a scenario in a running mock.",
    examples: [CommandSpec.Example("carrel-mock scenario fines", "A card that owes money")],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"],
    parameters: [name, seed, clock] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    var order: JSONObject = ["name": .string(try input[name])]
    if let seed = try input[seed] { order["seed"] = .string(String(seed)) }
    if let clock = try input[clock] { order["clock"] = .string(clock.text) }
    return try await AdminClient.send(.post, "/scenario", .object(order), input)
  }
}

enum StateCommand {
  static let change = Argument(
    optional: "change", .file, "A file of JSON with what to change; nothing shows everything.")
  static let spec = CommandSpec(
    "state", "Show or change the libraries of a running mock.",
    examples: [
      CommandSpec.Example("carrel-mock state", "All titles, cards, loans and holds"),
      CommandSpec.Example("carrel-mock state cards.json", "Cards and loans of one's own"),
    ],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"], parameters: [change] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    guard let path = try input[change] else {
      return try await AdminClient.send(.get, "/state", nil, input)
    }
    let text = String(decoding: try Disk.read(path), as: UTF8.self)
    return try await AdminClient.send(
      .put, "/state", try AdminClient.json(text, path), input)
  }
}

/// Orders that need no more than their name.
enum PlainCommand {
  static let reset = CommandSpec(
    "reset", "Put a running mock back to the beginning of its scenario.",
    examples: [CommandSpec.Example("carrel-mock reset --tenant test-7", "Between two tests")],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"], parameters: AdminClient.common)
  static let shutdown = CommandSpec(
    "shutdown", "Stop a running mock.",
    examples: [CommandSpec.Example("carrel-mock shutdown", "As SIGTERM does")],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"], parameters: AdminClient.common)

  static func run(_ input: Input, _ path: String) async throws(UsageError) -> Int32 {
    try await AdminClient.send(.post, path, nil, input)
  }
}

enum HealthCommand {
  static let wait = Option("wait", .duration, "Wait so long for it to start.")
  static let spec = CommandSpec(
    "health", "Ask whether a mock is up.",
    examples: [CommandSpec.Example("carrel-mock health --wait 10s", "After starting it in CI")],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"], parameters: [wait] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    try await AdminClient.wait(try input[wait] ?? .zero, input)
  }
}

/// Files that are named on the command line.
enum Disk {
  static func read(
    _ path: String, trusting trust: WholeFile.Trust = .anyone
  ) throws(UsageError) -> [UInt8] {
    do throws(FileError) {
      return try WholeFile.read(path, upTo: 1 << 30, trusting: trust)
    } catch { throw UsageError(.badValue, "\(error)") }
  }

  /// One secret a line. Only the person who runs this may be able to read it.
  static func secrets(_ path: String?) throws(UsageError) -> [String] {
    guard let path else { return [] }
    return String(decoding: try read(path, trusting: .ownerOnly), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }
}
