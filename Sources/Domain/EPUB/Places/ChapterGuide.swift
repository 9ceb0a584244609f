/// Which entry of the table of contents, and which printed page, a place is under.
struct ChapterGuide: Sendable {
  private struct Mark: Sendable {
    let spine: Int
    let fragment: String?
    let entry: Navigation.Entry
  }

  /// By the item they lead to, in the order of the list.
  private let chapters: [Int: [Mark]]
  private let pages: [Int: [Mark]]
  private let marked: (chapters: [Int], pages: [Int])

  init(_ book: Book) {
    var places: [String: Int] = [:]
    for (number, item) in book.document.spine.enumerated() {
      // A link leads to the first place an item stands at.
      for path in [item.item.path, item.shown?.path].compactMap(\.self) where places[path] == nil {
        places[path] = number
      }
    }
    func marks(_ entries: [Navigation.Entry]) -> [Int: [Mark]] {
      let all = entries.compactMap { entry -> Mark? in
        guard let target = entry.target, let spine = Self.spine(target, places, book) else {
          return nil
        }
        return Mark(spine: spine, fragment: target.fragment, entry: entry)
      }
      return Dictionary(grouping: all, by: \.spine)
    }
    chapters = marks(book.navigation.contents)
    pages = marks(book.navigation.pages)
    marked = (chapters.keys.sorted(), pages.keys.sorted())
  }

  /// A place told step by step begins at the package.
  private static func spine(_ target: Reference, _ places: [String: Int], _ book: Book) -> Int? {
    if let spine = target.path.flatMap({ places[$0] }) { return spine }
    guard target.path == book.document.path, let fragment = target.fragment,
      let cfi = try? CFI(fragment), let step = cfi.itemStep
    else { return nil }
    return book.document.spine.firstIndex { 2 * ($0.ordinal + 1) == step.number }
  }

  func chapter(at spine: Int, _ place: Int, in text: ItemText) -> Navigation.Entry? {
    entry(chapters, marked.chapters, spine, place, text)
  }

  func page(at spine: Int, _ place: Int, in text: ItemText) -> String? {
    if let entry = entry(pages, marked.pages, spine, place, text) { return entry.label }
    // Where there is no list, the marks in the text are one.
    guard pages.isEmpty else { return nil }
    return text.pageBreaks.last { $0.place <= place }?.label
  }

  /// The last one at or before the place; where the item has none before it, the last one of the
  /// items before.
  private func entry(
    _ marks: [Int: [Mark]], _ order: [Int], _ spine: Int, _ place: Int, _ text: ItemText
  ) -> Navigation.Entry? {
    var best: (place: Int, entry: Navigation.Entry)?
    for mark in marks[spine] ?? [] {
      let start = self.place(of: mark, in: text)
      if start <= place, best.map({ $0.place <= start }) ?? true { best = (start, mark.entry) }
    }
    if let best { return best.entry }
    return order.last { $0 < spine }.flatMap { marks[$0]?.last?.entry }
  }

  private func place(of mark: Mark, in text: ItemText) -> Int {
    guard let fragment = mark.fragment, !fragment.isEmpty else { return 0 }
    if fragment.hasPrefix("epubcfi("), let cfi = try? CFI(fragment) {
      let found = cfi.insideDocument.flatMap { text.tree.found($0.start) }
      return found.map { text.place(ofSource: $0.offset) } ?? 0
    }
    return text.place(ofID: fragment) ?? 0
  }
}
