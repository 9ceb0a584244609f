import Chapters
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook

/// The table of contents, and the pages of the printed edition where the book tells them.
enum ContentsPage {
  static func make(_ visit: ReaderVisit) async throws(Problem) -> Page {
    let here = current(visit)
    let spines = Dictionary(
      visit.book.document.spine.enumerated().flatMap { number, item in
        [item.item.path, item.shown?.path].compactMap { $0.map { ($0, number) } }
      }, uniquingKeysWith: { first, _ in first })
    let pages = visit.book.navigation.pages
    return visit.page(said("Contents")) {
      tag("ol", .init("class", "contents")) {
        for entry in visit.book.navigation.contents { line(entry, spines, here, visit) }
      }
      if !pages.isEmpty {
        tag("details") {
          tag("summary") { said("Pages of the printed edition") }
          tag("ol", .init("class", "chips")) {
            for entry in pages {
              if let href = href(entry, spines, visit) {
                tag("li") { tag("a", .init("href", href)) { entry.label } }
              }
            }
          }
        }
      }
    }
  }

  private static func line(
    _ entry: Navigation.Entry, _ spines: [String: Int], _ here: Navigation.Entry?,
    _ visit: ReaderVisit
  ) -> Node {
    let label = entry.label.isEmpty ? said("Untitled") : entry.label
    return tag("li", .init("class", "depth\(min(entry.depth, 6))")) {
      if let href = href(entry, spines, visit) {
        tag("a", .init("href", href), .init("aria-current", entry == here ? "location" : nil)) {
          label
        }
      } else {
        tag("span") { label }
      }
    }
  }

  private static func href(
    _ entry: Navigation.Entry, _ spines: [String: Int], _ visit: ReaderVisit
  ) -> String? {
    guard let target = entry.target, let path = target.path else { return nil }
    if path == visit.book.document.path, let fragment = target.fragment,
      let cfi = try? CFI(fragment), let (place, _) = visit.open.place(of: cfi)
    {
      return visit.link(section: place.spine, ["at": "\(cfi)"])
    }
    guard let spine = spines[path] else { return nil }
    return visit.link(
      section: spine,
      target.fragment.flatMap { $0.isEmpty ? nil : ["to": $0] } ?? FormFields())
  }

  private static func current(_ visit: ReaderVisit) -> Navigation.Entry? {
    guard let section = visit.caller.query["from"].flatMap(Int.init),
      let text = try? visit.open.text(at: section)
    else { return nil }
    var place = 0
    if let at = visit.caller.query["at"], let cfi = try? CFI(at),
      let (found, _) = visit.open.place(of: cfi), found.spine == section
    {
      place = found.range.lowerBound
    }
    return visit.open.places.chapter(at: section, place, in: text)
  }
}
