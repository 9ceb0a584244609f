import Catalog
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Shelving

/// One lane: the smaller ones in it, how it can be sorted and narrowed, and its books page by page.
enum LanePageRoute {
  static func make(
    _ lobby: Lobby, _ caller: Caller, _ name: String
  ) async throws(Problem) -> Page {
    guard let lane = lobby.stock.lane(named: name) else {
      throw Problem(.notFound, code: "unknown_lane", detail: Phrases.noLane)
    }
    let wish = try PageWish(caller.query)
    let path = LobbyPaths.lane.print(name)
    guard !lane.isGroup else {
      return Page(said(known: lane.title), .elsewhere, .remembered) {
        LaneView.back(from: lane, lobby, caller)
        tag("h1") { said(known: lane.title) }
        LaneView.chips(lane.lanes, caller)
      }
    }
    let page = try await lobby.stock.page(of: lane.about(wish.genre), wish, caller.reach, .books)
    try wish.check(against: page.total)
    let view = LaneView(lobby, caller, wish, path)
    return Page(said(known: lane.title), .elsewhere, .remembered) {
      LaneView.back(from: lane, lobby, caller)
      tag("h1") { said(known: lane.title) }
      if !lane.lanes.isEmpty { LaneView.chips(lane.lanes, caller) }
      if page.total == 0, wish.narrowing.isEmpty {
        tag("p", .init("class", "empty")) {
          lane.isRecommending
            ? Phrases.recommendNothing
            : Phrases.emptyLane
        }
      } else {
        view.books(page)
      }
    }
  }
}

/// What is found among all libraries.
enum SearchPage {
  static func make(_ lobby: Lobby, _ caller: Caller) async throws(Problem) -> Page {
    let wish = try PageWish(searching: caller.query)
    let words = wish.shownWords
    let found = try await lobby.stock.found(wish, caller.reach, .books, ignored: .shown)
    try wish.check(against: found.total)
    let view = LaneView(lobby, caller, wish, LobbyPaths.search.print())
    var page = Page(Phrases.search(words), .elsewhere, .remembered) {
      tag("h1") { words.isEmpty ? Phrases.search : "“\(words)”" }
      if words.isEmpty {
        tag("p", .init("class", "empty")) {
          Phrases.searchHow
        }
      } else if found.total == 0 {
        nothing(wish, view)
      } else {
        view.books(found)
      }
    }
    page.words = wish.words
    return page
  }

  private static func nothing(_ wish: PageWish, _ view: LaneView) -> Node {
    tag("div", .init("class", "empty")) {
      tag("p") { Phrases.foundNothing }
      if wish.facets == LaneFacets() {
        tag("p") { Phrases.searchOtherwise }
      } else {
        tag("p") {
          tag("a", .init("href", view.address(view.plain))) { Phrases.searchWider }
        }
      }
    }
  }
}

/// A page of works with the choices that lead to others.
struct LaneView {
  private let lobby: Lobby
  private let caller: Caller
  private let wish: PageWish
  private let path: String

  init(_ lobby: Lobby, _ caller: Caller, _ wish: PageWish, _ path: String) {
    (self.lobby, self.caller, self.wish, self.path) = (lobby, caller, wish, path)
  }

  /// To the lane around this one, or to all of them.
  static func back(from lane: Lane, _ lobby: Lobby, _ caller: Caller) -> Node {
    let around = lobby.stock.lanes.lazy.flatMap(\.flattened).map(\.lane).first { other in
      other.lanes.contains { $0.id == lane.id }
    }
    let path = around.map { LobbyPaths.lane.print($0.id) } ?? LobbyPaths.home.print()
    return tag("p", .init("class", "back")) {
      tag("a", .init("href", caller.link(path))) {
        (around?.title).map { said(known: $0) } ?? Phrases.toLibrary
      }
    }
  }

  static func chips(_ lanes: [Lane], _ caller: Caller) -> Node {
    tag("ul", .init("class", "chips")) {
      for lane in lanes {
        tag("li") {
          tag("a", .init("href", caller.link(LobbyPaths.lane.print(lane.id)))) {
            said(known: lane.title)
          }
        }
      }
    }
  }

  func address(_ fields: FormFields) -> String { caller.link(path, fields) }

  /// Without what narrows it.
  var plain: FormFields {
    var wish = wish
    (wish.facets, wish.page) = (LaneFacets(), 1)
    return wish.narrowing
  }

  @Children func books(_ page: LanePage) -> [Node] {
    tag("p", .init("class", "small")) {
      Phrases.titles(page.total)
    }
    tag("div", .init("class", "tools")) {
      narrowing(page)
      sorting(page)
    }
    chosen(page)
    BookCards(lobby, caller).list(page)
    turns(page)
  }

  // MARK: - Choices

  private func sorting(_ page: LanePage) -> Node {
    tag("nav", .init("class", "sort"), .init("aria-label", Labels.orders)) {
      tag("span", .init("class", "small")) { Labels.orders + " " }
      for order in LaneOrder.allCases {
        tag(
          "a", .init("href", address(wish.sorted(by: order).narrowing)),
          .init("aria-current", page.order == order ? "true" : nil)
        ) { Labels.order(order) }
      }
    }
  }

  private func narrowing(_ page: LanePage) -> Node? {
    let groups = page.facets.filter { $0.choices.count > 1 || wish.chosen($0.name) != nil }
    guard !groups.isEmpty else { return nil }
    return tag("details", .init("class", "facets")) {
      tag("summary") { Phrases.narrow }
      tag("div", .init("class", "groups")) {
        for group in groups {
          tag("div") {
            tag("h2") { Labels.group(group.name) }
            tag("ul") {
              for choice in group.choices.prefix(24) {
                tag("li") {
                  tag(
                    "a",
                    .init(
                      "href",
                      address(
                        wish.choosing(group.name, choice.isChosen ? nil : choice.value).narrowing)),
                    .init("aria-current", choice.isChosen ? "true" : nil)
                  ) {
                    word(choice.value, group.name)
                    tag("span", .init("class", "count")) { " \(Numerals.grouped(choice.count))" }
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  private func word(_ value: String, _ name: FacetGroup.Name) -> String {
    Labels.choice(value, in: name, lobby.stock.nameOfLibrary)
  }

  /// What the list is narrowed by, each with a way to leave it.
  private func chosen(_ page: LanePage) -> Node? {
    let chosen = FacetGroup.Name.allCases.compactMap { name in
      wish.chosen(name).map { (name, $0) }
    }
    guard !chosen.isEmpty else { return nil }
    return tag("ul", .init("class", "chips chosen")) {
      for (name, value) in chosen {
        tag("li") {
          tag("a", .init("href", address(wish.choosing(name, nil).narrowing))) {
            tag("span", .init("class", "unseen")) { "\(Phrases.without): " }
            word(value, name)
            tag("span", .init("aria-hidden", "true")) { " ×" }
          }
        }
      }
    }
  }

  // MARK: - Pages

  private func turns(_ page: LanePage) -> Node? {
    let last = wish.pages(of: page.total)
    guard last > 1 else { return nil }
    return tag("nav", .init("class", "turns"), .init("aria-label", Phrases.pages)) {
      if wish.page > 1 {
        tag("a", .init("rel", "prev"), .init("href", address(wish.at(wish.page - 1)))) {
          Phrases.previous
        }
      }
      tag("span", .init("class", "small")) {
        Phrases.page(wish.page, of: last)
      }
      if wish.page < last {
        tag("a", .init("rel", "next"), .init("href", address(wish.at(wish.page + 1)))) {
          Phrases.next
        }
      }
    }
  }
}
