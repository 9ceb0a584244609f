import Catalog
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Shelving

/// A few books of each lane, side by side (§2.5).
enum GroupsRoute {
  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _: Void
  ) async throws(Problem) -> Draft {
    var feed = errand.frame(
      facade.settings.title, .acquisition, at: errand.paths.groups.print(), named: ["groups"],
      in: facade)
    return try await fill(&feed, facade.stock.lanes, facade, errand)
  }

  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _ name: String
  ) async throws(Problem) -> Draft {
    let lane = try facade.lane(named: name)
    try facade.open(lane, to: errand)
    var feed = errand.frame(
      lane.title, .acquisition, at: errand.paths.laneGroups.print(name),
      named: ["lanes", name, "groups"], in: facade)
    return try await fill(&feed, lane.lanes.isEmpty ? [lane] : lane.lanes, facade, errand)
  }

  /// Readers that know no groups show one flat list: a book stands in the first of its lanes only.
  private static func fill(
    _ feed: inout Feed, _ lanes: [Lane], _ facade: Facade, _ errand: Errand
  ) async throws(Problem) -> Draft {
    var wish = try PageWish(FormFields())
    wish.count = 2 * each
    var (seen, changes): (Set<String>, [Int64]) = ([], [])
    var groups: [[Draft.Item]] = []
    for lane in lanes {
      if lane.isRecommending, errand.visitor == .anonymous { continue }
      var page = try await facade.page(of: lane, wish, errand)
      page.versions = Array(
        page.versions.filter { !seen.contains($0.work.rawValue) }.prefix(each))
      guard !page.versions.isEmpty else { continue }
      seen.formUnion(page.versions.map(\.work.rawValue))
      changes += page.versions.map(\.changed)
      var link = errand.head.feed(
        (lane.lanes.isEmpty ? errand.paths.books : errand.paths.lane).print(lane.id),
        lane.lanes.isEmpty ? .acquisition : .navigation, [.collection], lane.title)
      link.count = page.total
      feed.groups.append(Feed.Group(lane.title, link))
      groups.append(errand.items(page, facade))
    }
    feed.date(by: changes, or: nil)
    return Draft(.feed(feed, [], groups: groups))
  }

  private static let each = 12
}
