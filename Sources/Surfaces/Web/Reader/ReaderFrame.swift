import Catalog
import Circulation
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import JSON
import Markup
import Phrasebook

/// What stands around a page of a book: the way out, the ways into the book, the turns.
struct ReaderFrame {
  private let visit: ReaderVisit
  private let section: Int
  /// To come back to where one is.
  private let back: FormFields

  init(_ visit: ReaderVisit, _ section: Int, _ back: FormFields) {
    (self.visit, self.section, self.back) = (visit, section, back)
  }

  func page(
    _ chapter: String?, _ taste: PageTaste, @Children _ main: () -> [Node],
    @Children foot: () -> [Node], data: () -> JSONValue
  ) -> Node {
    let caller = visit.caller
    let title = [chapter, visit.title, "Carrel"].compactMap(\.self).joined(separator: " · ")
    return tag(
      "html", .init("lang", Tongue.current.rawValue),
      .init("class", "reader \(taste.theme.name)")
    ) {
      tag("head") {
        tag("meta", .init("charset", "utf-8"))
        tag(
          "meta", .init("name", "viewport"),
          .init("content", "width=device-width, initial-scale=1, viewport-fit=cover"))
        tag("meta", .init("name", "color-scheme"), .init("content", "light dark"))
        tag("title") { title }
        link("stylesheet", caller.link(Stylesheet.asset.path.print()))
        link("stylesheet", caller.link(ReaderAssets.style.path.print()))
        tag(
          "script", .init("src", caller.link(ReaderAssets.script.path.print())),
          .init("defer", true))
      }
      tag("body", .init("class", "reader")) {
        tag("a", .init("class", "skip"), .init("href", "#main")) { said("Skip to the text") }
        tag("header") { top }
        tag("main", attributes: [.init("id", "main"), .init("tabindex", -1)], children: main())
        tag("footer", attributes: [], children: foot())
        Node.data(DataBlock(data().text(), id: "reading"))
      }
    }
  }

  private func link(_ rel: String, _ href: String) -> Node {
    tag("link", .init("rel", rel), .init("href", href))
  }

  @Children private var top: [Node] {
    tag(
      "a", .init("class", "exit"),
      .init("href", visit.caller.link(LobbyPaths.work.print(visit.loan.entry.work.rawValue)))
    ) {
      tag("span", .init("aria-hidden", "true")) { "‹" }
      tag("span", .init("class", "unseen")) { "\(Phrases.close): " }
      tag("span", .init("class", "title"), BookCards.language(of: visit.loan.entry.face)) {
        visit.title
      }
    }
    tag("nav", .init("aria-label", said("Book", "navigation"))) {
      way(said("Contents"), ReaderPaths.contents, "contents")
      way(said("Search"), ReaderPaths.search, "search")
      way(said("Notes"), ReaderPaths.notes, "notes")
      way(said("Display"), ReaderPaths.display, "display")
      way(said("Share"), ReaderPaths.share, "share")
      tag("form", .init("method", "post"), .init("action", visit.link(ReaderPaths.book))) {
        visit.hiddenFields("bookmark", section, back)
        tag(
          "button", .init("type", "submit"), .init("class", "plain"), .init("id", "bookmark"),
          .init("aria-label", said("Bookmark this page"))
        ) {
          tag("span", .init("aria-hidden", "true")) { "★" }
          tag("span", .init("class", "word")) { said("Bookmark") }
        }
      }
    }
  }

  private func way(
    _ word: String, _ path: RoutePath<(String, String)>, _ name: String
  ) -> Node {
    var query: FormFields = ["from": "\(section)"]
    if let at = back["at"] { query.add("at", at) }
    return tag(
      "a", .init("class", "plain"), .init("href", visit.link(path, query)),
      .init("data-panel", name)
    ) { word }
  }

  /// Where there is no section more, the end of the book is one.
  @Children func turns(_ before: Int?, _ after: Int?) -> [Node] {
    let isBackward = visit.book.document.progression == .rightToLeft
    let last =
      before.map { turn(said("Previous"), visit.link(section: $0), "prev", isBackward ? "›" : "‹") }
    let next = turn(
      after == nil ? said("End") : said("Next"),
      after.map { visit.link(section: $0) } ?? visit.link(ReaderPaths.end), "next",
      isBackward ? "‹" : "›")
    tag("nav", .init("class", "turn"), .init("aria-label", said("Sections"))) {
      last
      next
    }
  }

  private func turn(_ word: String, _ href: String, _ rel: String, _ arrow: String) -> Node {
    tag("a", .init("rel", rel), .init("href", href), .init("class", "plain \(rel)")) {
      tag("span", .init("aria-hidden", "true")) { arrow }
      tag("span", .init("class", "word")) { word }
    }
  }
}

extension ReaderVisit {
  /// What every form of the reader has.
  @Children func hiddenFields(
    _ deed: String, _ section: Int?, _ back: FormFields = FormFields()
  ) -> [Node] {
    lobby.sealed(reader)
    hidden("do", deed)
    if let section { hidden("section", "\(section)") }
    for field in back.fields { hidden(field.name, field.value) }
  }

  /// Back into the book, from a page beside it.
  var back: String {
    guard let section = caller.query["from"].flatMap(Int.init) else {
      return link(ReaderPaths.book)
    }
    return link(section: section, place.map { ["at": $0] } ?? FormFields())
  }

  /// Where the page beside the book was opened from; no place in a book is told at such length.
  private var place: String? { caller.query["at"].flatMap { $0.utf8.count <= 1000 ? $0 : nil } }

  /// The same, for forms of that page.
  var backFields: FormFields {
    var fields = FormFields()
    if let section = caller.query["from"].flatMap(Int.init) { fields.add("from", "\(section)") }
    if let place { fields.add("at", place) }
    return fields
  }

  /// A page beside the book, with the way back to it.
  func page(_ title: String, @Children _ main: () -> [Node]) -> Page {
    Page(title) {
      tag("p", .init("class", "back")) {
        tag("a", .init("href", back)) { "‹ \(said("Back to “\(self.title)”"))" }
      }
      tag("h1") { title }
      main()
    }
  }
}
