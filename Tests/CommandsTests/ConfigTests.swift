import Foundation
import JSON
import Testing

@testable import Commands

@Suite struct `carrel config` {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func `carrel config check exits 10 with file, line and column`() throws {
    try shell.write("server:\n  prot: 1\n", to: "bad.yaml")
    let ending = try shell.carrel("config", "check", "bad.yaml")
    #expect(ending.code == 10)
    #expect(ending.output.isEmpty)
    #expect(
      ending.error.contains("bad.yaml:2:3: unknown key 'server.prot'; did you mean 'server.port'?"))
    #expect(ending.error.hasSuffix("try: carrel config edit --config bad.yaml\n"))
  }

  @Test func `carrel config check tells scripts each fault as an object`() throws {
    try shell.write("server:\n  prot: 1\n", to: "bad.yaml")
    let ending = try shell.carrel("config", "check", "bad.yaml", "--json")
    #expect(ending.code == 10)
    let fault = JSONCursor(try JSONValue(parsing: ending.error))["error"]["faults"][0]
    #expect(try fault["line"].integer() == 2)
    #expect(try fault["column"].integer() == 3)
    #expect(try fault["suggestion"].string() == "server.port")
  }

  private static let faulty = """
    server:
      prot: 1
    libraries:
      city:
        provider: overdriv
      lantern:
        provider: hathitrust
        contry: de
      town:
        provider: library_desk
      bridge:
        provider: cloudlibrary
        account_id: 1
        account_key_file: /no/such/file
        library_id: [1]
        endpoints: {partner: nowhere}

    """

  @Test func `carrel config check reports the faults of libraries together with all others`() throws
  {
    try shell.write(Self.faulty, to: "bad.yaml")
    try shell.write("hathitrust: 1\n", to: "endpoints.yaml")
    let ending = try shell.carrel("config", "check", "bad.yaml")
    #expect(ending.code == 10)
    for part in [
      "bad.yaml:2:3: unknown key 'server.prot'",
      "bad.yaml:5:15: libraries.city.provider: there is no provider 'overdriv'; "
        + "did you mean 'overdrive'?",
      "bad.yaml:8:5: unknown key 'libraries.lantern.contry'; "
        + "did you mean 'libraries.lantern.country'?",
      "bad.yaml:9:3: libraries.town.endpoints.koha is missing",
      "bad.yaml:14:23: libraries.bridge.account_key_file: ",
      "bad.yaml:15:17: libraries.bridge.library_id must be a text, not a list",
      "bad.yaml:16:26: libraries.bridge.endpoints.partner must be a web address",
      "endpoints.yaml:1:13: ",
    ] { #expect(ending.error.contains(part), "\(part) in \(ending.error)") }
    let json = try shell.carrel("config", "check", "bad.yaml", "--json")
    let faults = try JSONValue(parsing: json.error)["error"]?["faults"]?.array ?? []
    let effects = faults.filter { $0["library"]?.string == "bridge" }.map { $0["effect"]?.string }
    #expect(effects.count { $0 == "disables_library" } == 2, "\(json.error)")
  }

  @Test func `carrel config check fails when a library's secret cannot be read`() throws {
    try shell.write(
      """
      libraries:
        city:
          provider: axis360
          library_id: x
          username_file: /no/such/file
          password_file: /no/such/file
      """, to: "city.yaml")
    let ending = try shell.carrel("config", "check", "city.yaml")
    #expect(ending.code == 10)
    #expect(ending.error.hasPrefix("the configuration has 2 faults\n"))
    #expect(ending.error.contains("library 'city' is disabled until the file can be read"))
  }

  @Test func `carrel config link names the address that a library lacks`() throws {
    try shell.write(
      """
      libraries:
        city:
          provider: overdrive
          library_id: 1
          website_id: 1
          authorization_name: x
          client_key_file: \(shell.path("key"))
          client_secret_file: \(shell.path("key"))
          endpoints: {discovery: 'https://x.example'}
      """, to: ".config/carrel/config.yaml")
    try shell.write("k", to: "key")
    #expect(try shell.run("/bin/chmod", ["600", shell.path("key")], [:]).code == 0)
    let ending = try shell.carrel("link", "overdrive", "--library", "city", "--credentials-stdin")
    #expect(ending.code == 10)
    #expect(ending.error.contains("libraries.city.endpoints.patron is missing"), "\(ending.error)")
    #expect(ending.error.hasSuffix("try: carrel config check\n"))
    let check = try shell.carrel("config", "check")
    for name in ["patron", "oauth", "patron_oauth"] {
      #expect(
        check.error.contains("config.yaml:9:5: libraries.city.endpoints.\(name) is missing"),
        "\(check.error)")
    }
  }

  @Test func `carrel config serve does not start with a fault of a library`() throws {
    try shell.write(Self.faulty, to: ".config/carrel/config.yaml")
    let ending = try shell.carrel("serve", "--port", "0")
    #expect(ending.code == 10)
    #expect(ending.error.contains("config.yaml:9:3: libraries.town.endpoints.koha is missing"))
    #expect(ending.error.contains("config.yaml:2:3: unknown key 'server.prot'"))
  }

  @Test func `an invalid settings file stops every command that needs settings`() throws {
    try shell.write("server: [\n", to: ".config/carrel/config.yaml")
    #expect(try shell.carrel("config", "show").code == 10)
    #expect(try shell.carrel("config", "check").code == 10)
    #expect(try shell.carrel("serve").code == 10)
    #expect(try shell.carrel("version").code == 0)
  }

  @Test func `carrel config show tells where values come from`() throws {
    try shell.write("server:\n  port: 1\n", to: ".config/carrel/config.yaml")
    let ending = try shell.carrel(
      "config", "show", "--origin", "--timeout", "3s", variables: ["CARREL_LOG_FORMAT": "json"])
    func line(_ key: String) -> [Substring]? {
      ending.output.split(separator: "\n").first { $0.hasPrefix(key + " ") }?.split(separator: " ")
    }
    #expect(line("server.port")?[1] == "1")
    #expect(line("server.port")?[2].hasSuffix("/.config/carrel/config.yaml:2") == true)
    #expect(line("log.format")?[1...] == ["json", "CARREL_LOG_FORMAT"])
    #expect(line("http.deadline")?[1...] == ["3s", "--timeout"])
    #expect(line("log.level")?[1...] == ["info", "default"])
  }

  @Test func `carrel config show hides passwords`() throws {
    let ending = try shell.carrel(
      "config", "show", "--json", variables: ["CARREL_DATABASE_URL": "postgres://a:geheim@h/d"])
    #expect(!ending.output.contains("geheim"))
    #expect(ending.output.contains("•••"))
  }

  @Test(
    arguments: [
      ([:], ".config/carrel/config.yaml"),
      (["XDG_CONFIG_HOME": "relative"], ".config/carrel/config.yaml"),
      (["XDG_CONFIG_HOME": "/xdg"], "/xdg/carrel/config.yaml"),
      (["CARREL_HOME": "/srv/c/"], "/srv/c/config.yaml"), (["CARREL_CONFIG": "/a.yaml"], "/a.yaml"),
      (["CARREL_PROFILE": "p"], ".config/carrel/profiles/p.yaml"),
    ] as [([String: String], String)])
  func `carrel config path follows the variables`(_ variables: [String: String], _ path: String)
    throws
  {
    let ending = try shell.carrel("config", "path", variables: variables)
    let wanted = path.hasPrefix("/") ? path : shell.path(path)
    #expect(ending.output == wanted + "\n")
  }

  @Test func `carrel config flags win over variables`() throws {
    let all = ["CARREL_HOME": "/a", "CARREL_CONFIG": "/b.yaml", "CARREL_PROFILE": "c"]
    #expect(
      try shell.carrel("config", "path", "--config", "/d.yaml", variables: all).output
        == "/d.yaml\n")
    #expect(
      try shell.carrel("config", "path", "--profile", "e", variables: all).output
        == "/a/profiles/e.yaml\n")
    #expect(try shell.carrel("config", "path", "--profile", "../x").code == 2)
  }

  @Test func `a settings file named with --config must exist`() throws {
    let ending = try shell.carrel("config", "show", "--config", "absent.yaml")
    #expect(ending.code == 10)
    #expect(ending.error.hasPrefix("there is no settings file absent.yaml\n"))
  }

  @Test func `carrel config path fails with a clear error when HOME is not set`() throws {
    let ending = try shell.carrel("config", "path", variables: ["HOME": ""])
    #expect(ending.code == 10)
    #expect(ending.error.hasPrefix("HOME is not set"))
  }

  @Test func `carrel config edit begins with the example and saves what is valid`() throws {
    try shell.write(
      "#!/bin/sh\ngrep -q 'Why change it' \"$2\" && sed -i 's/8080/9090/' \"$2\"\n", to: "ed")
    let ending = try shell.carrel("config", "edit", variables: ["VISUAL": "sh ./ed --wait"])
    #expect(ending.code == 0)
    #expect(try shell.read(".config/carrel/config.yaml").contains("port: 9090"))
    #expect(
      try shell.carrel("config", "show", "server.port", "--plain").output.hasPrefix(
        "server.port\t9090\t"))
    let again = try shell.carrel("config", "edit", "--json", variables: ["EDITOR": "true"])
    #expect(again.output.contains("\"changed\":false"))
  }

  @Test func `carrel config edit never replaces a file by an invalid one`() throws {
    try shell.write("server:\n  port: 1\n", to: ".config/carrel/config.yaml")
    try shell.write("#!/bin/sh\necho 'nonsense: 1' >> \"$1\"\n", to: "ed")
    let ending = try shell.carrel("config", "edit", variables: ["EDITOR": "sh ./ed"])
    #expect(ending.code == 2)
    #expect(ending.error.contains("unknown key 'nonsense'"))
    #expect(try shell.read(".config/carrel/config.yaml") == "server:\n  port: 1\n")
    let files = try FileManager.default.contentsOfDirectory(atPath: shell.path(".config/carrel"))
    #expect(files == ["config.yaml"])
  }

  @Test func `carrel config edit leaves everything alone when the editor fails`() throws {
    let ending = try shell.carrel("config", "edit", variables: ["EDITOR": "no-such-editor-at-all"])
    #expect(ending.code == 6)
    #expect(try !FileManager.default.fileExists(atPath: shell.path(".config/carrel/config.yaml")))
  }

  @Test func `the output of carrel config example is a valid settings file`() throws {
    #expect(try shell.carrel("config", "example", "-o", "mine.yaml").code == 0)
    #expect(try shell.carrel("config", "check", "mine.yaml").code == 0)
  }
}
