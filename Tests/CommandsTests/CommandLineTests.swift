import Arguments
import Foundation
import JSON
import Testing

@testable import Commands

@Suite struct `The program` {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test(arguments: [[], ["-h"], ["--help"], ["help"], ["--help", "--no-color"]])
  func `The program explains itself in every form`(_ words: [String]) throws {
    let ending = try shell.carrel(words)
    #expect(ending.code == 0)
    #expect(ending.output.hasPrefix("carrel - one shelf for every library card\n\nExamples\n"))
    #expect(ending.error.isEmpty)
  }

  @Test(arguments: [
    ["help", "config", "show"], ["config", "show", "--help"], ["config", "show", "-h"],
    ["--help", "config", "show"],
  ])
  func `The program explains a command in every form`(_ words: [String]) throws {
    let ending = try shell.carrel(words)
    #expect(ending.code == 0)
    #expect(ending.output.hasPrefix("carrel config show - "))
  }

  @Test(arguments: [
    (["serach"], "unknown command 'serach'"), (["--bogus"], "unknown flag '--bogus'"),
    (["config", "shwo"], "unknown command 'config shwo'\ndid you mean: config show"),
    (["version", "--jsno"], "unknown flag '--jsno'\ndid you mean: --json"),
    (["config"], "'carrel config' needs one of: show, check, edit, path, example"),
    (["version", "extra"], "version takes no arguments: 'extra' is too many"),
    (["completion"], "missing argument SHELL\nusage: carrel completion SHELL"),
    (["completion", "bsh"], "SHELL must be one of bash, zsh, fish, not 'bsh'\ndid you mean: bash"),
    (["--json", "--plain", "version"], "--json and --plain contradict each other: choose one"),
    (["serve", "--port", "70000"], "--port must be a whole number from 0 to 65535, not '70000'"),
  ])
  func `The program refuses wrong usage on the error stream with exit 2`(
    _ words: [String], _ text: String
  )
    throws
  {
    let ending = try shell.carrel(words)
    #expect(ending.code == 2)
    #expect(ending.output.isEmpty)
    let plain = ending.error.hasPrefix("{") ? try message(ending.error) : ending.error
    #expect(plain.hasPrefix(text))
  }

  private func message(_ line: String) throws -> String {
    let error = JSONCursor(try JSONValue(parsing: line))["error"]
    return try error["message"].string()
  }

  @Test(arguments: [
    ["serach"], ["version", "x"], ["config"], ["help", "nothing"], ["schema", "nothing"],
    ["config", "show", "nothing"], ["config", "check", "absent.yaml"],
    ["config", "check", "bad.yaml"],
    ["config", "show", "--config", "absent.yaml"], ["config", "edit", "--no-input"],
  ])
  func `The program offers a command that works when pasted`(_ words: [String]) throws {
    try shell.write("server:\n  port: x\n", to: "bad.yaml")
    let ending = try shell.carrel(words, variables: ["EDITOR": "false"])
    #expect(ending.code != 0)
    let attempt = ending.error.split(separator: "\n").first { $0.hasPrefix("try: ") }
    guard let attempt else {
      #expect(ending.error.contains("did you mean: "))
      return
    }
    let line = attempt.dropFirst(5).split(separator: " ").map(String.init)
    let start = try #require(line.firstIndex(of: "carrel"))
    _ = try Program.carrel.read(Array(line[(start + 1)...]))
  }

  @Test func `The program tells errors to scripts in one line`() throws {
    let ending = try shell.carrel("config", "shwo", "--json")
    #expect(ending.output.isEmpty)
    #expect(ending.error.split(separator: "\n").count == 1)
    let error = JSONCursor(try JSONValue(parsing: ending.error))["error"]
    #expect(try error["code"].string() == "unknown_command")
    #expect(try error["message"].string() == "unknown command 'config shwo'")
    #expect(try error["did_you_mean"][0].string() == "config show")
    #expect(try error["try"].string() == "carrel help config")
  }

  @Test func `The program is quiet when its reader has seen enough`() throws {
    let ending = try shell.sh(
      "set -o pipefail; carrel help errors | head -1; echo ${PIPESTATUS[0]}")
    #expect(ending.output == "Errors\n0\n")
    #expect(ending.error.isEmpty)
    let closed = try shell.sh("carrel config example | true; echo ${PIPESTATUS[0]}")
    #expect(closed.output == "0\n")
    #expect(closed.error.isEmpty)
  }

  @Test func `The program says so when the result cannot be written`() throws {
    let full = try shell.sh("carrel version > /dev/full")
    #expect(full.code == 13)
    #expect(full.error.contains("cannot write the result"))
    let folder = try shell.carrel("version", "-o", "/no/such/folder/file")
    #expect(folder.code == 13)
  }

  @Test func `The program writes its result to a file when asked`() throws {
    let ending = try shell.carrel("config", "path", "--plain", "-o", shell.path("out"))
    #expect(ending.code == 0)
    #expect(ending.output.isEmpty)
    #expect(try shell.read("out").hasSuffix("\tfalse\n"))
    #expect(try shell.carrel("version", "-o", "-").output.hasPrefix("carrel "))
  }

  /// A pipe stands for all that is no ordinary file. A device would be the likelier case, and is no
  /// thing to try a regression on.
  @Test func `The program writes through what is no ordinary file instead of replacing it`() throws
  {
    let ending = try shell.sh(
      "mkfifo pipe; cat pipe > got & carrel version --plain -o pipe; wait; cut -f1 got; "
        + "test -p pipe && echo still a pipe")
    #expect(ending.output == "carrel\nstill a pipe\n")
  }

  @Test func `The program leaves a trace when asked, and names it`() throws {
    let ending = try shell.carrel(
      "version", "--debug", "--home", shell.path("home"),
      variables: ["CARREL_MAIL_PASSWORD_FILE": "/very/secret"])
    #expect(ending.code == 0)
    let line = try #require(ending.error.split(separator: "\n").last)
    #expect(line.hasPrefix("trace: \(shell.path("home"))/state/traces/trace-"))
    let text = try String(contentsOfFile: String(line.dropFirst(7)), encoding: .utf8)
    #expect(text.contains("words: version --debug"))
    #expect(text.contains("CARREL_MAIL_PASSWORD_FILE"))
    #expect(!text.contains("/very/secret"))
  }
}

@Suite struct `Color and width` {
  let shell: Shell

  init() throws { shell = try Shell() }

  private static let bold = "\u{1b}[1m"

  /// Runs a line with a terminal on all streams.
  private func onTerminal(_ line: String, _ variables: [String: String]) throws -> String {
    let all = ["TERM": "xterm"].merging(variables) { $1 }
    return try shell.run("/usr/bin/script", ["-qec", line, "/dev/null"], all).output
  }

  @Test(
    arguments: [
      ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
    ] as [([String: String], Bool)])
  func `Color and width follow the variables on a terminal`(
    _ variables: [String: String], _ isBold: Bool
  ) throws {
    #expect(try onTerminal("carrel help", variables).contains(Self.bold) == isBold)
  }

  @Test func `Color and width stay plain with --no-color and in a pipe`() throws {
    #expect(try !onTerminal("carrel help --no-color", [:]).contains(Self.bold))
    #expect(try !shell.carrel("help").output.contains(Self.bold))
  }

  @Test func `Color and width can be forced, but not against a refusal`() throws {
    let force = ["CLICOLOR_FORCE": "1"]
    #expect(try shell.carrel("help", variables: force).output.contains(Self.bold))
    #expect(try !shell.carrel("help", "--no-color", variables: force).output.contains(Self.bold))
    let both = ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]
    #expect(try !shell.carrel("help", variables: both).output.contains(Self.bold))
  }

  @Test(arguments: allCommands.map { $0.spec.name } + [""])
  func `Color and width keep help within eighty columns`(_ name: String) throws {
    let words = name.split(separator: " ").map(String.init) + ["--help"]
    let ending = try shell.carrel(words, variables: ["COLUMNS": "80"])
    #expect(ending.code == 0)
    for line in ending.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test(arguments: ["errors", "exit-codes", "environment", "files"])
  func `Color and width keep the reference pages within eighty columns`(_ topic: String) throws {
    let ending = try shell.carrel("help", topic, variables: ["COLUMNS": "80"])
    #expect(ending.code == 0)
    for line in ending.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }
}

@Suite struct `Ctrl-C` {
  @Test(arguments: [("INT", "130"), ("TERM", "0")])
  func `Ctrl-C stops the gateway in good order`(_ signal: String, _ code: String) throws {
    let shell = try Shell()
    let ending = try shell.sh(
      """
      carrel serve --port 0 --home home > out 2> error & pid=$!
      until grep -q listening out || ! kill -0 $pid; do read -t 0.02 -r _ <> <(:) || :; done
      kill -\(signal) $pid; wait $pid; echo $?
      """)
    #expect(ending.output == code + "\n")
    #expect(try shell.read("error").contains("gateway stopped"))
  }

  @Test func `Ctrl-C is answered at once, and obeyed the second time`() throws {
    let shell = try Shell()
    // The editor stands for work that does not end by itself; it tells when it has begun.
    try shell.write("#!/bin/sh\necho $$ >begun\nexec sleep 20 >/dev/null 2>&1\n", to: "editor.sh")
    let line = """
      EDITOR="sh ./editor.sh" carrel config edit --home home 2>error & pid=$!
      until [ -s begun ]; do read -t 0.02 -r _ <> <(:) || :; done
      kill -INT $pid
      until grep -q stopping error; do read -t 0.02 -r _ <> <(:) || :; done
      kill -INT $pid
      wait $pid; echo $?
      kill "$(cat begun)" && echo "not waited for"
      """
    let ending = try shell.sh(line)
    #expect(ending.output == "130\nnot waited for\n")
    #expect(try shell.read("error").contains("stopping (Ctrl-C again stops at once)"))
  }
}
