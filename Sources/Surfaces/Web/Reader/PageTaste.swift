import Phrasebook
import Reading

/// How a reader likes pages in a browser. It is the record that other ways of reading keep as well;
/// what they call the same is the same here.
struct PageTaste: Sendable, Hashable {
  enum Theme: String, Sendable, CaseIterable {
    case own = "the terminal's own"
    case day = "black on white"
    case sepia
    case night = "white on black"

    var words: String {
      switch self {
      case .own: said("As the device is")
      case .day: said("Black on white")
      case .sepia: said("Sepia")
      case .night: said("White on black")
      }
    }

    /// For the names of classes, which no other page has.
    var name: String {
      switch self {
      case .own: "device"
      case .day: "day"
      case .sepia: "sepia"
      case .night: "night"
      }
    }
  }

  enum Face: String, Sendable, CaseIterable { case book, serif, sans }
  enum Columns: String, Sendable, CaseIterable {
    case auto
    case one = "1"
    case two = "2"
  }

  var theme = Theme.own
  var face = Face.book
  /// Of the size that the device's letters have.
  var size = 100
  /// Lines apart: 0 to 2, as in the terminal.
  var spacing = 0
  /// 0 to 3.
  var margin = 1
  var columns = Columns.auto
  var brightness = 100
  var isScrolled = false
  var isJustified: Bool?

  static let sizes = [50, 60, 70, 80, 90, 100, 110, 120, 135, 150, 175, 200, 250, 300]
  static let brightnesses = [40, 50, 60, 70, 80, 90, 100]

  init() {}

  init(_ taste: Taste) {
    theme = taste["colors"].flatMap(Theme.init) ?? theme
    face = taste["face"].flatMap(Face.init) ?? face
    size = Self.number(taste["size"], 50...300) ?? size
    spacing = Self.number(taste["spacing"], 0...2) ?? spacing
    margin = Self.number(taste["margin"], 0...3) ?? margin
    columns = taste["columns"].flatMap(Columns.init) ?? columns
    brightness = Self.number(taste["brightness"], 20...100) ?? brightness
    isScrolled = taste["manner"] == "scroll"
    switch taste["edge"] {
    case "straight": isJustified = true
    case "ragged": isJustified = false
    default: isJustified = nil
    }
  }

  private static func number(_ text: String?, _ range: ClosedRange<Int>) -> Int? {
    text.flatMap(Int.init).flatMap { range.contains($0) ? $0 : nil }
  }

  /// As it is kept.
  var taste: Taste {
    var taste = Taste()
    taste["colors"] = theme.rawValue
    taste["face"] = face.rawValue
    taste["size"] = "\(size)"
    taste["spacing"] = "\(spacing)"
    taste["margin"] = "\(margin)"
    taste["columns"] = columns.rawValue
    taste["brightness"] = "\(brightness)"
    taste["manner"] = isScrolled ? "scroll" : "pages"
    taste["edge"] = isJustified.map { $0 ? "straight" : "ragged" } ?? "book"
    return taste
  }

  // MARK: - As style

  /// The variables that the sheets of pages ask for.
  private var variables: [(String, String)] {
    [
      ("--size", "\(Double(size) / 100)"),
      ("--edge", ["0.5rem", "1.5rem", "2.25rem", "3.5rem"][margin]),
    ] + (colors ?? [])
  }

  /// What is said only where a reader said it: else the book's own holds.
  private var wishes: [(String, String)] {
    var all: [(String, String)] = []
    switch face {
    case .book: break
    case .serif:
      all.append(
        (
          "font-family",
          "Charter, \"Bitstream Charter\", Cambria, Georgia, \"DejaVu Serif\", serif !important"
        ))
    case .sans:
      all.append(
        (
          "font-family",
          "system-ui, \"Segoe UI\", Roboto, \"Noto Sans\", \"DejaVu Sans\", sans-serif !important"
        ))
    }
    if spacing > 0 {
      all.append(("line-height", "\(spacing == 1 ? "1.75" : "2.1") !important"))
    }
    if let isJustified {
      all.append(("text-align", "\(isJustified ? "justify" : "start") !important"))
    }
    return all
  }

  /// Text stands off its page by at least seven to one. Nil where the device says.
  private var colors: [(String, String)]? {
    switch theme {
    case .own: nil
    case .day: Self.colors("#ffffff", "#1a1a1a", "#00447f")
    case .sepia: Self.colors("#f6ecd9", "#3b2a1a", "#6b2d0e")
    case .night: Self.colors("#101010", "#e8e6e3", "#9cc7ff")
    }
  }

  private static func colors(_ page: String, _ ink: String, _ link: String) -> [(String, String)] {
    [("--page", page), ("--ink", ink), ("--link", link)]
  }

  var style: String {
    let day = Self.colors("#ffffff", "#1a1a1a", "#00447f")
    let night = Self.colors("#171614", "#ece8df", "#9cc7ff")
    var out = Self.rule(":root", (theme == .own ? day : []) + variables)
    if theme == .own {
      out += "@media (prefers-color-scheme: dark) {\(Self.rule(":root", night))}"
    }
    guard !wishes.isEmpty else { return out }
    return out
      + Self.rule(
        "html:not(.carrel-fixed) :is(body, p, li, dd, dt, blockquote, div, section, span)", wishes)
  }

  private static func rule(_ selector: String, _ lines: [(String, String)]) -> String {
    "\(selector) {\(lines.map { "\($0): \($1);" }.joined())}"
  }
}
