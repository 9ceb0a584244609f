package import Images
package import Pictures

/// Draws a cover for a book that has none: title and author on a cloth binding, whose color is the
/// work's own and the same each time. Scripts that need shaping, or that no font here has, are not
/// written at all: a wrong title is worse than an ornament.
package struct PlaceholderArt: Sendable {
  private let title: Typeface
  private let author: Typeface

  package init() throws(ImageFault) {
    title = try Typeface(firstOf: Self.paths(["LiberationSerif-Bold", "DejaVuSerif-Bold"]))
    author = try Typeface(firstOf: Self.paths(["LiberationSans-Regular", "DejaVuSans"]))
  }

  /// Where Debian keeps them, and where others do.
  private static func paths(_ names: [String]) -> [String] {
    let folders = [
      "/usr/share/fonts/truetype/liberation", "/usr/share/fonts/truetype/liberation2",
      "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/liberation-serif",
      "/usr/share/fonts/dejavu",
    ]
    return names.flatMap { name in folders.map { "\($0)/\(name).ttf" } }
  }

  package func draw(_ book: PlaceholderCover) throws(ImageFault) -> Picture {
    let (width, height) = (book.size.width, book.size.height)
    let binding = Binding(of: book.work)
    let sheet = try Picture(width: width, height: height, binding.cloth)
    // A spine to the left and a double line within, all in shares of the width.
    let unit = Double(width) / 100
    func length(_ share: Double) -> Int { max(1, Int((share * unit).rounded())) }
    sheet.fill(x: 0, y: 0, width: length(4), height: height, binding.spine)
    sheet.fill(x: length(4), y: 0, width: length(0.5), height: height, binding.edge)
    let (left, top) = (length(11), length(7))
    let (wide, high) = (width - left - length(7), height - 2 * top)
    sheet.frame(x: left, y: top, width: wide, height: high, thickness: length(0.9), binding.foil)
    let gap = length(2)
    sheet.frame(
      x: left + gap, y: top + gap, width: wide - 2 * gap, height: high - 2 * gap,
      thickness: max(1, length(0.3)), binding.foil)

    let inner = Area(
      x: left + length(6.5), width: wide - 2 * length(6.5), top: top + length(9),
      bottom: height - top - length(9))
    let names = book.authors.compactMap(Script.writable)
    let foot = write(names, at: inner, unit, binding, on: sheet)
    guard let title = Script.writable(book.title) else {
      ornament(x: inner.middle, y: height * 2 / 5, length(22), binding, on: sheet)
      return sheet
    }
    write(
      title, in: Area(x: inner.x, width: inner.width, top: inner.top, bottom: foot), unit,
      binding, on: sheet)
    return sheet
  }

  private struct Area {
    let x: Int
    let width: Int
    let top: Int
    let bottom: Int

    var middle: Int { x + width / 2 }
  }

  /// At the foot; tells where the room above it ends.
  private func write(
    _ names: [String], at area: Area, _ unit: Double, _ binding: Binding,
    on sheet: borrowing Picture
  ) -> Int {
    guard !names.isEmpty else { return area.bottom }
    let text = names.count > 2 ? "\(names[0]) and others" : names.joined(separator: " and ")
    // What is small anyway would be too small to read.
    let size = (unit < 4 ? 5.4 : 4.6) * unit
    let lines = Paragraph(text, author, width: area.width, size: size, most: 2).lines
    let leading = size * 1.75
    for (place, line) in lines.enumerated() {
      let baseline = Double(area.bottom) - leading * Double(lines.count - 1 - place)
      center(line, author, size, area, Int(baseline), binding.ink, on: sheet)
    }
    return area.bottom - Int(leading * Double(lines.count) + 5 * unit)
  }

  /// In the upper part, as large as it fits, with a mark below.
  private func write(
    _ text: String, in area: Area, _ unit: Double, _ binding: Binding, on sheet: borrowing Picture
  ) {
    let room = Double(area.bottom - area.top) - 14 * unit
    let set = Paragraph.largest(
      text, title, width: area.width, height: room, from: 12.5 * unit, to: 5 * unit)
    let leading = set.size * 1.62
    let height = leading * Double(set.lines.count)
    // A little above the middle, where the eye looks for it.
    let start = Double(area.top) + max(0, (room - height) * 0.36) + set.size * 1.25
    for (place, line) in set.lines.enumerated() {
      let baseline = Int(start + leading * Double(place))
      center(line, title, set.size, area, baseline, binding.foil, on: sheet)
    }
    let mark = Int(start + leading * Double(set.lines.count - 1) + 8 * unit)
    let (wide, thick) = (Int(9 * unit), max(1, Int(0.5 * unit)))
    sheet.fill(
      x: area.middle - wide - Int(2.5 * unit), y: mark - thick / 2, width: wide, height: thick,
      binding.foil)
    sheet.fill(
      x: area.middle + Int(2.5 * unit), y: mark - thick / 2, width: wide, height: thick,
      binding.foil)
    sheet.diamond(
      x: area.middle, y: mark, width: max(3, Int(2.4 * unit)), height: max(3, Int(2.4 * unit)),
      binding.foil)
  }

  private func center(
    _ line: String, _ face: Typeface, _ size: Double, _ area: Area, _ baseline: Int, _ color: Color,
    on sheet: borrowing Picture
  ) {
    let start = area.middle - face.width(of: line, size: size) / 2
    face.draw(line, size: size, x: start, y: baseline, color, on: sheet)
  }

  /// Diamonds within diamonds.
  private func ornament(
    x: Int, y: Int, _ size: Int, _ binding: Binding, on sheet: borrowing Picture
  ) {
    for (share, color) in [
      (1.0, binding.foil), (0.9, binding.cloth), (0.62, binding.foil), (0.54, binding.cloth),
      (0.26, binding.foil),
    ] {
      let length = Int(Double(size) * share)
      sheet.diamond(x: x, y: y, width: length * 2, height: length * 2, color)
    }
    for way in [-1, 1] {
      sheet.diamond(
        x: x, y: y + way * size * 14 / 10, width: size / 4, height: size / 4, binding.foil)
    }
  }
}

/// The colors of one book.
private struct Binding {
  let cloth: Color
  let spine: Color
  let edge: Color
  let foil: Color
  let ink: Color

  init(of work: String) {
    // FNV-1a: the same on every machine and in every run.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in work.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash ^= hash >> 32
    cloth = Self.cloths[Int(hash % UInt64(Self.cloths.count))]
    foil = Self.foils[Int(hash / 97 % UInt64(Self.foils.count))]
    spine = cloth.mixed(0.28, with: Color(0))
    edge = cloth.mixed(0.14, with: .white)
    ink = foil.mixed(0.25, with: .white)
  }

  /// Dark enough for every foil to be read on.
  private static let cloths = [
    0x1F3A5F, 0x5B1F2A, 0x22453A, 0x4A2C4F, 0x6B3E1F, 0x2B2D42, 0x0F4C5C, 0x3D3B1E, 0x7A2E2E,
    0x33415C, 0x2F3E2C, 0x512B52, 0x0B3C49, 0x5A3A22, 0x402A2A, 0x274046,
  ].map { Color($0) }

  private static let foils = [0xE8D5A3, 0xE9DCC3, 0xD9C7A0, 0xE6D2B5].map { Color($0) }
}
