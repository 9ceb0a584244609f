import EPUB

// The table of contents, and the help.
extension ReaderModel {
  mutating func showContents() {
    let entries = book.navigation.contents.map { entry in
      Menu.Entry(
        label: entry.label.isEmpty ? "Untitled" : entry.label, depth: entry.depth,
        goal: entry.target.map(Menu.Goal.reference))
    }
    guard !entries.isEmpty else {
      mode = .reading
      message = "The book has no table of contents."
      return
    }
    var menu = Menu(kind: .contents, title: "Contents", entries: entries)
    if let here = places.chapter(at: spot.spine, spot.place, in: text) {
      menu.chosen = book.navigation.contents.firstIndex(of: here) ?? 0
    }
    mode = .menu(menu)
  }

  mutating func showHelp() {
    let width = Self.keys.map(\.0.count).max() ?? 0
    let lines = Self.keys.map { key, meaning in
      key.isEmpty ? Row() : Row([Span(key.padded(to: width + 2), .bold), Span(meaning)])
    }
    mode = .slip(Slip(title: "Keys", lines: lines))
  }

  private static let keys: [(String, String)] = [
    ("space → j", "next page, on into the next chapter"),
    ("← k PgUp", "page before"),
    ("n p", "next chapter, chapter before; also ] ["),
    ("g G", "beginning and end of the book"),
    ("t", "table of contents"),
    (": %", "go to a percentage or a page"),
    ("/", "search; then n next, N before, Esc back"),
    ("Enter f", "footnote or link on this page"),
    ("Backspace", "back to where the link was"),
    ("", ""),
    ("b B", "bookmark; list of bookmarks and notes"),
    ("h", "mark words; Tab for sentences"),
    ("a", "write a note"),
    ("S", "share a quotation: copies it"),
    ("c", "go on where another device left off"),
    ("", ""),
    ("+ -", "wider, narrower lines"),
    ("l J", "space between lines; both edges straight"),
    ("s", "scroll, or turn pages"),
    ("T", "colors: own, day, sepia, night"),
    ("e", "end: rate, return"),
    ("? q", "these keys; quit"),
  ]
}
