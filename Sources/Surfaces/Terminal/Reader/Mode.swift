import EPUB

/// What a reader is doing just now.
enum Mode: Sendable {
  case reading
  /// The title page. `hasBegun` where the reader was further in already.
  case jacket(hasBegun: Bool)
  case menu(Menu)
  case prompt(Prompt)
  case slip(Slip)
  case selecting(Selection)
  /// Behind the last page.
  case ending
}

/// A list to choose from.
struct Menu: Sendable {
  enum Kind: Sendable { case contents, marks, links }

  struct Entry: Sendable {
    let label: String
    let depth: Int
    let goal: Goal?
  }

  enum Goal: Sendable {
    case spot(ReaderModel.Spot)
    case reference(Reference)
    case link(TextLink)
  }

  let kind: Kind
  let title: String
  var entries: [Entry]
  var chosen = 0

  mutating func move(by count: Int) {
    chosen = max(0, min(entries.count - 1, chosen + count))
  }
}

/// A line to type.
struct Prompt: Sendable {
  enum Purpose: Sendable {
    case goTo
    case search
    case note(Range<Int>)
  }

  let purpose: Purpose
  var text = ""

  var label: String {
    switch purpose {
    case .goTo: "go to (45% or a page): "
    case .search: "search: "
    case .note: "note: "
    }
  }
}

/// Something laid over the page: a footnote, the help.
struct Slip: Sendable {
  let title: String
  let lines: [Row]
  var top = 0
}

/// Words that are being chosen by keyboard.
struct Selection: Sendable {
  enum Purpose: Sendable { case highlight, note }
  enum Unit: Sendable { case paragraph, sentence }

  let purpose: Purpose
  var unit: Unit
  var range: Range<Int>
}

/// What was searched for and where it stands.
struct FoundWords: Sendable {
  let words: String
  let hits: [ContentSearch.Hit]
  var current: Int
  /// Where the reader was before.
  let origin: ReaderModel.Spot
}
