import Markup
import Phrasebook

/// What every page has in common: the head, a way past the navigation, the main part, the foot.
struct PageFrame {
  let title: String
  let links: SiteLinks
  /// Beside the name in the head of the page.
  var top: [Node] = []
  /// Below everything.
  var foot: [Node] = []
  /// A stylesheet besides the one of all pages.
  var sheet: String?
  /// Whose page it is, for what the device keeps.
  var keeper: Keeper?

  struct Keeper: Sendable, Hashable {
    let name: String
    /// Whether the browser is the reader's own.
    let stays: Bool
  }

  func page(@Children _ main: () -> [Node]) -> Node {
    tag(
      "html", .init("lang", Tongue.current.rawValue),
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
        if let sheet { tag("link", .init("rel", "stylesheet"), .init("href", sheet)) }
        themes
        tag("link", .init("rel", "manifest"), .init("href", links.manifest))
        tag(
          "link", .init("rel", "icon"), .init("type", "image/svg+xml"), .init("href", links.icon))
        tag("link", .init("rel", "apple-touch-icon"), .init("href", links.touchIcon))
        tag("script", .init("src", links.script), .init("defer", true))
      }
      tag(
        "body", .init("data-reader", keeper?.name), .init("data-stays", keeper?.stays == true)
      ) {
        tag("a", .init("class", "skip"), .init("href", "#main")) { Phrases.skip }
        tag("header") {
          tag("a", .init("class", "brand"), .init("href", links.home)) { "Carrel" }
          top
        }
        tag("main", .init("id", "main")) {
          if keeper?.stays == true {
            tag("p", .init("class", "notice"), .init("id", "stale"), .init("hidden", true)) {
              Phrases.stale
            }
          }
          main()
        }
        tag("footer") {
          tag("p") { Phrases.motto }
          foot
        }
      }
    }
  }
}

extension PageFrame {
  /// What a device paints around the page.
  @Children private var themes: [Node] {
    if links.look != .dark { theme(SiteManifest.paper, links.look == .light ? nil : "light") }
    if links.look != .light { theme(SiteManifest.dark, links.look == .dark ? nil : "dark") }
  }

  private func theme(_ color: String, _ scheme: String?) -> Node {
    tag(
      "meta", .init("name", "theme-color"), .init("content", color),
      .init("media", scheme.map { "(prefers-color-scheme: \($0))" }))
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
