import Arguments
import Foundation
import JSON
import TestSupport
import Testing

@testable import Commands

@Suite struct `With --json` {
  let shell: Shell

  init() throws { shell = try Shell() }

  /// Each command once, in a form that ends by itself.
  static let lines: [[String]] = [
    ["config", "show"], ["config", "show", "server.port"], ["config", "check"], ["config", "edit"],
    ["config", "path"], ["config", "example"], ["version"], ["--version"], ["schema"],
    ["schema", "version"], ["completion", "bash"], ["help"], ["help", "config"],
    ["help", "errors"],
    ["help", "exit-codes"], ["help", "environment"], ["help", "files"], ["complete", "settings"],
    ["man", "pages"], ["metrics"], [], ["version", "--help"],
  ]

  @Test func `the schema tests try every command that ends`() {
    let tried = Set(
      Self.lines.map { $0.prefix(2).joined(separator: " ") } + Self.lines.compactMap(\.first))
    let endless = ["serve", "demo"]
    // Those that ask a library are held to their schemas in the end-to-end tests, those that take
    // a book in tests of their own.
    let played: Set = [
      "provider", "link", "unlink", "account", "harvest", "sync", "search", "show", "borrow",
      "cover",
      "return", "renew", "loans", "hold", "decode", "match", "opds", "vault", "explain", "work",
      "lane", "list", "calendar", "session", "notify", "wish",
      "gutenberg", "epub", "admin", "doctor", "read", "bookmark", "note", "books", "save", "unsave",
      "ignore", "unignore", "ignored", "dismiss", "rate", "finish", "get", "queue", "export",
      "import", "reference",
    ]
    for spec in allCommands.map({ $0.spec })
    where !endless.contains(spec.name) && !played.contains(spec.path[0]) {
      #expect(tried.contains(spec.name), "\(spec.name)")
    }
  }

  @Test(arguments: lines)
  func `every command with --json prints one document that matches its schema`(_ words: [String])
    throws
  {
    let ending = try shell.carrel(words + ["--json"], variables: ["EDITOR": "true"])
    #expect(ending.code == 0)
    #expect(ending.error.isEmpty)
    #expect(ending.output.hasSuffix("\n"))
    #expect(ending.output.split(separator: "\n").count == 1)
    let document = try JSONValue(parsing: ending.output)
    let id = try JSONCursor(document)["schema"].string()
    let schema = try #require(SchemaCommand.all.first { $0.id == id })
    #expect(Check.faults(document, schema.document) == [])
  }

  @Test func `carrel config show --jsonl prints one object a line`() throws {
    let ending = try shell.carrel("config", "show", "--jsonl")
    let lines = ending.output.split(separator: "\n")
    #expect(lines.count > 20)
    for line in lines { #expect(try JSONValue(parsing: String(line)).object?["key"] != nil) }
  }

  @Test func `carrel config show --plain prints one record a line, separated by tabs`() throws {
    let ending = try shell.carrel("config", "show", "--plain")
    let port = ending.output.split(separator: "\n").first { $0.hasPrefix("server.port\t") }
    #expect(port == "server.port\t8080\tdefault\t8080\tfalse")
  }

  @Test func `With --json: times are RFC 3339 in UTC`() throws {
    let ending = try shell.carrel("version", "--json")
    let time = try JSONCursor(JSONValue(parsing: ending.output))["generated_at"].string()
    #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
  }
}
