/// The colors of a page. Those of the book are left out: a reader chose these.
package enum Theme: String, Sendable, Hashable, CaseIterable {
  /// As the terminal is.
  case own = "the terminal's own"
  case day = "black on white"
  case sepia
  case night = "white on black"

  package var next: Theme {
    let all = Theme.allCases
    let place = all.firstIndex(of: self) ?? 0
    return all[(place + 1) % all.count]
  }

  struct Color: Sendable, Hashable {
    let red: Int
    let green: Int
    let blue: Int

    init(_ red: Int, _ green: Int, _ blue: Int) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
  }

  struct Colors: Sendable, Hashable {
    let text: Color
    let page: Color
    let link: Color
    let marked: Color
    /// Of the sixteen that every terminal has: text and page.
    let basic: (text: Int, page: Int)

    static func == (one: Colors, two: Colors) -> Bool {
      one.text == two.text && one.page == two.page
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(text)
      hasher.combine(page)
    }
  }

  /// Text stands off its page by at least seven to one.
  var colors: Colors? {
    switch self {
    case .own: nil
    case .day:
      Colors(
        text: Color(26, 26, 26), page: Color(255, 255, 255), link: Color(0, 68, 136),
        marked: Color(255, 240, 150), basic: (0, 15))
    case .sepia:
      Colors(
        text: Color(67, 44, 20), page: Color(244, 236, 216), link: Color(20, 60, 100),
        marked: Color(240, 215, 130), basic: (0, 11))
    case .night:
      Colors(
        text: Color(215, 215, 215), page: Color(0, 0, 0), link: Color(140, 190, 255),
        marked: Color(80, 70, 0), basic: (15, 0))
    }
  }
}

/// How many colors the terminal has.
package enum Palette: Sendable, Hashable {
  case none
  case sixteen
  case many
  case all

  /// As the environment tells it.
  package init(term: String?, colorTerm: String?, isColored: Bool) {
    guard isColored, let term, term != "dumb" else {
      self = .none
      return
    }
    if let colorTerm, ["truecolor", "24bit"].contains(colorTerm) {
      self = .all
    } else {
      self = term.contains("256color") || term.contains("direct") ? .many : .sixteen
    }
  }
}
