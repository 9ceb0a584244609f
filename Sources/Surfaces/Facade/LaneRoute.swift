import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Phrasebook
import Shelving

/// A lane with smaller ones in it: what leads to each, and to all of it.
enum LaneRoute {
  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _ name: String
  ) async throws(Problem) -> Draft {
    let lane = try facade.lane(named: name)
    guard !lane.lanes.isEmpty else { return try await BooksRoute.draft(facade, errand, name) }
    try facade.open(lane, to: errand)
    let path = errand.paths.lane.print(name)
    var feed = errand.frame(
      lane.title, .navigation, at: path, named: ["lanes", name], in: facade)
    let counted = try await facade.counted(lane.lanes + [lane], errand)
    feed.date(by: [], or: counted.harvested)
    let inner = CountedLanes(
      lanes: Array(counted.lanes.dropLast()), harvested: counted.harvested)
    let whole = lane.isGroup ? "" : " (\(Numerals.grouped(counted.lanes.last?.count ?? 0)))"
    feed.navigation = [
      errand.navigation(
        "All of \(lane.title)\(whole)", errand.paths.books.print(name), .acquisition,
        named: ["lanes", name, "books"], updated: feed.updated)
    ]
    feed.navigation += facade.entries(for: inner, errand)
    feed.navigation += [
      errand.navigation(
        "A look into \(lane.title)", errand.paths.laneGroups.print(name), .acquisition,
        named: ["lanes", name, "groups"], saying: "A few books of each.",
        updated: feed.updated),
      errand.navigation(
        "Narrow \(lane.title)", errand.paths.laneNarrowing.print(name), .navigation,
        named: ["lanes", name, "narrow"], updated: feed.updated),
    ]
    return Draft(.feed(feed, [], groups: []))
  }
}

/// All books of a lane, page by page.
enum BooksRoute {
  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _ name: String
  ) async throws(Problem) -> Draft {
    var (page, lane) = try page(facade, errand, name)
    if lane.isRecommending { page.links = try await SharedEntries(facade, errand).links() }
    let books = try await facade.page(of: lane, page.wish, errand)
    let isEmpty = lane.isRecommending && errand.reach.isWithoutTaste
    return try page.draft(
      lane.title, books,
      summary: isEmpty ? "Borrow a book, and what is like it comes to stand here." : nil)
  }

  static func page(
    _ facade: Facade, _ errand: Errand, _ name: String
  ) throws(Problem) -> (BooksPage, Lane) {
    let wish = try PageWish(errand.query)
    let lane = try facade.lane(named: name).about(wish.genre)
    try facade.open(lane, to: errand)
    let page = BooksPage(
      facade: facade, errand: errand, wish: wish, hasGenres: lane.isRecommending,
      path: errand.paths.books.print(name), narrowingPath: errand.paths.laneNarrowing.print(name),
      name: ["lanes", name, "books"])
    return (page, lane)
  }
}

/// The choices of a lane as entries, and before that the lanes that can be narrowed.
enum NarrowRoute {
  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _ name: String
  ) async throws(Problem) -> Draft {
    let (page, lane) = try BooksRoute.page(facade, errand, name)
    return page.narrowing(lane.title, try await facade.page(of: lane, page.wish, errand))
  }

  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _: Void
  ) async throws(Problem) -> Draft {
    let path = errand.paths.narrowing.print()
    var feed = errand.frame("Narrow a lane", .navigation, at: path, named: ["narrow"], in: facade)
    let lanes = facade.stock.lanes.flatMap(\.flattened).map(\.lane).filter {
      !$0.isRecommending || errand.visitor != .anonymous
    }
    let counted = try await facade.counted(lanes, errand)
    feed.date(by: [], or: counted.harvested)
    for (lane, count) in counted.lanes where count > 0 {
      feed.navigation.append(
        errand.navigation(
          "\(lane.title) (\(Numerals.grouped(count)))", errand.paths.laneNarrowing.print(lane.id),
          .navigation, named: ["lanes", lane.id, "narrow"], updated: feed.updated))
    }
    return Draft(.feed(feed, [], groups: []))
  }
}
