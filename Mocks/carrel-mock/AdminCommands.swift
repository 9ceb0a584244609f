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
    exits: [1], parameters: [order, value, AdminClient.admin, AdminClient.tenant])

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
    exits: [1], parameters: [order, value, AdminClient.admin, AdminClient.tenant])

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

enum JournalCommand {
  static let operation = Option("operation", Kind<String>.word, "Only this operation.")
  static let limit = Option(
    "limit", .integer(0...2000), default: 100, "At most so many, the latest.")
  static let spec = CommandSpec(
    "journal", "Show what a running mock has been asked.",
    examples: [CommandSpec.Example("carrel-mock journal --operation checkOut", "All borrowing")],
    exits: [1], parameters: [operation, limit, AdminClient.admin, AdminClient.tenant])

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    var query = "?limit=\(try input[limit])"
    if let operation = try input[operation] {
      query += "&operation=" + PercentCoding.encode(query: operation)
    }
    return try await AdminClient.send(.get, "/requests" + query, nil, input)
  }
}

enum VerifyCommand {
  static let expectation = Argument("expectation", Kind<String>.word, "The expectation, as JSON.")
  static let spec = CommandSpec(
    "verify", "Check what a running mock has been asked.",
    discussion:
      "Takes {match, count|atLeast|atMost} or {order: [match]}. Ends with 1 when it was not so.",
    examples: [
      CommandSpec.Example(
        #"carrel-mock verify '{"match":{"operation":"checkOut"},"count":1}'"#, "Borrowed just once")
    ],
    exits: [1], parameters: [expectation, AdminClient.admin, AdminClient.tenant])

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    let body = try AdminClient.json(try input[expectation], "the expectation")
    return try await AdminClient.send(.post, "/verify", body, input)
  }
}
