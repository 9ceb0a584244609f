import Arguments
import Console
import HTTP
import JSON
import Machine
import MockKit

/// `https://api.example`, or `/token=https://login.example`.
private func route(_ text: String) -> JSONObject.Member? {
  guard text.hasPrefix("/"), let cut = text.firstIndex(of: "=") else {
    return text.hasPrefix("http") ? JSONObject.Member("/", .string(text)) : nil
  }
  return JSONObject.Member(String(text[..<cut]), .string(String(text[cut...].dropFirst())))
}

enum RecordCommand {
  static let file = Argument(
    optional: "file", Kind<String>.word, "A plain name in the folder of `serve --directory`.")
  static let to = Option(
    list: "to", Kind("URL", "an address, or /front=address", parse: route),
    "The real service; once for each front of a path that has its own.")
  static let known = Option(
    "known-file", .file,
    "Card numbers, PINs and keys to take out, one a line; readable by its owner only.")
  static let header = Option(list: "header", Kind<String>.word, "One more header to keep.")
  static let stop = Flag("stop", "End the recording and write it.")
  static let spec = CommandSpec(
    "record", "Pass requests on to a real service, with an account of your own, and record them.",
    discussion:
      "Credentials, cookies, tokens, card numbers and PINs are taken out before anything is "
      + "written; the file is written at the end. Look through it with `carrel-mock scan`.",
    examples: [
      CommandSpec.Example(
        "carrel-mock record tour.jsonl --to https://api.example --known-file secrets", "Begin"),
      CommandSpec.Example("carrel-mock record --stop", "Write tour.jsonl"),
    ],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"],
    parameters: [file, to, known, header, stop] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    if try input[stop] {
      return try await AdminClient.send(.post, "/record", ["stop": true], input)
    }
    guard let file = try input[file] else {
      throw UsageError(.missingArgument, "record needs a file, or --stop")
    }
    let order: JSONValue = [
      "file": .string(file), "to": .object(JSONObject(try input[to])),
      "known": .array(try Disk.secrets(try input[known]).map(JSONValue.string)),
      "headers": .array(try input[header].map(JSONValue.string)),
    ]
    return try await AdminClient.send(.post, "/record", order, input)
  }
}

enum ReplayCommand {
  static let file = Argument(
    optional: "file", Kind<String>.word, "A recording in the folder of `serve --directory`.")
  static let match = Option(
    "match", .choice("HOW", of: Replay.Match.allCases.map(\.rawValue)), default: "strict",
    "strict: method, path, query and body; loose: method and path.")
  static let timing = Option(
    "timing", .choice("HOW", of: Replay.Timing.allCases.map(\.rawValue)), default: "dropped",
    "Whether answers take as long as they did.")
  static let stop = Flag("stop", "Play the libraries of the scenario again.")
  static let spec = CommandSpec(
    "replay", "Answer from a recording.",
    discussion: "A request that was not recorded gets 404, with what comes nearest.",
    examples: [
      CommandSpec.Example("carrel-mock replay tour.jsonl --match loose", "Begin"),
      CommandSpec.Example("carrel-mock replay --stop", "Play the scenario again"),
    ],
    exits: [1], environment: ["CARREL_MOCK_ADMIN"],
    parameters: [file, match, timing, stop] + AdminClient.common)

  static func run(_ input: Input) async throws(UsageError) -> Int32 {
    if try input[stop] {
      return try await AdminClient.send(.post, "/replay", ["stop": true], input)
    }
    guard let file = try input[file] else {
      throw UsageError(.missingArgument, "replay needs a file, or --stop")
    }
    let order: JSONValue = [
      "file": .string(file), "match": .string(try input[match]),
      "timing": .string(try input[timing]),
    ]
    return try await AdminClient.send(.post, "/replay", order, input)
  }
}

enum ScanCommand {
  static let file = Argument("file", .file, "The recording to look through.")
  static let known = Option(
    "known-file", .file, "Secrets to look for, one a line; readable by its owner only.")
  static let spec = CommandSpec(
    "scan", "Look through a recording for anything secret that is left.",
    discussion: "Tells where something stands and never what. Ends with 1 when there is anything.",
    examples: [
      CommandSpec.Example(
        "carrel-mock scan mock/tour.jsonl --known-file secrets", "Before a commit")
    ],
    exits: [1], parameters: [file, known])

  static func run(_ input: Input) throws(UsageError) -> Int32 {
    let scan = Scan(knowing: try Disk.secrets(try input[known]))
    let findings = scan.findings(in: try Disk.read(try input[file]))
    for finding in findings { Main.say("\(finding)\n", on: .output) }
    return findings.isEmpty ? 0 : 1
  }
}
