import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook

/// How pages look: one form, kept for all books and all ways of reading.
enum DisplayPage {
  static func make(_ visit: ReaderVisit) async throws(Problem) -> Page {
    let taste = await visit.taste()
    return visit.page(said("Display")) {
      tag(
        "form", .init("class", "display"), .init("method", "post"),
        .init("action", visit.link(ReaderPaths.book))
      ) {
        visit.hiddenFields("taste", visit.caller.query["from"].flatMap(Int.init))
        if let at = visit.backFields["at"] { hidden("at", at) }
        choice(
          said("Colors"), "colors", PageTaste.Theme.allCases.map { ($0.rawValue, $0.words) },
          taste.theme.rawValue)
        choice(
          said("Letters"), "face",
          [
            ("book", said("The book’s own")), ("serif", said("Serif")),
            ("sans", said("Sans-serif")),
          ],
          taste.face.rawValue)
        select(
          said("Size"), "size", PageTaste.sizes.map { ("\($0)", "\($0) %") }, "\(taste.size)",
          "\(nearest(taste.size, PageTaste.sizes))")
        select(
          said("Brightness"), "brightness", PageTaste.brightnesses.map { ("\($0)", "\($0) %") },
          "\(taste.brightness)", "\(nearest(taste.brightness, PageTaste.brightnesses))")
        choice(
          said("Lines"), "spacing",
          [("0", said("Close", "lines")), ("1", said("Apart")), ("2", said("Far apart"))],
          "\(taste.spacing)")
        choice(
          said("Margins"), "margin",
          [
            ("0", said("None")), ("1", said("Narrow")), ("2", said("Wide")),
            ("3", said("Very wide")),
          ],
          "\(taste.margin)")
        choice(
          said("Right edge"), "edge",
          [
            ("book", said("The book’s own")), ("ragged", said("Ragged")),
            ("straight", said("Straight")),
          ],
          taste.isJustified.map { $0 ? "straight" : "ragged" } ?? "book")
        choice(
          said("Columns on wide windows"), "columns",
          [("auto", said("As it fits")), ("1", said("One")), ("2", said("Two"))],
          taste.columns.rawValue)
        choice(
          said("Turning"), "manner", [("pages", said("Pages")), ("scroll", said("Scrolling"))],
          taste.isScrolled ? "scroll" : "pages")
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Keep") }
      }
    }
  }

  private static func nearest(_ value: Int, _ all: [Int]) -> Int {
    all.min { abs($0 - value) < abs($1 - value) } ?? value
  }

  private static func choice(
    _ title: String, _ name: String, _ all: [(String, String)], _ chosen: String
  ) -> Node {
    tag("fieldset") {
      tag("legend") { title }
      for (value, words) in all {
        tag("label", .init("class", "pick \(name)-\(value.split(separator: " ").first ?? "own")")) {
          tag(
            "input", .init("type", "radio"), .init("name", name), .init("value", value),
            .init("checked", value == chosen))
          tag("span") { words }
        }
      }
    }
  }

  private static func select(
    _ title: String, _ name: String, _ all: [(String, String)], _ value: String, _ chosen: String
  ) -> Node {
    tag("p", .init("class", "field")) {
      tag("label", .init("for", "pick-\(name)")) { title }
      tag("select", .init("id", "pick-\(name)"), .init("name", name)) {
        for (value, words) in all {
          tag("option", .init("value", value), .init("selected", value == chosen)) { words }
        }
      }
    }
  }
}
