import Catalog
import Circulation
import Database
import Desk
import FoundationEssentials
import HTTP
import HTTPServer
import OPDS
import Registry

/// What one reader has at all libraries: loans, those that end first, then holds.
enum ShelfRoute {
  private enum Part: String, CaseIterable {
    case loans, holds, ready

    var title: String {
      switch self {
      case .loans: "Loans"
      case .holds: "Holds"
      case .ready: "Ready to borrow"
      }
    }
  }

  private struct Line {
    let account: Account
    let item: ItemID
    let part: Part
    let title: String?
    let authors: [String]
    let since: Date?
  }

  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _: Void
  ) async throws(Problem) -> Draft {
    guard let shelf = errand.shelf else {
      throw Problem(.unauthorized, code: "credentials_rejected")
    }
    let part = try chosen(errand.query["show"])
    let all = lines(of: shelf)
    let lines = all.filter { line in
      part == nil || part == line.part || (part == .holds && line.part == .ready)
    }
    let entries = try await entries(for: lines, facade, errand)
    var items: [Draft.Item] = []
    var seen: Set<String> = []
    let changed = (shelf.loans.map(\.asOf) + shelf.holds.map(\.asOf)).max()?.milliseconds ?? 0
    for (line, entry) in zip(lines, entries) {
      let entry = entry ?? unlisted(line)
      // Two loans of one work are one entry, with two ways to read it.
      guard seen.insert(entry.work.rawValue).inserted else { continue }
      items.append(
        .own(
          facade.making(errand).publication(entry, changed: changed, for: shelf, .complete)))
    }
    return Draft(
      .feed(feed(facade, errand, all, part, changed, items.count), items, groups: []), .kept)
  }

  /// The whole work that each line is of. A loan may outlive what its library lists: where the work
  /// does not have the line's own edition any more, the last record of it comes along.
  private static func entries(
    for lines: [Line], _ facade: Facade, _ errand: Errand
  ) async throws(Problem) -> [CatalogEntry?] {
    let catalog = facade.stock.catalog
    return try await facade.read { () throws(DatabaseError) in
      let works = try await catalog.works(for: lines.map { ($0.account.library, $0.item) })
      let found = try await catalog.entries(
        of: works.compactMap(\.self).distinct, at: errand.libraries)
      var whole = Dictionary(found.map { ($0.work, $0) }, uniquingKeysWith: { first, _ in first })
      let gone = zip(lines, works).filter { line, work in
        work.map { whole[$0]?.lists(line.item, at: line.account.library) != true } ?? false
      }.map { ($0.0.account.library, $0.0.item) }
      for case let last? in try await catalog.entries(for: gone) {
        let known = whole[last.work]?.editions ?? []
        whole[last.work] = CatalogEntry(work: last.work, editions: known + last.editions)
      }
      return works.map { work in work.flatMap { whole[$0] } }
    }
  }

  private static func feed(
    _ facade: Facade, _ errand: Errand, _ lines: [Line], _ part: Part?, _ changed: Int64,
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
      "\(Words.count(loans, "loan", "loans")), "
        + "\(Words.count(lines.count - loans, "hold", "holds"))."
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

  private static func lines(of shelf: ReaderShelf) -> [Line] {
    let accounts = Dictionary(
      shelf.accounts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let loans = shelf.loans.sorted {
      ($0.loan.until ?? .distantFuture, $0.loan.item) < (
        $1.loan.until ?? .distantFuture, $1.loan.item
      )
    }
    return loans.compactMap { kept in
      accounts[kept.account].map {
        Line(
          account: $0, item: kept.loan.item, part: .loans, title: kept.loan.title,
          authors: kept.loan.authors, since: kept.loan.since)
      }
    }
      + shelf.holds.compactMap { kept in
        accounts[kept.account].map {
          Line(
            account: $0, item: kept.hold.item, part: kept.hold.isReady ? .ready : .holds,
            title: kept.hold.title, authors: kept.hold.authors, since: kept.hold.since)
        }
      }
  }

  /// What no harvest ever met, by what the shelf itself tells.
  private static func unlisted(_ line: Line) -> CatalogEntry {
    var edition = Edition(item: line.item, title: line.title ?? line.item.rawValue)
    edition.contributors = line.authors.map { Contributor(name: $0, role: .author) }
    return CatalogEntry(
      work: WorkID("\(line.account.library.rawValue):\(line.item.rawValue)"),
      editions: [
        ListedEdition(
          library: line.account.library, provider: line.account.provider, edition: edition,
          availability: nil)
      ])
  }

  /// A line of the shelf that no harvest met, by the name that its entry has.
  static func entry(named work: WorkID, in shelf: ReaderShelf) -> CatalogEntry? {
    lines(of: shelf).lazy.map(unlisted).first { $0.work == work }
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
