// What HTML itself attaches to a name (HTML Living Standard §13.1.2 and §13.3), asked of every
// element and attribute written, hence over packed names instead of strings.
extension Name {
  /// Has no content and no end tag.
  var isVoid: Bool { key != 0 && Name.voids.contains(key) }

  /// A parser reads the content as raw text, so no escape can make foreign text safe in it.
  var isRawText: Bool {
    key == 0 ? matches("plaintext") : Name.raws.contains(key)
  }

  var losesLineBreak: Bool { key != 0 && Name.lineBreakLosers.contains(key) }

  /// Runs script (`onclick`) or holds a document of its own (`srcdoc`). No other attribute of
  /// HTML starts with `on`.
  var isHandler: Bool {
    if key == 0 { return literal.withUTF8Buffer { unsafe Name.startsLikeHandler($0) } }
    return key & 0xFFFF == Name.on || key == Name.srcdoc
  }

  /// Holds an address that a browser may follow.
  var isAddress: Bool {
    if key == 0 {
      return matches("formaction") || matches("background") || matches("xlink:href")
    }
    return Name.addresses.contains(key)
  }

  private func matches(_ lowercase: StaticString) -> Bool {
    literal.withUTF8Buffer { mine in
      lowercase.withUTF8Buffer { other in
        unsafe mine.lazy.map(Name.lowered).elementsEqual(other)
      }
    }
  }

  private static func startsLikeHandler(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe bytes.prefix(2).lazy.map(lowered).elementsEqual("on".utf8)
  }

  private static func keys(_ names: Name...) -> [UInt64] { names.map(\.key) }

  private static let voids = keys(
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr")
  private static let raws = keys("script", "style", "xmp", "iframe", "noembed", "noframes")
  private static let lineBreakLosers = keys("pre", "textarea", "listing")
  private static let addresses = keys(
    "href", "src", "action", "data", "poster", "cite", "longdesc", "manifest", "codebase",
    "classid", "profile", "usemap", "ping", "srcset", "lowsrc", "dynsrc")
  private static let srcdoc = ("srcdoc" as Name).key
  private static let on = ("on" as Name).key
}
