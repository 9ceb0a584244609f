import EPUB

// Search, and links with their way back.
extension ReaderModel {
  /// More hits are more than anybody steps through.
  private static let mostHits = 10_000

  mutating func find(_ words: String) {
    let found: [ContentSearch.Hit]
    do throws(ContentSearch.Fault) {
      let search = try ContentSearch(words, reading, places.positions)
      found = Array(search.prefix(Self.mostHits))
    } catch {
      message = "At most \(ContentSearch.longest) characters can be searched for."
      return
    }
    guard !found.isEmpty else {
      message = "“\(words)” is nowhere in it."
      return
    }
    let here = (spot.spine, spot.place)
    let next = found.firstIndex { ($0.spine, $0.range.lowerBound) >= here } ?? 0
    search = FoundWords(words: words, hits: found, current: next, origin: spot)
    showHit()
  }

  mutating func nextHit(_ step: Int) {
    guard let search else {
      message = "Nothing is searched for; / begins a search."
      return
    }
    let count = search.hits.count
    self.search?.current = (search.current + step + count) % count
    showHit()
  }

  private mutating func showHit() {
    guard let search else { return }
    let hit = search.hits[search.current]
    guard go(to: Spot(spine: hit.spine, place: hit.range.lowerBound)) else { return }
    message =
      "“\(search.words)” \(search.current + 1) of \(search.hits.count) · n next, N before, "
      + "Esc back to the page"
  }

  /// Back to where the reader was before.
  mutating func endSearch() {
    guard let ended = search else { return }
    search = nil
    go(to: ended.origin)
  }

  // MARK: - Links

  /// The links on the page, each once, in the order of the text.
  private var linksOnPage: [(words: String, TextLink)] {
    let page = visibleText
    var seen: Set<Int> = []
    var found: [(String, TextLink)] = []
    guard let first = text.block(at: page.lowerBound) else { return [] }
    for block in text.blocks[first...] {
      guard block.range.lowerBound < page.upperBound else { break }
      for run in text.runs(of: block).indices {
        guard let link = text.runs[run].link else { continue }
        let part = text.range(of: run, in: block)
        guard part.overlaps(page), seen.insert(link).inserted else { continue }
        let words = text.string(part).collapsed
        found.append((words.isEmpty ? "link" : words, text.links[link]))
      }
    }
    return found
  }

  /// The one link on the page is followed; of several one is chosen.
  mutating func openLink() {
    let links = linksOnPage
    guard let only = links.first else {
      message = "There is no link on this page."
      return
    }
    guard links.count > 1 else { return open(only.1) }
    let entries = links.map { words, link in
      Menu.Entry(label: link.isNoteReference ? "note \(words)" : words, depth: 0, goal: .link(link))
    }
    mode = .menu(Menu(kind: .links, title: "Links on this page", entries: entries))
  }

  mutating func open(_ link: TextLink) {
    if let slip = note(link) {
      mode = .slip(slip)
    } else {
      follow(link.target)
    }
  }

  mutating func follow(_ target: Reference) {
    mode = .reading
    if let spot = spot(of: target) { return jump(to: spot) }
    switch target.place {
    // It is for another program, so all of it has to be seen.
    case .remote(let address):
      mode = .slip(Slip(title: "Outside the book", lines: wrapped(address.tame)))
    case .inside, .data, .blocked: message = "That leads nowhere in this book."
    }
  }

  /// The footnote a link leads to, where it is one and short.
  private mutating func note(_ link: TextLink) -> Slip? {
    guard let spine = book.spine(of: link.target), let id = link.target.fragment else {
      return nil
    }
    guard let item = spine == spot.spine ? text : Self.text(spine, &reading),
      let element = item.tree.element(id: id)
    else { return nil }
    let blocks = item.blocks(ofElement: element)
    guard !blocks.isEmpty, link.isNoteReference || item.blocks[blocks].allSatisfy(\.isNote)
    else { return nil }
    let set = ItemLayout(item, layout.setting, layout.hyphens)
    var drawing = LineRendering(set)
    let lines = set.lines.indices.filter { number in
      let line = set.lines[number]
      return line.kind != .row && blocks.contains(Int(line.block))
    }
    let rows = lines.drop { set.lines[$0].isBlank }.map { drawing.row($0) }
    return rows.isEmpty || rows.count > 400 ? nil : Slip(title: "Note", lines: Array(rows))
  }
}
