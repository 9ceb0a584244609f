import Machine
import Testing

@Suite struct `The folders` {
  func folders(_ variables: [String: String], home: String? = nil) -> Folders {
    Folders(
      for: "carrel", in: Environment(variables), home: home, accountHome: { "/account" },
      userID: 77)
  }

  @Test func `The folders follow HOME where nothing else is said`() {
    let folders = folders(["HOME": "/home/ada"])
    #expect(folders.config == "/home/ada/.config/carrel")
    #expect(folders.data == "/home/ada/.local/share/carrel")
    #expect(folders.state == "/home/ada/.local/state/carrel")
    #expect(folders.cache == "/home/ada/.cache/carrel")
    #expect(folders.runtime == "/tmp/carrel-77")
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "ada"]])
  func `The folders ask the account database without a usable HOME`(variables: [String: String]) {
    #expect(folders(variables).config == "/account/.config/carrel")
  }

  @Test func `The folders follow XDG`() {
    let folders = folders([
      "HOME": "/home/ada", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d/", "XDG_STATE_HOME": "/s",
      "XDG_CACHE_HOME": "/k", "XDG_RUNTIME_DIR": "/run/user/77",
    ])
    #expect(
      folders
        == Folders(
          config: "/c/carrel", data: "/d/carrel", state: "/s/carrel", cache: "/k/carrel",
          runtime: "/run/user/77/carrel"))
  }

  @Test(arguments: ["", "relative", "./x", "~/x"])
  func `The folders ignore an XDG value that is not absolute`(value: String) {
    let folders = folders(["HOME": "/h", "XDG_DATA_HOME": value, "XDG_RUNTIME_DIR": value])
    #expect(folders.data == "/h/.local/share/carrel")
    #expect(folders.runtime == "/tmp/carrel-77")
  }

  @Test func `The folders of a service are those systemd made, the first of several`() {
    let folders = folders([
      "HOME": "/h", "XDG_DATA_HOME": "/d", "STATE_DIRECTORY": "/var/lib/carrel:/var/lib/other",
      "CACHE_DIRECTORY": "/var/cache/carrel", "RUNTIME_DIRECTORY": "/run/carrel",
      "CONFIGURATION_DIRECTORY": "/etc/carrel",
    ])
    #expect(
      folders
        == Folders(
          config: "/etc/carrel", data: "/var/lib/carrel", state: "/var/lib/carrel",
          cache: "/var/cache/carrel", runtime: "/run/carrel"))
  }

  @Test func `The folders lie in one folder when a home is given, whatever the environment says`() {
    let folders = folders(["XDG_DATA_HOME": "/d", "STATE_DIRECTORY": "/s"], home: "/one/")
    #expect(
      folders
        == Folders(
          config: "/one/config", data: "/one/data", state: "/one/state", cache: "/one/cache",
          runtime: "/one/run"))
  }
}

@Suite struct `The environment` {
  @Test func `The environment of this process has what was set before its start`() {
    #expect(Environment.ofThisProcess()["PATH"] != nil)
  }

  @Test func `The environment tells empty from missing only when asked`() {
    let environment = Environment(["A": ""])
    #expect(environment["A"] == "")
    #expect(environment.nonEmpty("A") == nil)
    #expect(environment["B"] == nil)
  }

  @Test func `The environment is changed in copies`() {
    let changed = Environment(["A": "1", "B": "2"]).setting(["A": nil, "C": "3"])
    #expect(changed.variables == ["B": "2", "C": "3"])
  }

  @Test func `The environment prints no values`() {
    let environment = Environment(["PIN": "marker-1234"])
    var dumped = ""
    dump(environment, to: &dumped)
    #expect(!"\(environment) \(String(reflecting: environment)) \(dumped)".contains("marker"))
  }

  @Test func `The environment has an account with a home`() throws {
    #expect(try #require(UserAccount.current()).home.hasPrefix("/"))
  }
}
