import BuiltIn
import HTTP

/// The sign of the site: a book with a ribbon, with room around it so that a device may cut it round.
enum SiteIcon {
  static let drawing = SiteAsset(
    "icon", "svg", .svg,
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><path fill="#8a3324" \
    d="M0 0h512v512H0z"/><path fill="#faf8f4" d="M152 116h172a36 36 0 0 1 36 36v208a36 36 0 0 1-36 \
    36H152z"/><path fill="#e0cfc6" d="M152 116h30v280h-30z"/><path fill="#8a3324" \
    d="M276 116h40v118l-20-20-20 20z"/></svg>
    """)

  static let touch = SiteAsset("touch", "png", .png, BuiltIn.icon180)
  static let small = SiteAsset("icon-192", "png", .png, BuiltIn.icon192)
  static let large = SiteAsset("icon-512", "png", .png, BuiltIn.icon512)
}
