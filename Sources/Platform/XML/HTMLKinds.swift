import Markup

// The lists behind `HTMLTree` (HTML Living Standard §13.1.2 and §13.2.6.5).
extension HTMLTree {
  static let voids: Set<String> = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
  ]

  /// Their content is no markup.
  static let raws: Set<String> = [
    "script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext",
  ]

  static let belongsToHead: Set<String> = [
    "base", "basefont", "bgsound", "head", "html", "link", "meta", "noframes", "noscript", "script",
    "style", "template", "title",
  ]

  /// Where a drawing or formula holds HTML.
  static func integrates(_ local: String, _ namespace: String?) -> Bool {
    switch namespace {
    case Namespaces.svg: ["foreignobject", "desc", "title"].contains(local)
    case Namespaces.mathML: ["mi", "mo", "mn", "ms", "mtext"].contains(local)
    default: false
    }
  }

  /// Elements no drawing has: whoever writes one has forgotten to end the drawing.
  static func leavesForeign(_ tag: HTMLTag) -> Bool {
    if tag.name == "font" {
      return tag.attributes.contains { ["color", "face", "size"].contains($0.name) }
    }
    return leavers.contains(tag.name)
  }

  private static let leavers: Set<String> = [
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
    "embed", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu",
    "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub",
    "sup", "table", "tt", "u", "ul", "var",
  ]
}
