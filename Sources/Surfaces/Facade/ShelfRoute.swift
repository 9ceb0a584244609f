import Catalog
import Circulation
import Database
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Registry

/// What one reader has at all libraries: loans, those that end first, then holds.
enum ShelfRoute {
  private typealias Part = ShelfLine.Part

  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _: Void
  ) async throws(Problem) -> Draft {
    guard let shelf = errand.shelf else {
      throw Problem(.unauthorized, code: "credentials_rejected")
    }
    let part = try chosen(errand.query["show"])
    let all = ShelfLine.all(of: shelf)
    let lines = all.filter { line in
      part == nil || part == line.part || (part == .holds && line.part == .ready)
    }
    let entries = try await facade.stock.entries(for: lines, errand.reach)
    var items: [Draft.Item] = []
    var seen: Set<String> = []
    let changed = (shelf.loans.map(\.asOf) + shelf.holds.map(\.asOf)).max()?.milliseconds ?? 0
    for (line, entry) in zip(lines, entries) {
      let entry = entry ?? line.unlisted
      // Two loans of one work are one entry, with two ways to read it.
      guard seen.insert(entry.work.rawValue).inserted else { continue }
      items.append(
        .own(
          facade.making(errand).publication(entry, changed: changed, for: shelf, .complete)))
    }
    return Draft(
      .feed(feed(facade, errand, all, part, changed, items.count), items, groups: []), .kept)
  }

  private static func feed(
    _ facade: Facade, _ errand: Errand, _ lines: [ShelfLine], _ part: Part?, _ changed: Int64,
    _ total: Int
  ) -> Feed {
    let path = errand.paths.shelf.print()
    func fields(_ part: Part?) -> FormFields {
      part.map { ["show": $0.rawValue] } ?? FormFields()
    }
    var feed = errand.frame(
      "Your shelf", .acquisition, at: path, fields(part), named: ["shelf"], in: facade)
    feed.date(by: [changed], or: nil)
    (feed.total, feed.perPage, feed.first) = (total, max(1, total), 1)
    let stale = (errand.shelf?.accounts ?? []).filter {
      errand.shelf?.stale.contains($0.id) == true
    }.map { facade.stock.nameOfLibrary($0.library) }.distinct
    let loans = lines.count { $0.part == .loans }
    var told = [
      "\(Words.loans(loans)), "
        + "\(Words.holds(lines.count - loans))."
    ]
    if !stale.isEmpty {
      told.append(
        "Not heard from lately: \(stale.joined(separator: ", ")); "
          + "what is shown is what was known before.")
    }
    feed.subtitle = told.joined(separator: " ")
    func facet(_ title: String, _ choice: Part?, _ count: Int) -> Feed.Facet {
      var link = errand.head.feed(path, .acquisition, [.facet], title, fields(choice))
      link.count = count
      return Feed.Facet(link, isActive: choice == part)
    }
    feed.facets = [
      Feed.FacetGroup(
        "Show",
        [facet("All", nil, lines.count)]
          + Part.allCases.map { part in
            facet(
              part.title, part,
              lines.count { $0.part == part || (part == .holds && $0.part == .ready) })
          })
    ]
    return feed
  }

  private static func chosen(_ text: String?) throws(Problem) -> Part? {
    guard let text, !text.isEmpty else { return nil }
    guard let part = Part(rawValue: text) else {
      throw Problem(
        .badRequest, code: "bad_value", detail: "show must be loans, holds or ready")
    }
    return part
  }
}

extension ShelfLine.Part {
  fileprivate var title: String {
    switch self {
    case .loans: "Loans"
    case .holds: "Holds"
    case .ready: "Ready to borrow"
    }
  }
}
