import Arguments
import Console
import HTTP
import JSON
import MockKit

enum ScenariosCommand {
  static let spec = CommandSpec(
    "scenarios", "List the scenarios.",
    examples: [CommandSpec.Example("carrel-mock scenarios", "What there is to play")])

  static func run(_ input: Input) throws(UsageError) -> Int32 {
    for scenario in Scenario.all {
      let gap = String(repeating: " ", count: max(1, 16 - scenario.name.count))
      Main.say("\(scenario.name)\(gap)\(scenario.summary)\n", on: .output)
    }
    return 0
  }
}

enum ClockCommand {
  static let order = Argument(
    optional: "order", .choice("ORDER", of: ["set", "advance", "freeze", "run"]),
    "What to do; nothing shows the clock.")
  static let value = Argument(optional: "value", Kind<String>.word, "A moment, a span, or a speed.")
  static let spec = CommandSpec(
    "clock", "Show or move the clock of a running mock.",
    examples: [CommandSpec.Example("carrel-mock clock advance 21d", "Let three weeks pass")],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"],
    parameters: [order, value] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    guard let order = try input[order] else {
      return try await AdminClient.send(.get, "/clock", nil, input)
    }
    let value = try input[value]
    if order != "freeze", value == nil {
      throw UsageError(.missingArgument, "clock \(order) needs a value")
    }
    let body: JSONValue = .object([order: order == "freeze" ? true : JSONValue(value)])
    return try await AdminClient.send(.post, "/clock", body, input)
  }
}

enum FaultCommand {
  static let order = Argument(
    "order", .choice("ORDER", of: ["list", "add", "remove"]), "What to do.")
  static let value = Argument(
    optional: "value", Kind<String>.word,
    "A fault as JSON to add, a name to remove, or nothing: all.")
  static let spec = CommandSpec(
    "fault", "Make something go wrong in a running mock, or right again.",
    examples: [
      CommandSpec.Example(
        #"carrel-mock fault add '{"name":"slow","kind":"latency","milliseconds":500}'"#,
        "Make every answer half a second late")
    ],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"],
    parameters: [order, value] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    let value = try input[value]
    switch try input[order] {
    case "add":
      guard let value else { throw UsageError(.missingArgument, "fault add needs a fault as JSON") }
      let fault = try AdminClient.json(value, "the fault")
      return try await AdminClient.send(.post, "/faults", fault, input)
    case "remove":
      let query = value.map { "?name=" + PercentCoding.encode(query: $0) } ?? ""
      return try await AdminClient.send(.delete, "/faults" + query, nil, input)
    default: return try await AdminClient.send(.get, "/faults", nil, input)
    }
  }
}
