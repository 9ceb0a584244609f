import Catalog
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Shelving

/// The whole catalogue for harvesters, what changed last first (§2.1). Paging goes by the place in
/// that order, so that nothing is missed or told twice while it changes.
enum AllRoute {
  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _: Void
  ) async throws(Problem) -> Draft {
    let wish = try PageWish(errand.query)
    let place = try place(errand.query["after"])
    let count = errand.query["count"] == nil ? PageWish.most : wish.count
    let (page, total) = try await facade.read { () throws(DatabaseError) in
      let page = try await facade.stock.catalog.changes(
        at: errand.libraries, after: place, limit: count)
      let everything = Lane(id: "all", title: "All", .rule(LaneRule()))
      let counts = try await facade.stock.catalog.counts(
        of: [everything], at: errand.libraries)
      return (page, counts.first ?? 0)
    }
    let path = errand.paths.all.print()
    var feed = errand.frame(
      "All titles", .acquisition, at: path, fields(place, count), named: ["all"], in: facade)
    feed.links.append(
      errand.head.feed(path, .acquisition, [.first], "First page", fields(nil, count)))
    if let next = page.next {
      feed.links.append(
        errand.head.feed(path, .acquisition, [.next], "Next page", fields(next, count)))
    }
    feed.links.append(
      errand.head.feed(path, .acquisition, [.crawlable], "All titles", fields(nil, PageWish.most)))
    (feed.total, feed.perPage) = (total, count)
    feed.isComplete = place == nil && page.next == nil
    feed.date(by: page.versions.map(\.changed), or: nil)
    let entries = try await whole(page, facade, errand)
    return Draft(.feed(feed, entries, groups: []))
  }

  /// All that is known of each, so that nobody has to come again for it.
  private static func whole(
    _ page: ChangePage, _ facade: Facade, _ errand: Errand
  ) async throws(Problem) -> [Draft.Item] {
    let works = page.versions.map(\.work)
    let entries = try await facade.read { () throws(DatabaseError) in
      try await facade.stock.catalog.entries(of: works, at: errand.libraries)
    }
    let changes = Dictionary(
      page.versions.map { ($0.work, $0.changed) }, uniquingKeysWith: { $1 })
    let making = facade.making(errand)
    return entries.map { entry in
      .own(
        making.publication(
          entry, changed: changes[entry.work] ?? 0, for: errand.shelf, .complete))
    }
  }

  private static func fields(_ place: ChangePlace?, _ count: Int) -> FormFields {
    var fields = FormFields()
    if let place { fields.add("after", "\(place.changed)-\(place.edition)") }
    if count != PageWish.most { fields.add("count", String(count)) }
    return fields
  }

  private static func place(_ text: String?) throws(Problem) -> ChangePlace? {
    guard let text, !text.isEmpty else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 2, let changed = parts[0], let edition = parts[1] else {
      throw Problem(
        .badRequest, code: "bad_value", detail: "after is a place that a feed has named",
        remedy: "Begin at the first page.")
    }
    return ChangePlace(changed: changed, edition: edition)
  }
}
