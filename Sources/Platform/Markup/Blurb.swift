extension AllowList {
  /// A publisher's description of a book: running text with a little emphasis, and nothing that
  /// could imitate our own pages. Headings and layout become paragraphs.
  package static let blurb: AllowList = {
    var rules = plain(
      "br", "b", "i", "em", "strong", "u", "s", "small", "sub", "sup", "cite", "q", "abbr", "ul",
      "ol", "li", "dl", "dt", "dd", "blockquote", "hr", "code", "pre")
    var paragraph = Rule("p")
    paragraph.isPruned = true
    for name in ["p", "div", "center", "h1", "h2", "h3", "h4", "h5", "h6"] {
      rules[name] = paragraph
    }
    var anchor = Rule("a", ["href": .link])
    anchor.needed = "href"
    rules["a"] = anchor
    rules["abbr"] = Rule("abbr", ["title": .text])
    rules["del"] = Rule("s")
    rules["strike"] = Rule("s")
    for name in ["b", "i", "em", "strong", "u", "s", "ul", "ol", "li", "blockquote"] {
      rules[name]?.isPruned = true
    }

    var list = AllowList(
      html: rules, common: ["lang": .language, "dir": .choice(["ltr", "rtl", "auto"])],
      dropped: ["audio", "video", "svg", "math", "form", "map"])
    list.maximumDepth = 24
    list.maximumNodes = 2_000
    list.maximumText = 64 << 10
    return list
  }()
}
