import Arguments

// Forms of values that only the configuration has.

extension Kind where Value == Bool {
  static var truth: Kind {
    Kind("BOOL", "true or false", completion: .choices(["true", "false"])) { text in
      ["true": true, "false": false][text]
    }
  }
}

extension Kind where Value == Int {
  /// An amount of bytes within bounds.
  static func size(_ least: String, _ most: String) -> Kind {
    Kind("SIZE", "a size from \(least) to \(most), such as 64KiB or 10MB") { text in
      guard let size = WrittenSize(text), let low = WrittenSize(least),
        let high = WrittenSize(most), (low.bytes...high.bytes).contains(size.bytes)
      else { return nil }
      return size.bytes
    }
  }
}

extension Kind where Value == Duration {
  /// A span of time within bounds.
  static func time(_ least: String, _ most: String) -> Kind {
    Kind("TIME", "a time from \(least) to \(most), such as 500ms, 90s or 15m") { text in
      guard let time = WrittenDuration(text), let low = WrittenDuration(least),
        let high = WrittenDuration(most),
        (low.duration...high.duration).contains(time.duration)
      else { return nil }
      return time.duration
    }
  }
}

extension Kind where Value == String {
  /// Programs that start elsewhere must find the same file, so nothing relative is taken.
  static var path: Kind {
    Kind("PATH", "a path that begins with /", completion: .file) { text in
      text.hasPrefix("/") && !text.contains("\0") ? text : nil
    }
  }

  /// The kernel keeps a socket's path in 108 bytes with the zero at its end.
  static var socketPath: Kind {
    Kind("PATH", "a path that begins with /, of at most 107 bytes", completion: .file) { text in
      Kind.path.parse(text).flatMap { $0.utf8.count <= 107 ? $0 : nil }
    }
  }

  static var address: Kind {
    Kind("ADDRESS", "an IP address such as 127.0.0.1, 0.0.0.0 or ::1") { text in
      NetworkText.isAddress(text) ? text : nil
    }
  }

  static var addressRange: Kind {
    Kind("RANGE", "an IP address or a range of them such as 10.0.0.0/8") { text in
      NetworkText.isRange(text) ? text : nil
    }
  }

  static var host: Kind {
    Kind("HOST", "the name or address of a host") { text in
      NetworkText.isHost(text) ? text : nil
    }
  }

  /// A host, an address or a range.
  static var destination: Kind {
    Kind("HOST", "a host name or an IP address, with or without a port, or a range of addresses") {
      text in
      NetworkText.isHost(text) || NetworkText.isRange(text) || NetworkText.isAuthority(text[...])
        ? text : nil
    }
  }

  static var webAddress: Kind {
    Kind("URL", "an address such as https://books.example.org/carrel") { text in
      NetworkText.isWebAddress(text, schemes: ["http", "https"]) ? text : nil
    }
  }

  static var proxyAddress: Kind {
    Kind("URL", "an address such as http://proxy.example.org:3128") { text in
      NetworkText.isWebAddress(text, schemes: ["http", "https", "socks5", "socks5h"]) ? text : nil
    }
  }

  static var databaseAddress: Kind {
    Kind("URL", "sqlite:/PATH or postgres://USER@HOST/NAME") { text in
      if text.hasPrefix("sqlite:/") { return text.utf8.count > 8 ? text : nil }
      let isServer = text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
      return isServer && !text.contains(" ") ? text : nil
    }
  }

  static var mailAddress: Kind {
    Kind("ADDRESS", "a mail address such as carrel@example.org") { text in
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      let isPlain = !text.contains { $0.isWhitespace || $0 == "<" || $0 == ">" }
      guard parts.count == 2, !parts[0].isEmpty, isPlain, NetworkText.isHost(String(parts[1]))
      else { return nil }
      return text
    }
  }

  /// Text that goes into a header of its own: one line of visible letters.
  static var line: Kind {
    Kind("TEXT", "one line of text") { text in
      let isVisible = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
      return !text.isEmpty && isVisible && text.utf8.count <= 200 ? text : nil
    }
  }
}
