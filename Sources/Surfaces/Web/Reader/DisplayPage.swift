import FrontDesk
import HTTP
import HTTPServer
import Markup

/// How pages look: one form, kept for all books and all ways of reading.
enum DisplayPage {
  static func make(_ visit: ReaderVisit) async throws(Problem) -> Page {
    let taste = await visit.taste()
    return visit.page("Display") {
      tag(
        "form", .init("class", "display"), .init("method", "post"),
        .init("action", visit.link(ReaderPaths.book))
      ) {
        visit.hiddenFields("taste", visit.caller.query["from"].flatMap(Int.init))
        if let at = visit.caller.query["at"] { hidden("at", at) }
        choice(
          "Colors", "colors", PageTaste.Theme.allCases.map { ($0.rawValue, $0.words) },
          taste.theme.rawValue)
        choice(
          "Letters", "face",
          [("book", "The book’s own"), ("serif", "Serif"), ("sans", "Sans-serif")],
          taste.face.rawValue)
        select(
          "Size", "size", PageTaste.sizes.map { ("\($0)", "\($0) %") }, "\(taste.size)",
          "\(nearest(taste.size, PageTaste.sizes))")
        select(
          "Brightness", "brightness", PageTaste.brightnesses.map { ("\($0)", "\($0) %") },
          "\(taste.brightness)", "\(nearest(taste.brightness, PageTaste.brightnesses))")
        choice(
          "Lines", "spacing", [("0", "Close"), ("1", "Apart"), ("2", "Far apart")],
          "\(taste.spacing)")
        choice(
          "Margins", "margin", [("0", "None"), ("1", "Narrow"), ("2", "Wide"), ("3", "Very wide")],
          "\(taste.margin)")
        choice(
          "Right edge", "edge",
          [("book", "The book’s own"), ("ragged", "Ragged"), ("straight", "Straight")],
          taste.isJustified.map { $0 ? "straight" : "ragged" } ?? "book")
        choice(
          "Columns on wide windows", "columns",
          [("auto", "As it fits"), ("1", "One"), ("2", "Two")],
          taste.columns.rawValue)
        choice(
          "Turning", "manner", [("pages", "Pages"), ("scroll", "Scrolling")],
          taste.isScrolled ? "scroll" : "pages")
        tag("button", .init("class", "button"), .init("type", "submit")) { "Keep" }
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
