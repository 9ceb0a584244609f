import Arguments

extension Settings {
  enum Scanner {
    static let address = Setting(
      optional: "scanner.address", .scanner, example: "/run/clamav/clamd.ctl",
      "Where clamd listens: its Unix socket, or a host and port.",
      why:
        "Every file that comes from a library or catalogue is then examined for malware before a "
        + "reader gets it. It is sent over the wire as it is: a port only on this machine or a "
        + "network of your own.")
    static let required = Setting(
      "scanner.required", .truth, default: "true",
      "Whether a file is refused that could not be examined.",
      why: "false lets it pass, with a warning in the log, and examines it later.")
    static let deadline = Setting(
      "scanner.deadline", .time("1s", "1h"), default: "1m",
      "How long the examination of one file may take.",
      why: "Raise it for large files on a slow machine.")
    static let largest = Setting(
      "scanner.largest", .size("1MiB", "100GiB"), default: "100MiB",
      "The largest file that is handed over.",
      why: "No more than StreamMaxLength in clamd.conf. What is larger counts as not examined.")

    static let all: [SettingSpec] = [address.spec, required.spec, deadline.spec, largest.spec]
  }
}

extension Kind where Value == String {
  /// A Unix socket, or a host and a port.
  fileprivate static var scanner: Kind {
    Kind("PLACE", "a path such as /run/clamav/clamd.ctl, or a host and port such as clamav:3310") {
      text in
      if text.hasPrefix("/") { return Kind.socketPath.parse(text) }
      if Kind.endpoint.parse(text) != nil { return text }
      guard let colon = text.lastIndex(of: ":"),
        let port = Int(text[text.index(after: colon)...]), (1...65535).contains(port),
        NetworkText.isHost(String(text[..<colon]))
      else { return nil }
      return text
    }
  }
}
