import HTTP
import Images

/// The sign of the site: a book with a ribbon, with room around it so that a device may cut it round.
enum SiteIcon {
  private static let ground = Color(0x8a3324)
  private static let page = Color(0xfaf8f4)
  private static let spine = Color(0xe0cfc6)

  static let drawing = SiteAsset(
    "icon", "svg", .svg,
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><path fill="#8a3324" \
    d="M0 0h512v512H0z"/><path fill="#faf8f4" d="M152 116h172a36 36 0 0 1 36 36v208a36 36 0 0 1-36 \
    36H152z"/><path fill="#e0cfc6" d="M152 116h30v280h-30z"/><path fill="#8a3324" \
    d="M276 116h40v118l-20-20-20 20z"/></svg>
    """)

  static let touch = SiteAsset("touch", "png", .png, png(180))
  static let small = SiteAsset("icon-192", "png", .png, png(192))
  static let large = SiteAsset("icon-512", "png", .png, png(512))

  /// Drawn twice as large and made smaller, so that its curves are smooth.
  private static func png(_ side: Int) -> [UInt8] {
    do throws(ImageFault) {
      let sheet = try Picture(width: 1024, height: 1024, ground)
      sheet.fill(x: 304, y: 232, width: 344, height: 560, page)
      sheet.fill(x: 648, y: 304, width: 72, height: 416, page)
      for y in [304, 720] { sheet.disc(x: 648, y: y, diameter: 144, page) }
      sheet.fill(x: 304, y: 232, width: 60, height: 560, spine)
      sheet.fill(x: 552, y: 232, width: 80, height: 236, ground)
      sheet.diamond(x: 592, y: 468, width: 80, height: 80, page)
      return try sheet.scaled(toFit: side, side).png()
    } catch {
      // A device that gets no picture shows the first letter.
      return []
    }
  }
}
