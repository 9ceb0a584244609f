import HTTP
import HTTPServer
import JSON
import Phrasebook

/// What a device must know to install the site like an app.
enum SiteManifest {
  static let path = Path.root / "manifest.webmanifest"

  /// The light paper and the accent of the stylesheet.
  static let (paper, dark, accent) = ("#faf8f4", "#171614", "#8a3324")

  static func answer(_ request: Request) -> Response {
    let home = request.link(WebRoutes.start.print())
    let manifest: JSONValue = [
      "name": .string(said("Carrel: one shelf for every library card")), "short_name": "Carrel",
      "lang": .string(Tongue.current.rawValue),
      "id": .string(home), "start_url": .string(home), "scope": .string(home),
      "display": "standalone", "background_color": .string(paper),
      "theme_color": .string(paper), "categories": ["books", "education"],
      "icons": .array(icons(request)),
      "shortcuts": [
        [
          "name": .string(Phrases.myBooks),
          "url": .string(request.link(LobbyPaths.myBooks.print())),
        ],
        ["name": .string(Phrases.search), "url": .string(request.link(LobbyPaths.search.print()))],
      ],
    ]
    var response = Response.text(manifest.text(), type)
    response.headers.set("Cache-Control", "no-cache")
    response.headers.set("Vary", "Cookie, Accept-Language")
    return response
  }

  private static let type = MediaType("application", "manifest+json")

  private static func icons(_ request: Request) -> [JSONValue] {
    func icon(_ asset: SiteAsset, _ sizes: String, _ type: String, _ purpose: String) -> JSONValue {
      [
        "src": .string(request.link(asset.path.print())), "sizes": .string(sizes),
        "type": .string(type), "purpose": .string(purpose),
      ]
    }
    return [
      icon(SiteIcon.small, "192x192", "image/png", "any"),
      icon(SiteIcon.large, "512x512", "image/png", "any"),
      icon(SiteIcon.large, "512x512", "image/png", "maskable"),
      icon(SiteIcon.drawing, "any", "image/svg+xml", "any"),
    ]
  }
}
