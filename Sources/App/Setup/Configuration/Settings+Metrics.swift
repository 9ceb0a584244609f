import Arguments

extension Settings {
  enum Metrics {
    static let listen = Setting(
      optional: "metrics.listen", .endpoint, example: "127.0.0.1:9464",
      "An address and port of its own where /metrics answers.",
      why: "Monitoring reads it there, and readers never see it. Unset, it is off unless there is "
        + "a token.")
    static let tokenFile = Setting(
      optional: "metrics.token_file", .path, example: "/etc/carrel/metrics-token",
      "A file with the token that /metrics wants, as Authorization: Bearer.",
      why: "Where monitoring comes over a network. Without metrics.listen, /metrics then answers "
        + "beside the pages.")

    static let all: [SettingSpec] = [listen.spec, tokenFile.spec]
  }
}

extension Settings.Database {
  static let slowAfter = Setting(
    "database.slow_after", .time("0", "1h"), default: "1s",
    "From when on a statement is slow and written to the log, without its values; 0 for never.",
    why: "Lower it to find out what keeps the database busy.")
}

extension Kind where Value == String {
  /// An address and a port.
  static var endpoint: Kind {
    Kind("ADDRESS:PORT", "an address and a port such as 127.0.0.1:9464 or [::1]:9464") { text in
      guard let colon = text.lastIndex(of: ":"),
        let port = Int(text[text.index(after: colon)...]), (0...65535).contains(port)
      else { return nil }
      let host = String(text[..<colon])
      let isSix = host.hasPrefix("[") && host.hasSuffix("]")
      let address = isSix ? String(host.dropFirst().dropLast()) : host
      // Without brackets the last part of an IPv6 address would pass for a port.
      guard address.contains(":") == isSix, NetworkText.isAddress(address) else { return nil }
      return text
    }
  }
}
