import Arguments
import Foundation
import Testing

@testable import Setup

/// Reads settings as the program does, from texts instead of files.
private func read(
  _ yaml: String = "", system: String? = nil, environment: [String: String] = [:],
  flags: [ConfigurationSources.FlagValue] = []
) throws(ConfigurationError) -> Configuration {
  var files = [try SettingsFile(Array(yaml.utf8), path: "a.yaml")]
  if let system { files.append(try SettingsFile(Array(system.utf8), path: "system.yaml")) }
  return try Configuration(
    from: ConfigurationSources(flags: flags, environment: environment, files: files))
}

/// The faults of a text, one a line.
private func faults(_ yaml: String, environment: [String: String] = [:]) -> [String] {
  do throws(ConfigurationError) {
    _ = try read(yaml, environment: environment)
    return []
  } catch {
    return error.faults.map(\.description)
  }
}

@Suite struct `The table of settings` {
  @Test func `The table of settings have sound defaults, each of its own kind`() throws {
    let configuration = try read()
    #expect(configuration.server.listen == ["127.0.0.1"])
    #expect(configuration.server.port == 8080)
    #expect(configuration.server.publicURL == nil)
    #expect(configuration.server.maxHeaderSize == 32 << 10)
    #expect(configuration.server.idleTimeout == .seconds(75))
    #expect(configuration.database.url == nil)
    #expect(configuration.http.deadline == .seconds(10))
    #expect(configuration.log.level == .info)
    #expect(configuration.mail == nil)
    for spec in Settings.all {
      for text in spec.defaultTexts { #expect(spec.complaint(about: text) == nil, "\(spec.key)") }
    }
  }

  @Test(arguments: Settings.all.map(\.key))
  func `The table of settings are each explained, with an example that is valid`(_ key: String)
    throws
  {
    let spec = try #require(Settings.all.first { $0.key == key })
    #expect(spec.summary.hasSuffix(".") && spec.reason.hasSuffix("."))
    #expect(Settings.sections.map(\.name).contains(spec.section))
    let examples =
      switch spec.form {
      case .optional(let example): [example]
      case .list(_, let examples): examples
      case .single: [String]()
      }
    for example in examples { #expect(spec.complaint(about: example) == nil) }
  }

  @Test func `The table of settings stand each once in the table`() {
    #expect(Set(Settings.all.map(\.key)).count == Settings.all.count)
    #expect(Set(Settings.all.map(\.variable)).count == Settings.all.count)
  }

  @Test func `The table of settings are taken from a file`() throws {
    let configuration = try read(
      """
      server:
        listen: ["0.0.0.0", "::1"]
        port: 0
        public_url: https://books.example.org/carrel/
        max_body_size: 10MB
        idle_timeout: 1m30s
      http: { deadline: 2s, allow_hosts: [10.0.0.0/8] }
      mail:
        server: smtp.example.org
        security: tls
        from: a@example.org
      """)
    #expect(configuration.server.listen == ["0.0.0.0", "::1"])
    #expect(configuration.server.port == 0)
    #expect(configuration.server.publicURL == "https://books.example.org/carrel")
    #expect(configuration.server.maxBodySize == 10_000_000)
    #expect(configuration.server.idleTimeout == .seconds(90))
    #expect(configuration.http.allowHosts == ["10.0.0.0/8"])
    #expect(configuration.mail?.security == .tls)
    #expect(configuration.mail?.port == 587)
  }

  @Test func `The table of settings may be said to be nothing`() throws {
    let configuration = try read("server:\n  port: null\n  public_url:\nlog:\n")
    #expect(configuration.server.port == 8080)
    #expect(configuration.resolved.allSatisfy { $0.origin == .builtIn })
  }

  @Test func `The table of settings follow flag, environment, file, system file, default`() throws {
    let yaml = "server:\n  port: 2\n  loops: 2\nlog:\n  level: warn"
    let system = "server:\n  port: 1\n  loops: 1\n  connections: 7\nlog:\n  level: error"
    let configuration = try read(
      yaml, system: system,
      environment: [
        "CARREL_SERVER_PORT": "3", "CARREL_LOG_LEVEL": "info", "CARREL_SERVER_LOOPS": "",
      ],
      flags: [.init("--port", sets: "server.port", to: "4")])
    #expect(configuration.server.port == 4)
    #expect(configuration.log.level == .info)
    #expect(configuration.server.loops == 2)
    #expect(configuration.server.connections == 7)
    let origins = Dictionary(
      uniqueKeysWithValues: configuration.resolved.map { ($0.spec.key, $0.origin.description) })
    #expect(origins["server.port"] == "--port")
    #expect(origins["log.level"] == "CARREL_LOG_LEVEL")
    #expect(origins["server.loops"] == "a.yaml:3")
    #expect(origins["server.connections"] == "system.yaml:4")
    #expect(origins["log.format"] == "default")
  }

  @Test func `The table of settings take lists from a variable with commas`() throws {
    let configuration = try read(environment: ["CARREL_SERVER_LISTEN": "127.0.0.1, ::1"])
    #expect(configuration.server.listen == ["127.0.0.1", "::1"])
  }

  @Test func `The table of settings warn of variables that look like ours`() throws {
    let configuration = try read(environment: ["CARREL_SERVER_PROT": "1", "CARREL_HOME": "/x"])
    #expect(configuration.warnings.count == 1)
    #expect(configuration.warnings[0].contains("did you mean CARREL_SERVER_PORT?"))
  }
}

@Suite struct `Faults of settings` {
  @Test func `Faults of settings are told together, each with its place`() {
    let found = faults(
      """
      server:
        prot: 80
        port: eighty
        idle_timeout: 5
      srever: {}
      port: 4
      log:
        level: inf
      database: 5
      """, environment: ["CARREL_HTTP_DEADLINE": "soon"])
    #expect(
      found == [
        "a.yaml:2:3: unknown key 'server.prot'; did you mean 'server.port'?",
        "a.yaml:3:9: server.port must be a whole number from 0 to 65535, not 'eighty'",
        "a.yaml:4:17: server.idle_timeout must be a time from 1s to 1h, such as 500ms, 90s or 15m, not '5'",
        "a.yaml:5:1: unknown key 'srever'; did you mean 'server'?",
        "a.yaml:6:1: unknown key 'port'; did you mean 'server.port'?",
        "a.yaml:8:10: log.level must be one of error, warn, info, debug, not 'inf'; did you mean 'info'?",
        "a.yaml:9:11: 'database' is a group of settings, not a whole number",
        "CARREL_HTTP_DEADLINE: http.deadline must be a time from 1s to 10m, such as 500ms, 90s or 15m, not 'soon'",
      ])
  }

  @Test(arguments: [
    "server: [1]", "- a", "just text", "server:\n  port: [1]", "server:\n  port: {a: 1}",
    "server:\n  listen: [[x]]", "server:\n  listen: [null]", "server:\n  port: 1\n  port: 2",
    "server:\n\tport: 1", "server: &a {port: 1}", "mail:\n  server: smtp.example.org", "a: {b: [",
    "server:\n  port: -1", "server:\n  port: 65536", "server:\n  port: 1.5",
    "server:\n  port: 0x50",
    "server:\n  public_url: ftp://x", "server:\n  unix_socket: relative/path",
    "http:\n  contact: \"a\\nb\"", "database:\n  url: mysql://x",
  ])
  func `Faults of settings refuse whatever is not as it should be`(_ yaml: String) {
    #expect(!faults(yaml).isEmpty)
  }

  @Test func `Faults of settings never repeat what may be a secret`() {
    let found = faults("database:\n  url: \"postgres:/geheim\"")
    #expect(found.count == 1)
    #expect(!found[0].contains("geheim"))
  }

  @Test(arguments: [
    ("postgres://carrel:geheim@db/x", "postgres://carrel:•••@db/x"),
    ("postgres://db/x?user=a&password=geheim&b=c", "postgres://db/x?user=a&password=•••&b=c"),
    ("postgres://a:ge@heim@db/x", "postgres://a:•••@db/x"),
    ("postgres://carrel@db/x", "postgres://carrel@db/x"), ("sqlite:/a/b.db", "sqlite:/a/b.db"),
  ])
  func `Faults of settings and values hide their passwords`(_ url: String, _ shown: String) throws {
    let configuration = try read(environment: ["CARREL_DATABASE_URL": url])
    #expect(configuration.database.url == url)
    let setting = configuration.resolved.first { $0.spec.key == "database.url" }
    #expect(setting?.shown == shown)
  }
}

@Suite struct `The example file` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../config/carrel.yaml").standardized

  /// Rewrite it with: carrel config example -o config/carrel.yaml
  @Test func `The example file is what the table says`() throws {
    let text = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
    #expect(text == ExampleFile.text)
  }

  @Test func `The example file holds every key, and states the true defaults`() throws {
    let bytes = [UInt8](try Data(contentsOf: Self.file))
    let configuration = try Configuration(
      from: ConfigurationSources(files: [try SettingsFile(bytes, path: "carrel.yaml")]))
    let plain = try Configuration(from: ConfigurationSources())
    #expect(configuration.server == plain.server)
    #expect(configuration.database == plain.database)
    #expect(configuration.http == plain.http)
    #expect(configuration.log == plain.log)
    #expect(configuration.paths == plain.paths)
    #expect(configuration.mail == plain.mail)
    let text = String(decoding: bytes, as: UTF8.self)
    for spec in Settings.all {
      #expect(text.contains("\n  \(spec.name): "), "\(spec.key)")
      #expect(text.contains("# Variable: \(spec.variable)\n"))
      if !spec.defaultTexts.isEmpty, spec.section != "paths" {
        let setting = configuration.resolved.first { $0.spec.key == spec.key }
        #expect(setting?.origin != .builtIn, "\(spec.key)")
      }
    }
  }

  @Test func `The example file stays within the house's line length`() throws {
    for line in ExampleFile.text.split(separator: "\n") { #expect(line.count <= 100) }
  }
}

@Suite struct `Addresses in settings` {
  @Test(arguments: [
    "127.0.0.1", "0.0.0.0", "::", "::1", "fe80::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4",
  ])
  func `Addresses in settings are taken`(_ text: String) { #expect(NetworkText.isAddress(text)) }

  @Test(arguments: [
    "", "1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4.5", ":::", "1::2::3", "12345::", "1:2:3:4:5:6:7",
    "::1.2.3", "fe80::1%eth0", "localhost", "1:2:3:4:5:6:7:8:9", "g::", ":1", "1:", "٣.1.1.1",
  ])
  func `Addresses in settings are refused`(_ text: String) { #expect(!NetworkText.isAddress(text)) }

  @Test(arguments: [
    ("10.0.0.0/8", true), ("::/0", true), ("10.0.0.1", true), ("10.0.0.0/33", false),
    ("10.0.0.0/", false), ("10.0.0.0/8/8", false), ("/8", false), ("::/129", false), ("", false),
  ])
  func `Addresses in settings may be ranges`(_ text: String, _ isRange: Bool) {
    #expect(NetworkText.isRange(text) == isRange)
  }

  @Test(arguments: [
    ("https://books.example.org", true), ("http://[::1]:8080/carrel", true),
    ("https://a.example/carrel/", true), ("https://user@a.example", false), ("https://", false),
    ("https://a.example?x", false), ("https://a.example#x", false), ("a.example", false),
    ("https://a.example:0", false), ("https://a.example:99999", false), ("https://a b", false),
    ("https://-a.example", false), ("https://a..b", false), ("https://[::1", false),
    ("https://bücher.example", false), ("https://127.1", false),
  ])
  func `Addresses in settings may be those of the web`(_ text: String, _ isAddress: Bool) {
    #expect(NetworkText.isWebAddress(text, schemes: ["https", "http"]) == isAddress)
  }
}
