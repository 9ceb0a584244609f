import Markup

/// What every page has in common: the head, a way past the navigation, the main part, the foot.
struct PageFrame {
  let title: String
  let language: String
  /// The site's own start, with its base path.
  let home: String
  let stylesheet: String
  /// Beside the name in the head of the page.
  var top: [Node] = []

  func page(@Children _ main: () -> [Node]) -> Node {
    tag("html", .init("lang", language)) {
      tag("head") {
        tag("meta", .init("charset", "utf-8"))
        tag(
          "meta", .init("name", "viewport"),
          .init("content", "width=device-width, initial-scale=1, viewport-fit=cover"))
        tag("meta", .init("name", "color-scheme"), .init("content", "light dark"))
        tag("title") { title }
        tag("link", .init("rel", "stylesheet"), .init("href", stylesheet))
      }
      tag("body") {
        tag("a", .init("class", "skip"), .init("href", "#main")) { "Skip to the content" }
        tag("header") {
          tag("a", .init("class", "brand"), .init("href", home)) { "Carrel" }
          top
        }
        tag("main", attributes: [.init("id", "main")], children: main())
        tag("footer") { tag("p") { "One shelf for every library card." } }
      }
    }
  }
}
