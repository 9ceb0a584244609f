import Arguments
import HTTP
import JSON

enum JournalCommand {
  static let provider = Option("provider", Kind<String>.word, "Only this vendor.")
  static let operation = Option("operation", Kind<String>.word, "Only this operation.")
  static let path = Option("path", Kind<String>.word, "Only paths that begin so.")
  static let body = Option("body", Kind<String>.word, "Only requests with this in the body.")
  static let limit = Option(
    "limit", .integer(0...2000), default: 100, "At most so many, the latest.")
  static let clear = Flag("clear", "Empty the journal instead.")
  static let spec = CommandSpec(
    "journal", "Show what a running mock has been asked, without tokens and PINs.",
    examples: [CommandSpec.Example("carrel-mock journal --operation checkOut", "All borrowing")],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"],
    parameters: [provider, operation, path, body, limit, clear] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    if try input[clear] { return try await AdminClient.send(.delete, "/requests", nil, input) }
    let query = AdminClient.query([
      ("limit", String(try input[limit])), ("provider", try input[provider]),
      ("operation", try input[operation]), ("path", try input[path]), ("body", try input[body]),
    ])
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
    exits: [1], environment: ["CARREL_MOCK_ADMIN"], parameters: [expectation] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    let body = try AdminClient.json(try input[expectation], "the expectation")
    return try await AdminClient.send(.post, "/verify", body, input)
  }
}

enum FindCommand {
  static let match = Argument("match", Kind<String>.word, "What to look for, as JSON.")
  static let near = Flag("near", "What comes near instead, with the differences.")
  static let spec = CommandSpec(
    "find", "Find requests in the journal of a running mock.",
    discussion:
      "A match has any of provider, operation, method, path, pathPrefix, query, headers, body, "
      + "bodyContains, status, fault.",
    examples: [
      CommandSpec.Example(#"carrel-mock find '{"status":401}'"#, "All that was refused"),
      CommandSpec.Example(
        #"carrel-mock find --near '{"operation":"checkOut","status":400}'"#, "What came near"),
    ],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"], parameters: [match, near] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    let body = try AdminClient.json(try input[match], "the match")
    return try await AdminClient.send(
      .post, try input[near] ? "/near-misses" : "/find", body, input)
  }
}
