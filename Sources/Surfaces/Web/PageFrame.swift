import Markup

/// What every page has in common: the head, a way past the navigation, the main part, the foot.
struct PageFrame {
  let title: String
  let language: String
  let links: SiteLinks
  /// Beside the name in the head of the page.
  var top: [Node] = []
  /// Below everything.
  var foot: [Node] = []

  func page(@Children _ main: () -> [Node]) -> Node {
    tag(
      "html", .init("lang", language),
      .init("data-look", links.look == .device ? nil : links.look.rawValue)
    ) {
      tag("head") {
        tag("meta", .init("charset", "utf-8"))
        tag(
          "meta", .init("name", "viewport"),
          .init("content", "width=device-width, initial-scale=1, viewport-fit=cover"))
        tag("meta", .init("name", "color-scheme"), .init("content", links.look.schemes))
        tag("title") { title }
        tag("link", .init("rel", "stylesheet"), .init("href", links.stylesheet))
        tag("script", .init("src", links.script), .init("defer", true))
      }
      tag("body") {
        tag("a", .init("class", "skip"), .init("href", "#main")) { Phrases.skip }
        tag("header") {
          tag("a", .init("class", "brand"), .init("href", links.home)) { "Carrel" }
          top
        }
        tag("main", attributes: [.init("id", "main")], children: main())
        tag("footer") {
          tag("p") { Phrases.motto }
          foot
        }
      }
    }
  }
}

extension Look {
  /// What the browser may draw its own parts in.
  var schemes: String {
    switch self {
    case .device: "light dark"
    case .light: "light"
    case .dark: "dark"
    }
  }
}
