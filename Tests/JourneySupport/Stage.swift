import Arguments
import Foundation
import HTTP
import JSON
import Synchronization
package import TestSupport
package import Testing

@testable import Commands

/// A mock, a private home with settings that name its libraries, and the real program between them.
package final class Stage: Sendable {
  package let mock: Mock
  private let folder: TemporaryFolder
  /// Nil for the file in the home.
  private let database: String?
  private let told = Mutex<[Ending]>([])

  /// The name that a server knows it by.
  package var databaseName: String? {
    database?.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
  }

  package var engine: Engine { database == nil ? .sqlite : .postgres }
  package var home: String { folder.path("home") }
  package var settings: String { folder.path("home/config.yaml") }
  package var vaultKey: String { folder.path("home/data/vault.key") }
  /// Outside the home: the operator wrote it, not Carrel.
  package func key(_ name: String) -> String { folder.path("keys/\(name)") }

  package static func play<Result>(
    _ engine: Engine = .sqlite, scenario: String = "three-cards", daysOff: Double = 0,
    _ body: (Stage) async throws -> Result
  ) async throws -> Result {
    let mock = try await Mock(scenario, daysOff: daysOff)
    guard engine == .postgres else { return try await body(Stage(mock, database: nil)) }
    let cluster = try await PostgresCluster.shared()
    return try await cluster.withDatabase { address in
      try await body(Stage(mock, database: address))
    }
  }

  /// On a database that somebody else keeps.
  package static func play<Result>(
    on address: String, _ body: (Stage) async throws -> Result
  ) async throws -> Result {
    try await body(Stage(try await Mock("three-cards"), database: address))
  }

  /// On every engine at the same time: a long journey is mostly waiting for its programs.
  package static func playOnEach(
    _ body: @escaping @Sendable (Stage) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for engine in Engine.allCases {
        group.addTask {
          do { try await play(engine, body) } catch {
            throw TestSupportError("on \(engine.rawValue): \(error)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private init(_ mock: Mock, database: String?) throws {
    (self.mock, self.database) = (mock, database)
    folder = try TemporaryFolder()
    for name in ["home", "keys"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    }
    try writeSettings()
  }

  /// The settings as an operator would write them, from what the mock says of itself.
  package func writeSettings(libraryID: String? = nil, secret: String? = nil) throws {
    var text = database.map { "database:\n  url: \($0)\n" } ?? ""
    text += "libraries:\n"
    for (name, library) in zip(["city", "lantern"], mock.ready["libraries"]?.array ?? []) {
      guard let endpoints = library["endpoints"] else { continue }
      func value(_ key: String) -> String {
        endpoints[key]?.string ?? endpoints[key]?.text() ?? ""
      }
      text += """
          \(name):
            provider: overdrive
            name: \(library["name"]?.string ?? "")
            endpoints:
              discovery: \(value("discovery"))
              patron: \(value("patron"))
              oauth: \(value("oauth"))
              patron_oauth: \(value("patron_oauth"))
            library_id: \(libraryID ?? value("library_id"))
            website_id: \(value("website_id"))
            authorization_name: \(value("ils_name"))
            pin_required: \(value("needs_pin"))

        """
      for key in ["client_key", "client_secret"] {
        let file = "keys/\(name)-\(key)"
        text += "    \(key)_file: \(folder.path(file))\n"
        let content = key == "client_secret" ? secret ?? value(key) : value(key)
        try folder.write(Array(content.utf8), to: file)
      }
    }
    try folder.write(Array(text.utf8), to: "home/config.yaml")
  }

  /// A file with a secret, as an operator lays it out.
  package func writeKey(_ text: String, to name: String) throws {
    try folder.write(Array(text.utf8), to: "keys/\(name)")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: key(name))
  }

  package func addSettings(_ text: String) throws {
    let now = try String(contentsOfFile: settings, encoding: .utf8)
    try folder.write(Array((text + now).utf8), to: "home/config.yaml")
  }

  // MARK: - The program

  /// Nothing of the surroundings may lead it elsewhere.
  package static let variables = [
    "HTTP_PROXY": "", "http_proxy": "", "HTTPS_PROXY": "", "https_proxy": "", "TZ": "UTC",
    "LC_ALL": "C.UTF-8", "CARREL_HOME": "", "CARREL_CONFIG": "", "NO_COLOR": "1",
  ]

  @discardableResult
  package func carrel(_ words: String..., input: String = "") async throws -> Ending {
    try await carrel(words, input: input)
  }

  @discardableResult
  package func carrel(
    _ words: [String], variables: [String: String] = [:], input: String = ""
  ) async throws -> Ending {
    let finished = try await run(
      Mock.program("carrel"), ["--home", home] + words,
      environment: Self.variables.merging(variables) { $1 }, input: Array(input.utf8),
      within: .seconds(60))
    let code: Int32 =
      switch finished.end {
      case .exited(let code): code
      case .signalled(let signal): 128 + signal
      }
    let ending = Ending(
      words: words, code: code, output: finished.outputText, error: finished.errorText)
    told.withLock { $0.append(ending) }
    return ending
  }

  /// With `--json`, held to its schema.
  @discardableResult
  package func json(
    _ words: String..., input: String = "", exit: Int32 = 0,
    at place: SourceLocation = #_sourceLocation
  ) async throws -> Ending {
    let ending = try await carrel(words + ["--json"], input: input)
    #expect(
      ending.code == exit, "\(words): \(ending.output)\(ending.error)", sourceLocation: place)
    #expect(ending.faults == [], "\(words)", sourceLocation: place)
    return ending
  }

  /// One that is killed on the way.
  package func start(_ words: [String]) throws -> RunningProcess {
    try RunningProcess(
      Mock.program("carrel"), ["--home", home] + words, environment: Self.variables)
  }

  /// One whose words are awaited line by line, those on the error stream among them.
  package func startTalking(_ words: [String]) throws -> RunningProcess {
    try RunningProcess(
      "/bin/sh", ["-c", #"exec "$0" "$@" 2>&1"#, Mock.program("carrel"), "--home", home] + words,
      environment: Self.variables)
  }

  package func link(_ card: String, _ pin: String, as name: String) async throws {
    let ending = try await carrel(
      "link", "overdrive", "--library", "city", "--name", name, "--credentials-stdin",
      input: "\(card)\n\(pin)\n")
    guard ending.code == 0 else { throw TestSupportError(ending.error) }
  }

  /// A house with something of everything; tells the title of the book in it.
  @discardableResult
  package func furnish() async throws -> String {
    try await link(Mock.ada, "1111", as: "city")
    try await json("harvest")
    let title = try await openTitle()
    try await json("borrow", title.name)
    try await json("get", title.name)
    try await json("list", "create", "later")
    try await json("list", "add", "later", title.name)
    try await json("rate", title.name, "5")
    return title.name
  }

  /// All that the program has written to its two streams.
  package var endings: [Ending] { told.withLock { $0 } }

  /// The commands that were called, by name.
  package var tried: Set<String> {
    Set(
      endings.compactMap { ending in
        guard case .run(let spec, _)? = try? Program.carrel.read(ending.words) else { return nil }
        return spec.name
      })
  }

  // MARK: - The database

  /// Rows as lines, columns parted by bars.
  @discardableResult
  package func rows(_ sql: String) async throws -> [[String]] {
    let text: String
    if let database {
      text = try await PostgresCluster.shared().query(sql, in: database)
    } else {
      let finished = try await run(
        "sqlite3", ["-init", "/dev/null", "\(home)/data/carrel.sqlite", sql])
      guard finished.end == .exited(0) else { throw TestSupportError(finished.errorText) }
      text = finished.outputText
    }
    return text.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
  }

  package func tables() async throws -> [String] {
    let sql =
      database == nil
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
    return try await rows(sql).compactMap(\.first)
  }
}

extension Stage {
  /// A title that the library lends as a plain file.
  package func openTitle() async throws -> (id: String, name: String) {
    try #require(try await titles(areOpen: true).first)
  }

  /// What can be borrowed now, or what one has to wait for.
  package func titles(
    available: Bool = true, areOpen: Bool = false
  ) async throws -> [(id: String, name: String)] {
    let state = try await mock.admin(.get, "/state")
    let library = state["libraries"]?.array?.first { $0["id"]?.string == Mock.library }
    return (library?["titles"]?.array ?? []).filter { title in
      ((title["available"]?.integer ?? 0) > 0) == available
        && (!areOpen || title["formats"]?.array?.contains("ebook-epub-open") == true)
    }.compactMap { title in
      title["id"]?.string.flatMap { id in title["name"]?.string.map { (id, $0) } }
    }
  }
}
