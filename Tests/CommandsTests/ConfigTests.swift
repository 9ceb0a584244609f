import Foundation
import JSON
import Testing

@testable import Commands

@Suite struct `carrel config` {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func `check exits 10 with file, line and column`() throws {
    try shell.write("server:\n  prot: 1\n", to: "bad.yaml")
    let ending = try shell.carrel("config", "check", "bad.yaml")
    #expect(ending.code == 10)
    #expect(ending.output.isEmpty)
    #expect(
      ending.error.contains("bad.yaml:2:3: unknown key 'server.prot'; did you mean 'server.port'?"))
    #expect(ending.error.hasSuffix("try: carrel config edit --config bad.yaml\n"))
  }

  @Test func `check tells scripts each fault as an object`() throws {
    try shell.write("server:\n  prot: 1\n", to: "bad.yaml")
    let ending = try shell.carrel("config", "check", "bad.yaml", "--json")
    #expect(ending.code == 10)
    let fault = JSONCursor(try JSONValue(parsing: ending.error))["error"]["faults"][0]
    #expect(try fault["line"].integer() == 2)
    #expect(try fault["column"].integer() == 3)
    #expect(try fault["suggestion"].string() == "server.port")
  }

  @Test func `an invalid file stops every command that needs settings`() throws {
    try shell.write("server: [\n", to: ".config/carrel/config.yaml")
    #expect(try shell.carrel("config", "show").code == 10)
    #expect(try shell.carrel("config", "check").code == 10)
    #expect(try shell.carrel("serve").code == 10)
    #expect(try shell.carrel("version").code == 0)
  }

  @Test func `show tells where values come from`() throws {
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

  @Test func `show hides passwords`() throws {
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
  func `path follows the variables`(_ variables: [String: String], _ path: String) throws {
    let ending = try shell.carrel("config", "path", variables: variables)
    let wanted = path.hasPrefix("/") ? path : shell.path(path)
    #expect(ending.output == wanted + "\n")
  }

  @Test func `flags win over variables`() throws {
    let all = ["CARREL_HOME": "/a", "CARREL_CONFIG": "/b.yaml", "CARREL_PROFILE": "c"]
    #expect(
      try shell.carrel("config", "path", "--config", "/d.yaml", variables: all).output
        == "/d.yaml\n")
    #expect(
      try shell.carrel("config", "path", "--profile", "e", variables: all).output
        == "/a/profiles/e.yaml\n")
    #expect(try shell.carrel("config", "path", "--profile", "../x").code == 2)
  }

  @Test func `a file that was named must be there`() throws {
    let ending = try shell.carrel("config", "show", "--config", "absent.yaml")
    #expect(ending.code == 10)
    #expect(ending.error.hasPrefix("there is no settings file absent.yaml\n"))
  }

  @Test func `without a home folder it says so`() throws {
    let ending = try shell.carrel("config", "path", variables: ["HOME": ""])
    #expect(ending.code == 10)
    #expect(ending.error.hasPrefix("HOME is not set"))
  }

  @Test func `edit begins with the example and saves what is valid`() throws {
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

  @Test func `edit never replaces a file by an invalid one`() throws {
    try shell.write("server:\n  port: 1\n", to: ".config/carrel/config.yaml")
    try shell.write("#!/bin/sh\necho 'nonsense: 1' >> \"$1\"\n", to: "ed")
    let ending = try shell.carrel("config", "edit", variables: ["EDITOR": "sh ./ed"])
    #expect(ending.code == 2)
    #expect(ending.error.contains("unknown key 'nonsense'"))
    #expect(try shell.read(".config/carrel/config.yaml") == "server:\n  port: 1\n")
    let files = try FileManager.default.contentsOfDirectory(atPath: shell.path(".config/carrel"))
    #expect(files == ["config.yaml"])
  }

  @Test func `edit leaves everything alone when the editor fails`() throws {
    let ending = try shell.carrel("config", "edit", variables: ["EDITOR": "no-such-editor-at-all"])
    #expect(ending.code == 6)
    #expect(try !FileManager.default.fileExists(atPath: shell.path(".config/carrel/config.yaml")))
  }

  @Test func `the example it prints is valid`() throws {
    #expect(try shell.carrel("config", "example", "-o", "mine.yaml").code == 0)
    #expect(try shell.carrel("config", "check", "mine.yaml").code == 0)
  }
}
