import Foundation
import HTTPServer
import JSON
import TestSupport
import Testing

/// The program as people run it.
@Suite(.timeLimit(.minutes(2))) struct `The program carrel-mock` {
  private static let program = Programs.path("carrel-mock")

  private func start(_ words: String...) async throws -> (RunningProcess, JSONValue, String) {
    let process = try RunningProcess(Self.program, ["serve"] + words)
    let line = try await process.nextLine() ?? ""
    return (process, try JSONValue(parsing: line), line)
  }

  private func ask(_ ready: JSONValue, _ words: String...) async throws -> FinishedProcess {
    try await run(
      Self.program, words, environment: ["CARREL_MOCK_ADMIN": ready["admin"]?.string ?? ""])
  }

  @Test func `The program carrel-mock has help for every command`() async throws {
    for command in [
      "serve", "health", "scenarios", "scenario", "state", "reset", "clock", "fault", "journal",
      "verify", "find", "record", "replay", "scan", "shutdown",
    ] {
      let help = try await run(Self.program, [command, "--help"])
      #expect(help.end == .exited(0))
      #expect(help.outputText.contains("Examples"), "\(command)")
    }
    #expect(try await run(Self.program, ["clok"]).end == .exited(2))
  }

  @Test func `The program carrel-mock steers a running mock with every command`() async throws {
    try await withTemporaryFolder { folder in
      let (process, ready, _) = try await start("--directory", folder.path)
      let change = try folder.write(
        Array(#"{"libraries":[{"id":"4225","cards":[{"card":"42","pin":"4711"}]}]}"#.utf8),
        to: "change.json")
      let first = "verify" as String
      for (words, code, told) in [
        (["health"], 0, "ok"), (["scenario", "fines", "--seed", "3"], 0, "\"fines\""),
        (["state", change], 0, "4711"), (["state"], 0, "4711"), (["reset"], 0, "fines"),
        (["clock"], 0, "2026-03-16"), (["clock", "advance", "1d"], 0, "2026-03-17"),
        (["clock", "run", "x60"], 0, "60"), (["clock", "freeze"], 0, "true"),
        (["fault", "add", #"{"name":"f","kind":"empty"}"#], 0, "empty"),
        (["fault", "list"], 0, "empty"), (["fault", "remove", "f"], 0, ""),
        (["journal", "--path", "/"], 0, "\"total\": 0"), (["journal", "--clear"], 0, ""),
        ([first, #"{"match":{"operation":"x"},"count":0}"#], 0, "true"),
        ([first, #"{"match":{"operation":"x"}}"#], 1, "false"),
        (["find", #"{"operation":"x"}"#], 0, "[]"), (["find", "--near", "{}"], 0, "nearMisses"),
        (["record", "a.jsonl", "--to", "http://127.0.0.1:1"], 0, "a.jsonl"),
        (["record", "--stop"], 0, "\"exchanges\": 0"),
        (["replay", "a.jsonl", "--match", "loose"], 0, "\"exchanges\": 0"),
        (["replay", "--stop"], 0, "playing"), (["record"], 2, "needs a file"),
        (["scan", folder.path("a.jsonl")], 0, ""), (["state", "--tenant", "b"], 0, "three-cards"),
        (["shutdown"], 0, "stopping"),
      ] as [([String], Int32, String)] {
        let done = try await run(
          Self.program, words, environment: ["CARREL_MOCK_ADMIN": ready["admin"]?.string ?? ""])
        #expect(done.end == .exited(code), "\(words): \(done.errorText)")
        #expect(told.isEmpty || (done.outputText + done.errorText).contains(told), "\(words)")
      }
      #expect(try await process.waitForEnd() == .exited(0))
    }
  }

  @Test func `The program carrel-mock ends on SIGTERM, and writes what it was recording`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let (process, ready, _) = try await start("--directory", folder.path)
      _ = try await ask(ready, "record", "late.jsonl", "--to", "http://127.0.0.1:1")
      process.send(SIGTERM)
      #expect(try await process.waitForEnd() == .exited(0))
      #expect(try folder.read("late.jsonl").isEmpty)
    }
  }

  @Test func `carrel-mock gives the same output for the same seed in two runs`() async throws {
    func said() async throws -> [String] {
      let (process, ready, line) = try await start("--seed", "9", "--scenario", "three-cards")
      let base = ready["base"]?.string ?? ""
      let state = try await ask(ready, "state").outputText
      process.send(SIGTERM)
      _ = try await process.waitForEnd()
      return [line, state].map {
        $0.replacing(base, with: "").replacing(/sip2:\/\/127\.0\.0\.1:[0-9]+/, with: "")
      }
    }
    #expect(try await said() == said())
  }

  @Test func `The program carrel-mock begins as a file says, and as the flags say before it`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let file = try folder.write(
        Array(
          """
          # A reader of our own, at a library that stumbles.
          scenario: fines
          seed: 12
          clock: "2031-01-01T00:00:00Z"
          faults:
            - {name: stumble, kind: status, status: 500, count: first 1}
          libraries:
            - id: 4225
              cards: [{card: 0042, pin: 0417}]

          """.utf8), to: "mock.yaml")
      let (process, ready, _) = try await start("--config", file, "--seed", "13")
      #expect(ready["scenario"] == "fines")
      #expect(ready["seed"] == "13")
      #expect(ready["clock"] == "2031-01-01T00:00:00Z")
      #expect(ready["libraries"]?[0]?["cards"]?[0]?["pin"] == "0417")
      let other = try await ask(ready, "fault", "list", "--tenant", "b")
      #expect(other.outputText.contains("stumble"))
      process.send(SIGTERM)
      #expect(try await process.waitForEnd() == .exited(0))
      let wrong = try folder.write(Array("scenrio: fines\n".utf8), to: "wrong.yaml")
      #expect(try await run(Self.program, ["serve", "--config", wrong]).end == .exited(2))
    }
  }

  @Test func `carrel-mock scan finds secrets in a file and refuses a readable list of secrets`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let file = try folder.write(Array(#"{"a":"my-own-word"}"#.utf8), to: "a.jsonl")
      let secrets = try folder.write(Array("my-own-word\n".utf8), to: "secrets")
      let found = try await run(Self.program, ["scan", file, "--known-file", secrets])
      #expect(found.end == .exited(1))
      #expect(found.outputText == "line 1, a: a known secret\n")
      let open = try folder.write(Array("x".utf8), to: "open", mode: 0o644)
      #expect(try await run(Self.program, ["scan", file, "--known-file", open]).end == .exited(2))
    }
  }

  /// Every command block of the guide, in its order, in one shell.
  @Test func `The program carrel-mock does what its guide says`() async throws {
    let guide = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Mocks/README.md").standardized
    let text = try String(contentsOf: guide, encoding: .utf8)
    var script = "set -eu\nPATH=\(Programs.folder):$PATH\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n"
    var isCommand = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCommand = line == "```sh"
      } else if isCommand {
        script += line + "\n"
      }
    }
    for port in ["4711", "4712"] { script.replace(port, with: String(try freePort())) }
    try await withTemporaryFolder { folder in
      let done = try await run("bash", ["-c", script], folder: folder.path)
      #expect(done.end == .exited(0), "\(done.outputText.suffix(2000)) \(done.errorText)")
      #expect(done.outputText.contains("\"verified\": true"))
    }
  }

  private func freePort() throws -> Int {
    let server = Server(
      ServerSettings([.loopback(port: 0)], loops: 1), .immediate { _ in Response() })
    try server.start()
    let port = server.addresses[0].port ?? 0
    Task { await server.stop(within: .zero) }
    return port
  }
}
