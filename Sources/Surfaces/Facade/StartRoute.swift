import Catalog
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Phrasebook
import Shelving

/// The root, from which everything is found.
enum StartRoute {
  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _: Void
  ) async throws(Problem) -> Draft {
    let path = errand.paths.start.print()
    var feed = errand.frame(
      facade.settings.title, .navigation, at: path, named: ["start"], in: facade)
    let counted = try await facade.counted(facade.stock.lanes, errand)
    feed.date(by: [], or: counted.harvested)
    feed.links.append(
      errand.head.feed(errand.paths.all.print(), .acquisition, [.crawlable], "All titles"))
    feed.navigation = facade.entries(for: counted, errand)
    feed.navigation += try await SharedEntries(facade, errand).start(feed.updated)
    feed.navigation += [
      errand.navigation(
        "A look into every lane", errand.paths.groups.print(), .acquisition, named: ["groups"],
        saying: "A few books of each.", updated: feed.updated),
      errand.navigation(
        "Narrow a lane", errand.paths.narrowing.print(), .navigation, named: ["narrow"],
        saying: "By what is available now, format, language or library.", updated: feed.updated),
      errand.navigation(
        "Your shelf", errand.paths.shelf.print(), .acquisition, named: ["shelf"],
        saying: "What you have on loan and wait for.", [.shelf], updated: feed.updated),
    ]
    if errand.visitor.seesLists {
      feed.navigation.append(
        errand.navigation(
          "Your lists", errand.paths.lists.print(), .navigation, named: ["lists"],
          saying: "What you put together yourself.", updated: feed.updated))
    }
    return Draft(.feed(feed, [], groups: []))
  }
}

/// Lanes with how many works each has.
struct CountedLanes: Sendable {
  let lanes: [(lane: Lane, count: Int)]
  let harvested: Int64?
}

extension Facade {
  func counted(_ lanes: [Lane], _ errand: Errand) async throws(Problem) -> CountedLanes {
    let libraries = errand.libraries
    return try await read { () throws(DatabaseError) in
      let counts = try await stock.catalog.counts(of: lanes, at: libraries)
      return CountedLanes(
        lanes: zip(lanes, counts).map { ($0, $1) },
        harvested: try await stock.catalog.lastHarvest(of: libraries))
    }
  }

  /// A lane without books is not offered, unless apps look for one of its kind; what is recommended
  /// is not counted.
  func entries(for counted: CountedLanes, _ errand: Errand) -> [Feed.NavigationEntry] {
    var updated = Feed(title: "")
    updated.date(by: [], or: counted.harvested)
    return counted.lanes.compactMap { lane, count in
      guard count > 0 || lane.isGroup || !lane.relations.isEmpty else { return nil }
      let isLeaf = lane.lanes.isEmpty
      let path = (isLeaf ? errand.paths.books : errand.paths.lane).print(lane.id)
      let isCounted = !lane.isGroup && !lane.isRecommending
      return errand.navigation(
        isCounted ? "\(lane.title) (\(Numerals.grouped(count)))" : lane.title, path,
        isLeaf ? .acquisition : .navigation, named: ["lanes", lane.id],
        saying: lane.isRecommending ? "Like what you have on loan or wait for." : nil,
        lane.relations, count: isCounted ? count : nil, updated: updated.updated)
    }
  }
}
