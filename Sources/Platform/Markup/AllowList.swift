/// What of somebody else's markup may appear on our pages. Everything else goes: elements it does
/// not know lose their tags and keep their content, those in `dropped` go with their content, and
/// no foreign name, attribute or address is ever copied, only matched against what stands here.
package struct AllowList: Sendable {
  /// Which rules of a page a name belongs to. HTML, SVG and MathML share names and not meanings.
  package enum Realm: Sendable, Hashable { case html, svg, math }

  /// What becomes of one element.
  package struct Rule: Sendable {
    package let name: Name
    package let attributes: [String: (name: Name, value: ValueRule)]
    /// Written always, whatever the source says.
    package var fixed: [Attribute] = []
    /// Without this attribute the element is unwrapped.
    package var needed: String?
    /// Takes text only: elements inside are unwrapped.
    package var isLeaf = false
    /// Left out when nothing is in it.
    package var isPruned = false

    package init(_ name: Name, _ attributes: KeyValuePairs<Name, ValueRule> = [:]) {
      self.name = name
      self.attributes = Dictionary(
        attributes.map { ($0.key.description.lowercased(), ($0.key, $0.value)) },
        uniquingKeysWith: { $1 })
    }
  }

  /// What an attribute may hold.
  package enum ValueRule: Sendable {
    case text
    /// An address that is followed; goes through `schemes` and the `link` hook.
    case link
    /// An address that is loaded; goes through `imageSchemes` and the `image` hook.
    case image
    case identifier
    /// Identifiers of elements on the same page, by white space.
    case references
    case classes
    case choice(Set<String>)
    /// Digits, with a sign, a point or a per cent mark.
    case number
    case language
    /// Drawing and formula values: no quotes, no addresses but of parts of the same drawing.
    case drawing
    /// Declarations; goes through the `style` hook.
    case style
    /// An address of a part of the same drawing.
    case part
  }

  /// What becomes of names the source gave to its own parts.
  package enum Naming: Sendable {
    case dropped
    case kept
    /// Kept apart from the page's own names; `#fragment` links follow.
    case prefixed(String)
  }

  /// An anchor as it will be written.
  package struct Link: Sendable {
    package var href: String
    package var rel: String?
    package var target: String?

    package init(_ href: String, rel: String? = nil, target: String? = nil) {
      (self.href, self.rel, self.target) = (href, rel, target)
    }
  }

  package var elements: [Realm: [String: Rule]]
  package var common: Rule
  /// Element names that go with everything in them, in lower case, in any realm.
  package var dropped: Set<String>
  /// In lower case; relative addresses are a matter of their own.
  package var schemes: Set<String>
  package var imageSchemes: Set<String>
  package var allowsRelative: Bool
  package var allowsDataImages: Bool
  package var identifiers: Naming
  package var classes: Naming
  package var maximumDepth: Int
  package var maximumNodes: Int
  package var maximumText: Int
  /// Decides where an anchor leads; nil takes the anchor away and leaves its text. The result is
  /// still refused when it would run script.
  package var link: @Sendable (Address) -> Link?
  /// Decides where an image comes from; nil takes the image away and leaves its `alt` text.
  package var image: @Sendable (Address) -> String?
  /// Rebuilds declarations; nil takes them away.
  package var style: @Sendable (String) -> String?
  /// An element to be shown in place of one with all that is in it; nil for itself. Asked where a page
  /// is transcribed.
  package var stand: @Sendable (Element) -> Element?

  package init(
    html: [String: Rule], svg: [String: Rule] = [:], math: [String: Rule] = [:],
    common: KeyValuePairs<Name, ValueRule> = [:], dropped: Set<String>
  ) {
    elements = [.html: html, .svg: svg, .math: math]
    self.common = Rule("any", common)
    self.dropped = dropped.union(AllowList.alwaysDropped)
    schemes = ["http", "https"]
    imageSchemes = ["http", "https"]
    allowsRelative = false
    allowsDataImages = false
    identifiers = .dropped
    classes = .dropped
    maximumDepth = 64
    maximumNodes = 10_000
    maximumText = 1 << 20
    link = { Link($0.text, rel: "nofollow noopener noreferrer") }
    image = { $0.text }
    style = { _ in nil }
    stand = { _ in nil }
  }

  /// Content that is no text for a reader, or that browsers and parsers disagree about.
  package static let alwaysDropped: Set<String> = [
    "annotation-xml", "applet", "base", "bgsound", "button", "canvas", "datalist", "embed",
    "foreignobject", "frame", "frameset", "head", "iframe", "input", "link", "malignmark", "meta",
    "mglyph", "noembed", "noframes", "noscript", "object", "option", "param", "plaintext",
    "portal", "script", "select", "set", "animate", "animatetransform", "animatemotion", "slot",
    "style", "template", "textarea", "title", "xmp",
  ]
}

extension AllowList {
  /// Rules for elements that keep their own name, from `a b c`.
  static func plain(_ names: Name...) -> [String: Rule] {
    Dictionary(uniqueKeysWithValues: names.map { ($0.description.lowercased(), Rule($0)) })
  }
}
