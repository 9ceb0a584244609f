/// What of somebody else's style may be used on our pages. Like an `AllowList`, it names what stays:
/// properties, functions, rules; everything else goes, and nothing is ever copied as it stood.
package struct StyleList: Sendable {
  /// Where what an address names comes from; nil where it may not come.
  package var picture: @Sendable (String) -> String?
  package var font: @Sendable (String) -> String?
  package var sheet: @Sendable (String) -> String?
  package var maximumRules = 20_000
  /// In bytes. The largest sheets of books have some hundred thousand; a larger one is left out.
  package static let maximumText = 1 << 20
  /// Each address is looked up in the book and may become longer: those after these many are left out.
  static let maximumAddresses = 2000

  /// Without a word about addresses nothing is loaded.
  package init(
    picture: @escaping @Sendable (String) -> String? = { _ in nil },
    font: @escaping @Sendable (String) -> String? = { _ in nil },
    sheet: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    (self.picture, self.font, self.sheet) = (picture, font, sheet)
  }

  /// A sheet, rebuilt; nothing of one that is too large.
  package func rebuild(sheet text: String) -> String {
    guard text.utf8.count <= Self.maximumText else { return "" }
    var rebuilding = StyleRebuilding(StyleReading.tokens(text), by: self)
    return rebuilding.sheet()
  }

  /// The declarations of one element; nil where nothing is left.
  package func rebuild(declarations text: String) -> String? {
    guard text.utf8.count <= Self.maximumText else { return nil }
    var rebuilding = StyleRebuilding(StyleReading.tokens(text), by: self)
    let kept = rebuilding.declarations()
    return kept.isEmpty ? nil : kept
  }

  static let functions: Set<String> = [
    "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "calc", "min", "max",
    "clamp", "counter", "counters", "attr", "linear-gradient", "radial-gradient",
    "conic-gradient", "repeating-linear-gradient", "repeating-radial-gradient", "translate",
    "translatex", "translatey", "rotate", "scale", "scalex", "scaley", "skew", "skewx", "skewy",
    "matrix", "rect", "inset", "circle", "ellipse", "polygon", "minmax", "repeat", "fit-content",
    "format", "local",
  ]

  static let selectorFunctions: Set<String> = [
    "not", "is", "where", "nth-child", "nth-of-type", "nth-last-child", "nth-last-of-type", "lang",
    "dir", "has",
  ]

  /// The namespaces that the pages of books have.
  static let namespaces: Set<String> = [
    "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.idpf.org/2007/ops",
    "http://www.w3.org/1998/Math/MathML",
  ]

  static func allows(_ property: String) -> Bool {
    if properties.contains(property) { return true }
    return families.contains { property.hasPrefix($0) }
  }

  private static let families = [
    "font-", "text-", "margin-", "padding-", "border-", "background-", "list-style-", "column-",
    "page-break-", "break-", "ruby-", "outline-", "flex-", "grid-", "align-", "justify-",
    "counter-", "stroke-", "fill-", "marker-", "hyphenate-", "inset-", "max-", "min-",
  ]

  private static let properties: Set<String> = [
    "font", "color", "background", "margin", "padding", "border", "outline", "display", "float",
    "clear", "width", "height", "inline-size", "block-size", "line-height", "letter-spacing",
    "word-spacing", "word-break", "word-wrap", "overflow-wrap", "white-space", "vertical-align",
    "visibility", "list-style", "table-layout", "caption-side", "empty-cells", "orphans",
    "widows", "columns", "direction", "unicode-bidi", "writing-mode", "hyphens", "quotes",
    "content", "opacity", "overflow", "overflow-x", "overflow-y", "top", "right", "bottom", "left",
    "z-index", "transform", "transform-origin", "flex", "grid", "gap", "row-gap", "order",
    "box-shadow", "box-sizing", "clip", "clip-path", "object-fit", "object-position",
    "shape-outside", "shape-margin", "aspect-ratio", "position", "line-break", "tab-size",
    "initial-letter", "hanging-punctuation", "fill", "stroke", "stop-color", "stop-opacity",
    "dominant-baseline", "baseline-shift", "text-anchor", "src", "unicode-range", "size-adjust",
    "mix-blend-mode", "place-items", "place-content", "isolation", "image-rendering", "inset",
    "math-style", "math-depth", "speak", "transform-box",
  ]

  /// What older books call things.
  static func modern(_ property: String) -> String {
    for prefix in ["-epub-", "-webkit-", "-moz-", "-ms-", "-o-"] where property.hasPrefix(prefix) {
      let rest = String(property.dropFirst(prefix.count))
      switch rest {
      case "text-combine", "text-combine-horizontal": return "text-combine-upright"
      case "binding", "appearance", "user-select": return property
      default: return rest
      }
    }
    return property
  }
}
