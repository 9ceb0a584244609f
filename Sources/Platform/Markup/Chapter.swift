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
        "aria-labelledby": .references, "aria-describedby": .references, "style": .style,
      ],
      dropped: ["map"])
    // Nothing runs, so what is there for that case is shown, and so is what a thing inside the page
    // has in its place.
    list.dropped.subtract(["noscript", "object", "canvas"])
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
    rules["picture"] = Rule("picture")
    for (name, more) in [
      ("audio", Rule("audio", ["src": .image])),
      (
        "video",
        Rule("video", ["src": .image, "poster": .image, "width": .number, "height": .number])
      ),
    ] {
      rules[name] = more
      // Nothing plays by itself.
      rules[name]?.fixed = [Attribute("controls", "controls"), Attribute("preload", "none")]
    }
    var source = Rule("source", ["src": .image, "type": .text])
    source.needed = "src"
    rules["source"] = source
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
      "gradientTransform": .drawing, "clip-path": .drawing, "clip-rule": .drawing,
      "mask": .drawing, "marker-start": .drawing, "marker-mid": .drawing, "marker-end": .drawing,
      "stroke-miterlimit": .drawing, "stroke-dashoffset": .drawing, "color": .drawing,
      "visibility": .drawing, "display": .drawing, "letter-spacing": .drawing,
      "word-spacing": .drawing, "writing-mode": .drawing, "dominant-baseline": .drawing,
      "alignment-baseline": .drawing, "baseline-shift": .drawing, "rotate": .drawing,
      "textLength": .drawing, "lengthAdjust": .drawing, "startOffset": .drawing, "fx": .drawing,
      "fy": .drawing, "spreadMethod": .drawing, "clipPathUnits": .drawing, "maskUnits": .drawing,
      "maskContentUnits": .drawing, "patternUnits": .drawing, "patternContentUnits": .drawing,
      "patternTransform": .drawing, "markerWidth": .drawing, "markerHeight": .drawing,
      "markerUnits": .drawing, "orient": .drawing, "refX": .drawing, "refY": .drawing,
      "overflow": .drawing, "vector-effect": .drawing,
    ]
    var rules: [String: Rule] = [:]
    for name: Name in [
      "svg", "g", "defs", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
      "text", "tspan", "linearGradient", "radialGradient", "stop", "desc", "clipPath", "mask",
      "pattern", "symbol", "marker", "switch",
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
    var use = Rule(
      "use",
      [
        "href": .part, "x": .drawing, "y": .drawing, "width": .drawing, "height": .drawing,
        "transform": .drawing, "fill": .drawing, "stroke": .drawing,
      ])
    use.needed = "href"
    rules["use"] = use
    rules["a"] = Rule("a", ["href": .link, "transform": .drawing])
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
