import Chapters
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook

/// Words in the book, by chapter.
enum FindPage {
  /// Shown on one page.
  private static let most = 200

  private struct Found {
    var hits: [(hit: ContentSearch.Hit, chapter: String?, cfi: CFI?)] = []
    var more = 0
  }

  static func make(_ visit: ReaderVisit) -> Page {
    let words = visit.caller.query["q"].map { String($0.prefix(200)) } ?? ""
    let isAsked = words.contains { !$0.isWhitespace }
    let found = isAsked ? found(words, visit) : nil
    return visit.page(said("Search in the book")) {
      tag(
        "form", .init("class", "search"), .init("role", "search"), .init("method", "get"),
        .init("action", visit.link(ReaderPaths.search))
      ) {
        for field in visit.backFields.fields { hidden(field.name, field.value) }
        tag("label", .init("for", "words"), .init("class", "unseen")) { said("Words to look for") }
        tag(
          "input", .init("id", "words"), .init("name", "q"), .init("type", "search"),
          .init("value", words), .init("maxlength", 200), .init("enterkeyhint", "search"),
          .init("autofocus", !isAsked))
        tag("button", .init("type", "submit")) { said("Search") }
      }
      if isAsked { results(found, words, visit) }
    }
  }

  /// Nil where the words are too many.
  private static func found(_ words: String, _ visit: ReaderVisit) -> Found? {
    guard
      var search = try? ContentSearch(words, visit.open.reading, visit.open.places.positions)
    else { return nil }
    var found = Found()
    while found.hits.count < most, let hit = search.next() {
      let text = search.text
      found.hits.append(
        (
          hit,
          text.flatMap {
            visit.open.places.chapter(at: hit.spine, hit.range.lowerBound, in: $0)?.label
          },
          text.map { visit.open.places.cfi(hit.range, in: $0, spine: hit.spine) }
        ))
    }
    found.more = search.countRest()
    return found
  }

  @Children private static func results(
    _ found: Found?, _ words: String, _ visit: ReaderVisit
  ) -> [Node] {
    let total = found.map { $0.hits.count + $0.more } ?? 0
    tag("p", .init("class", "count"), .init("role", "status")) {
      switch (found, total) {
      case (nil, _): said("That is too much to look for.")
      case (_, 0): said("“\(words)” is not in this book.")
      case (_, let total):
        counted(total, one: "Found once.", many: "Found \(total) times.")
        if total > most { " \(said("The first \(most) are shown."))" }
      }
    }
    if let found, !found.hits.isEmpty {
      tag("ol", .init("class", "hits")) {
        for (place, one) in found.hits.enumerated() {
          if place == 0 || found.hits[place - 1].chapter != one.chapter {
            tag("li", .init("class", "chapter")) {
              tag("h2") { one.chapter ?? said("Before the first chapter") }
            }
          }
          tag("li") {
            tag(
              "a",
              .init(
                "href",
                visit.link(
                  section: one.hit.spine, one.cfi.map { ["at": "\($0)"] } ?? FormFields()))
            ) {
              one.hit.before
              tag("mark") { one.hit.match }
              one.hit.after
            }
            tag("span", .init("class", "small")) {
              " \(Int((one.hit.total * 100).rounded())) %"
            }
          }
        }
      }
    }
  }
}
