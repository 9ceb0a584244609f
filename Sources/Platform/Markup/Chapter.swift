extension AllowList {
  /// The text of a book: everything that makes it readable (structure, tables, figures, ruby,
  /// drawings, formulas), nothing that acts. Where links lead and images come from is set by the
  /// reader through `link` and `image`; without that, links inside the book stay as they are.
  package static let chapter: AllowList = {
    var list = AllowList(
      html: chapterElements, svg: chapterDrawings, math: chapterFormulas,
      common: [
        "id": .identifier, "class": .classes, "title": .text, "lang": .language,
        "xml:lang": .language, "dir": .choice(["ltr", "rtl", "auto"]), "role": .drawing,
        "epub:type": .drawing, "aria-label": .text, "aria-hidden": .choice(["true", "false"]),
        "aria-labelledby": .references, "aria-describedby": .references,
      ],
      dropped: ["audio", "video", "form", "map"])
    list.schemes = ["http", "https", "mailto"]
    list.allowsRelative = true
    list.allowsDataImages = true
    list.identifiers = .kept
    list.classes = .kept
    list.maximumDepth = 200
    list.maximumNodes = 200_000
    list.maximumText = 16 << 20
    list.link = { address in
      address.scheme == nil
        ? Link(address.text) : Link(address.text, rel: "noopener noreferrer", target: "_blank")
    }
    return list
  }()

  private static let chapterElements: [String: Rule] = {
    var rules = plain(
      "abbr", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "br",
      "caption", "center", "cite", "code", "dd", "del", "details", "dfn", "div", "dl", "dt", "em",
      "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
      "hr", "i", "ins", "kbd", "main", "mark", "nav", "p", "pre", "q", "rb", "rp", "rt", "rtc",
      "ruby", "s", "samp", "section", "small", "span", "strike", "strong", "sub", "summary", "sup",
      "tbody", "tfoot", "thead", "tr", "tt", "u", "ul", "var", "wbr")
    rules["a"] = Rule("a", ["href": .link, "name": .identifier])
    rules["ol"] = Rule(
      "ol",
      [
        "start": .number, "type": .choice(["1", "a", "A", "i", "I"]),
        "reversed": .choice(["", "reversed"]),
      ])
    rules["li"] = Rule("li", ["value": .number])
    rules["time"] = Rule("time", ["datetime": .text])
    rules["table"] = Rule("table", ["border": .number, "summary": .text])
    rules["colgroup"] = Rule("colgroup", ["span": .number])
    rules["col"] = Rule("col", ["span": .number])
    for name in ["td", "th"] {
      rules[name] = Rule(
        name == "td" ? "td" : "th",
        [
          "colspan": .number, "rowspan": .number, "headers": .references,
          "scope": .choice(["row", "col", "rowgroup", "colgroup"]),
          "align": .choice(["left", "right", "center", "justify"]),
          "valign": .choice(["top", "middle", "bottom", "baseline"]),
        ])
    }
    var image = Rule("img", ["src": .image, "alt": .text, "width": .number, "height": .number])
    image.needed = "src"
    rules["img"] = image
    return rules
  }()

  private static let chapterDrawings: [String: Rule] = {
    let shape: KeyValuePairs<Name, ValueRule> = [
      "x": .drawing, "y": .drawing, "x1": .drawing, "y1": .drawing, "x2": .drawing,
      "y2": .drawing, "cx": .drawing, "cy": .drawing, "r": .drawing, "rx": .drawing,
      "ry": .drawing, "dx": .drawing, "dy": .drawing, "d": .drawing, "points": .drawing,
      "width": .drawing, "height": .drawing, "viewBox": .drawing,
      "preserveAspectRatio": .drawing, "transform": .drawing, "fill": .drawing,
      "fill-opacity": .drawing, "fill-rule": .drawing, "stroke": .drawing,
      "stroke-width": .drawing, "stroke-linecap": .drawing, "stroke-linejoin": .drawing,
      "stroke-dasharray": .drawing, "stroke-opacity": .drawing, "opacity": .drawing,
      "font-size": .drawing, "font-family": .drawing, "font-weight": .drawing,
      "font-style": .drawing, "text-anchor": .drawing, "offset": .drawing,
      "stop-color": .drawing, "stop-opacity": .drawing, "gradientUnits": .drawing,
      "gradientTransform": .drawing,
    ]
    var rules: [String: Rule] = [:]
    for name: Name in [
      "svg", "g", "defs", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
      "text", "tspan", "linearGradient", "radialGradient", "stop", "desc",
    ] {
      rules[name.description.lowercased()] = Rule(name, shape)
    }
    rules["svg"]?.fixed = [Attribute("xmlns", Namespaces.svg)]
    rules["desc"]?.isLeaf = true
    var image = Rule(
      "image",
      [
        "href": .image, "x": .drawing, "y": .drawing, "width": .drawing, "height": .drawing,
        "preserveAspectRatio": .drawing, "transform": .drawing,
      ])
    image.needed = "href"
    rules["image"] = image
    return rules
  }()

  private static let chapterFormulas: [String: Rule] = {
    let shared: KeyValuePairs<Name, ValueRule> = [
      "display": .choice(["block", "inline"]), "mathvariant": .drawing, "mathsize": .drawing,
      "displaystyle": .choice(["true", "false"]), "scriptlevel": .drawing, "stretchy": .drawing,
      "fence": .drawing, "separator": .drawing, "accent": .drawing, "accentunder": .drawing,
      "form": .drawing, "largeop": .drawing, "lspace": .drawing, "rspace": .drawing,
      "width": .drawing, "height": .drawing, "depth": .drawing, "linethickness": .drawing,
      "columnalign": .drawing, "rowalign": .drawing, "columnspacing": .drawing,
      "rowspacing": .drawing, "columnspan": .drawing, "rowspan": .drawing, "notation": .drawing,
    ]
    var rules: [String: Rule] = [:]
    for name: Name in [
      "math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot",
      "mstyle", "mpadded", "mphantom", "merror", "menclose", "msub", "msup", "msubsup", "munder",
      "mover", "munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd",
      "semantics",
    ] {
      rules[name.description.lowercased()] = Rule(name, shared)
    }
    rules["math"]?.fixed = [Attribute("xmlns", Namespaces.mathML)]
    for name in ["mi", "mn", "mo", "ms", "mtext"] { rules[name]?.isLeaf = true }
    return rules
  }()
}
