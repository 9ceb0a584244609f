/// How the pages want to be laid out, for the book or for one item of its spine.
package struct Rendition: Sendable, Hashable {
  package enum Layout: String, Sendable {
    case reflowable
    case prePaginated = "pre-paginated"
    case roll
  }
  package enum Orientation: String, Sendable { case auto, landscape, portrait }
  package enum Spread: String, Sendable { case auto, none, landscape, both, portrait }
  package enum Flow: String, Sendable {
    case auto, paginated
    case continuous = "scrolled-continuous"
    case documents = "scrolled-doc"
  }
  package enum PageSpread: String, Sendable { case left, right, center }

  package var layout: Layout?
  package var orientation: Orientation?
  package var spread: Spread?
  package var flow: Flow?
  package var pageSpread: PageSpread?

  package init() {}

  /// The book's own, from a property and its value. Values nobody knows are as if not there.
  mutating func take(_ property: String, _ value: String) {
    switch property {
    case "rendition:layout": layout = layout ?? Layout(rawValue: value)
    case "rendition:orientation": orientation = orientation ?? Orientation(rawValue: value)
    case "rendition:spread": spread = spread ?? Spread(rawValue: value)
    case "rendition:flow": flow = flow ?? Flow(rawValue: value)
    default: break
    }
  }

  /// Of several that say different things the first counts.
  init(properties: [String]) {
    for property in properties {
      for (prefix, name) in Self.overrides where property.hasPrefix(prefix) {
        take(name, String(property.dropFirst(prefix.count)))
      }
      for prefix in ["rendition:page-spread-", "page-spread-"] where property.hasPrefix(prefix) {
        pageSpread = pageSpread ?? PageSpread(rawValue: String(property.dropFirst(prefix.count)))
      }
    }
  }

  private static let overrides = [
    ("rendition:layout-", "rendition:layout"),
    ("rendition:orientation-", "rendition:orientation"),
    ("rendition:spread-", "rendition:spread"), ("rendition:flow-", "rendition:flow"),
  ]
}
