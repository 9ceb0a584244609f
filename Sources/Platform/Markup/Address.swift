/// The address in an `href` or `src`, as browsers read it: white space around it and line breaks
/// inside it do not count (URL Standard §4.4), which is how `java\nscript:` slips past a naive look.
package struct Address: Sendable, Hashable {
  package let text: String
  /// In lower case; nil for a relative address.
  package let scheme: String?

  /// Nil when there is nothing left, or when what stands before a colon is no scheme at all: such
  /// an address has two readings, and we take neither.
  package init?(_ raw: String) {
    var bytes = raw.utf8.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }[...]
    bytes = bytes.drop { $0 <= 0x20 }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    guard !bytes.isEmpty, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    let head = bytes.prefix { !Address.endsHead($0) }
    if let colon = head.firstIndex(of: UInt8(ascii: ":")) {
      let scheme = bytes[..<colon].map(Name.lowered)
      guard let first = scheme.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
        scheme.allSatisfy(Address.isSchemeByte)
      else { return nil }
      self.scheme = String(decoding: scheme, as: UTF8.self)
    } else {
      scheme = nil
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// True for addresses that run code or carry a document: never written into HTML, whoever made
  /// the page. An image given as data is none of these.
  package static func runsScript(_ raw: String) -> Bool {
    guard raw.utf8.contains(UInt8(ascii: ":")) else { return false }
    guard let address = Address(raw) else {
      // Two readings: safe only if no reading is a script.
      let squeezed = raw.utf8.filter { $0 > 0x20 && $0 != 0x7F }.map(Name.lowered)
      return ["javascript:", "vbscript:", "data:"].contains { squeezed.starts(with: $0.utf8) }
    }
    switch address.scheme {
    case "javascript", "vbscript", "livescript", "mocha": return true
    case "data": return !address.isDataImage
    default: return false
    }
  }

  /// `data:` with a pixel format; SVG is a document and may hold script.
  package var isDataImage: Bool {
    guard scheme == "data" else { return false }
    let lowered = text.utf8.prefix(32).map(Name.lowered)
    return ["png", "jpeg", "gif", "webp"].contains {
      lowered.starts(with: "data:image/\($0);base64,".utf8)
    }
  }

  /// `#note-3`: within the same document.
  package var fragment: String? {
    text.utf8.first == UInt8(ascii: "#") ? String(text.dropFirst()) : nil
  }

  /// With its scheme where it leaves the host: `//host/path`, and the spellings browsers take for
  /// the same, are as far from us as `https://host/path`.
  package var absolute: Address? {
    let bytes = text.utf8
    let slashes = bytes.prefix { $0 == 0x2F || $0 == 0x5C }
    guard scheme == nil, slashes.count > 1 else { return self }
    return Address("https://" + String(text[slashes.endIndex...]))
  }

  private static func endsHead(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
      || byte == UInt8(ascii: "\\")
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
