package import TextSafety

/// Writes a screenful as a terminal takes it. What the rows hold is cleaned here once more; all orders
/// come from here.
package struct Painter: Sendable {
  package let palette: Palette

  package init(_ palette: Palette) { self.palette = palette }

  package func paint(_ screen: Screenful, in theme: Theme, width: Int) -> TerminalText {
    var out: TerminalText = "\u{1b}[?25l\u{1b}[H"
    for (number, row) in screen.rows.enumerated() {
      if number > 0 { out += "\r\n" }
      out += code([], theme)
      for span in row.spans {
        out += "\(code(span.look, theme))\(span.text)"
      }
      out += code([], theme)
      // A row that fills the window has nothing left to clear, and clearing would eat its last cell.
      if row.cells < width { out += "\u{1b}[K" }
    }
    out += "\u{1b}[0m"
    if let cursor = screen.cursor {
      out += "\u{1b}[\(cursor.row + 1);\(cursor.column + 1)H\u{1b}[?25h"
    }
    return out
  }

  private func code(_ look: Look, _ theme: Theme) -> TerminalText {
    var codes = ["0"]
    if let colors = theme.colors {
      let text = look.contains(.link) ? colors.link : colors.text
      let page = look.contains(.marked) ? colors.marked : colors.page
      codes += ground(text, colors.basic.text, 38) + ground(page, colors.basic.page, 48)
    }
    if look.contains(.bold) { codes.append("1") }
    if look.contains(.dim), theme == .own { codes.append("2") }
    if look.contains(.italic) { codes.append("3") }
    let isUnderlined =
      look.contains(.underline) || look.contains(.link)
      || look.contains(.marked) && (theme == .own || palette == .none)
    if isUnderlined { codes.append("4") }
    if !look.isDisjoint(with: [.found, .chosen, .status]) { codes.append("7") }
    if look.contains(.strike) { codes.append("9") }
    return "\u{1b}[\(codes.joined(separator: ";"))m"
  }

  private func ground(_ color: Theme.Color, _ basic: Int, _ kind: Int) -> [String] {
    switch palette {
    case .none: []
    case .sixteen: ["\(basic > 7 ? kind + 52 + basic - 8 : kind - 8 + basic)"]
    case .many:
      ["\(kind)", "5", "\(16 + 36 * step(color.red) + 6 * step(color.green) + step(color.blue))"]
    case .all: ["\(kind)", "2", "\(color.red)", "\(color.green)", "\(color.blue)"]
    }
  }

  /// The nearest of the six steps that the cube of 256 colors has.
  private func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
}
