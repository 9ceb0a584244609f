import Arguments
import Catalog
import Circulation
import Database
import Desk
package import Items
import Profiles
import Registry
package import Setup
import Shelving

extension LinkedEngine {
  package func lanes(at seat: Seat) async throws(ErrorItem) -> [LaneItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let libraries = try await visit.accounts().libraries()
      let placed = Self.placed(seat.configuration.lanes.shown)
      let counts = try await toldOfDatabase { () throws(DatabaseError) in
        try await visit.house.catalog.counts(of: placed.map(\.lane), at: libraries)
      }
      return zip(placed, counts).map { place, count in
        var item = place.item
        item.works = place.lane.isCounted ? count : nil
        return item
      }
    }
  }

  package func lane(_ order: LaneShowOrder, at seat: Seat) async throws(ErrorItem) -> LaneAnswer {
    try await visit(seat) { visit throws(ErrorItem) in
      let placed = Self.placed(seat.configuration.lanes.shown)
      guard let place = placed.first(where: { $0.lane.id == order.name }) else {
        var error = ErrorItem("unknown_lane")
        error.detail = order.name
        error.choices = nearest(to: order.name, among: placed.map(\.lane.id))
        throw error
      }
      let offers = try await Offers(visit)
      var query = LaneQuery(
        place.lane, libraries: try offers.accounts.libraries(), order: order.sort,
        facets: LaneFacets(order.facets), offset: (order.page - 1) * order.limit,
        limit: order.limit)
      query.taste = offers.taste
      query.liked = try await toldOfDatabase { () throws(DatabaseError) in
        try await visit.house.profiles.genres(of: visit.patron.id)
      }
      query.hidden = offers.hidden
      let wish = query
      let page = try await visit.page(
        for: offers, onlyNow: wish.facets.standing == .now || place.lane.isOfNow
      ) { () throws(DatabaseError) in
        try await visit.house.catalog.lane(wish)
      }
      var item = place.item
      item.works = page.total
      return LaneAnswer(
        lane: item, page: page, sort: order.sort ?? place.lane.order,
        isWithoutTaste: place.lane.isRecommending && wish.taste.isEmpty && wish.liked.isEmpty)
    }
  }

  private struct Place {
    let lane: Lane
    let item: LaneItem
  }

  private static func placed(
    _ lanes: [Lane], in parent: String? = nil, depth: Int = 0
  ) -> [Place] {
    lanes.flatMap { lane in
      let item = LaneItem(
        name: lane.id, title: lane.title, parent: parent, depth: depth, works: nil)
      return [Place(lane: lane, item: item)]
        + placed(lane.lanes, in: lane.id, depth: depth + 1)
    }
  }
}

extension Lane {
  /// A shelf of lanes has no books of its own, and what is recommended is another's for everybody.
  fileprivate var isCounted: Bool {
    switch source {
    case .rule, .list: true
    case .recommendation, .group: false
    }
  }

  fileprivate var isRecommending: Bool {
    if case .recommendation = source { true } else { false }
  }

  /// Whether it holds only what can be had now.
  fileprivate var isOfNow: Bool {
    if case .rule(let rule) = source { rule.standing == .now } else { false }
  }
}

extension Offers {
  /// What the reader has on loan or waits for.
  fileprivate var taste: [CatalogItem] {
    let libraries = Dictionary(accounts.map { ($0.id, $0.library) }, uniquingKeysWith: { $1 })
    let pairs = loans.map { ($0.account, $0.loan.item) } + holds.map { ($0.account, $0.hold.item) }
    return pairs.compactMap { account, item in
      libraries[account].map { CatalogItem(library: $0, item: item) }
    }
  }
}
