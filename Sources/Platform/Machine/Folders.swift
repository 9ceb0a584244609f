/// Where each kind of file belongs. Which kind a file is decides what may happen to it: the cache may
/// vanish at any time, the runtime folder vanishes at logout, data is what gets backed up.
package struct Folders: Sendable, Hashable {
  package var config: String
  package var data: String
  package var state: String
  package var cache: String
  /// Sockets and lock files.
  package var runtime: String

  package init(config: String, data: String, state: String, cache: String, runtime: String) {
    (self.config, self.data, self.state) = (config, data, state)
    (self.cache, self.runtime) = (cache, runtime)
  }

  /// Everything in one folder, as `--home` asks.
  package init(home: String) {
    self.init(
      config: home.appending(path: "config"), data: home.appending(path: "data"),
      state: home.appending(path: "state"), cache: home.appending(path: "cache"),
      runtime: home.appending(path: "run"))
  }

  /// By, in this order: `home`; what systemd passes to a service (systemd.exec(5), RuntimeDirectory=
  /// and kin); the XDG base directory specification; the account's home folder. `accountHome` is
  /// asked only where HOME is missing.
  package init(
    for program: String, in environment: Environment, home: String? = nil,
    accountHome: () -> String? = { UserAccount.current()?.home },
    userID: UInt32 = UserAccount.effectiveID
  ) {
    if let home {
      self.init(home: home)
      return
    }
    let account = environment.folder("HOME") ?? accountHome() ?? "/"
    func xdg(_ name: String, _ otherwise: String) -> String {
      (environment.folder(name) ?? account.appending(path: otherwise)).appending(path: program)
    }
    // A service has one state folder, and its data is state; systemd knows no third kind.
    let serviceState = environment.folder("STATE_DIRECTORY")
    self.init(
      config: environment.folder("CONFIGURATION_DIRECTORY") ?? xdg("XDG_CONFIG_HOME", ".config"),
      data: serviceState ?? xdg("XDG_DATA_HOME", ".local/share"),
      state: serviceState ?? xdg("XDG_STATE_HOME", ".local/state"),
      cache: environment.folder("CACHE_DIRECTORY") ?? xdg("XDG_CACHE_HOME", ".cache"),
      // Without a session there is no runtime folder to be trusted but a private one of our own.
      runtime: environment.folder("RUNTIME_DIRECTORY")
        ?? environment.folder("XDG_RUNTIME_DIR")?.appending(path: program)
        ?? "/tmp/\(program)-\(userID)")
  }
}

extension Environment {
  /// The first absolute path of a variable that holds folders. systemd separates several by colons;
  /// the XDG specification wants relative ones ignored.
  fileprivate func folder(_ name: String) -> String? {
    guard let value = nonEmpty(name) else { return nil }
    let isList = name.hasSuffix("_DIRECTORY")
    let first = isList ? value.split(separator: ":").first.map(String.init) ?? "" : value
    guard first.utf8.first == UInt8(ascii: "/") else { return nil }
    return first.withoutTrailingSlashes
  }
}

extension String {
  func appending(path: String) -> String {
    utf8.last == UInt8(ascii: "/") ? self + path : self + "/" + path
  }

  var withoutTrailingSlashes: String {
    var path = Substring(self)
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    return String(path)
  }
}
