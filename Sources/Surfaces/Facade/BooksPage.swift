import Catalog
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Phrasebook
import Shelving

/// A page of works as a feed: what leads to other pages, and to other choices.
struct BooksPage {
  let facade: Facade
  let errand: Errand
  let wish: PageWish
  /// Whether a genre can be chosen.
  let hasGenres: Bool
  /// The page's own path, and that of its choices one by one.
  let path: String
  let narrowingPath: String
  let name: [String]
  /// What else is near.
  var links: [Link] = []

  func draft(_ title: String, _ page: LanePage, summary: String? = nil) throws(Problem) -> Draft {
    try wish.check(against: page.total)
    var feed = errand.frame(title, .acquisition, at: path, wish.fields, named: name, in: facade)
    feed.subtitle = [summary, feed.subtitle].compactMap(\.self).joined(separator: " ").words
    (feed.total, feed.perPage, feed.first) = (page.total, wish.count, wish.offset + 1)
    feed.date(by: page.versions.map(\.changed), or: nil)
    feed.links += errand.turns(path, wish, of: page.total)
    feed.links.append(
      errand.head.feed(
        narrowingPath, .navigation, [.subsection], "Narrow this list", wish.narrowing))
    feed.links += links
    feed.facets = facets(page)
    return Draft(.feed(feed, errand.items(page, facade), groups: []))
  }

  // MARK: - Facets

  func facets(_ page: LanePage) -> [Feed.FacetGroup] {
    let choices = page.facets.compactMap { group -> Feed.FacetGroup? in
      let known = group.choices.prefix(Self.mostChoices)
      guard known.count > 1 || wish.chosen(group.name) != nil else { return nil }
      var facets = [facet("All", wish.choosing(group.name, nil), wish.chosen(group.name) == nil)]
      facets += known.map { choice in
        facet(
          Labels.choice(choice.value, in: group.name, facade.stock.nameOfLibrary),
          wish.choosing(group.name, choice.value), choice.isChosen, choice.count)
      }
      return Feed.FacetGroup(Labels.group(group.name), facets)
    }
    let orders = LaneOrder.allCases.map { order in
      facet(Labels.order(order), wish.sorted(by: order), page.order == order)
    }
    return choices + (hasGenres ? [genres] : []) + [Feed.FacetGroup(Labels.orders, orders)]
  }

  private var genres: Feed.FacetGroup {
    let all = facet("All", wish.about(nil), wish.genre == nil)
    return Feed.FacetGroup(
      "Genre",
      [all]
        + Genre.all.filter { $0.parent == nil }.map { genre in
          facet(genre.title, wish.about(genre), wish.genre == genre)
        })
  }

  private static let mostChoices = 40

  private func facet(
    _ title: String, _ wish: PageWish, _ isActive: Bool, _ count: Int? = nil
  ) -> Feed.Facet {
    var link = errand.head.feed(path, .acquisition, [.facet], title, wish.narrowing)
    link.count = count
    return Feed.Facet(link, isActive: isActive)
  }

  /// The same choices, for apps that know no facets: each is an entry that leads on (§2.4).
  func narrowing(_ title: String, _ page: LanePage) -> Draft {
    var feed = errand.frame(
      "Narrow: \(title)", .navigation, at: narrowingPath, wish.narrowing,
      named: name + ["narrow"], in: facade)
    feed.date(by: page.versions.map(\.changed), or: nil)
    let all = errand.navigation(
      "\(title) (\(Numerals.grouped(page.total)))", path, .acquisition, named: name + ["all"],
      query: wish.narrowing, updated: feed.updated)
    feed.navigation = [all]
    for group in facets(page) {
      for facet in group.facets where !facet.isActive {
        var link = facet.link
        link.relations = [.subsection]
        let count = link.count.map { " (\(Numerals.grouped($0)))" } ?? ""
        var entry = Feed.NavigationEntry(
          id: Self.id(of: link, name, errand), title: "\(group.title): \(link.title ?? "")\(count)",
          links: [link])
        entry.updated = feed.updated
        feed.navigation.append(entry)
      }
    }
    return Draft(.feed(feed, [], groups: []))
  }

  private static func id(of link: Link, _ name: [String], _ errand: Errand) -> String {
    let query = link.href.firstIndex(of: "?").map { String(link.href[$0...].dropFirst()) } ?? ""
    return errand.head.name(of: name + ["choice", query])
  }
}

extension Errand {
  /// The ways to the other pages of a feed.
  func turns(_ path: String, _ wish: PageWish, of total: Int) -> [Link] {
    let last = wish.pages(of: total)
    func turn(_ relation: Relation, _ number: Int, _ title: String) -> Link {
      head.feed(path, .acquisition, [relation], title, wish.at(number))
    }
    var links = [turn(.first, 1, "First page")]
    if wish.page > 1 { links.append(turn(.previous, wish.page - 1, "Previous page")) }
    if wish.page < last { links.append(turn(.next, wish.page + 1, "Next page")) }
    return links + [turn(.last, last, "Last page")]
  }

  /// What stands on a page, with the reader's own books as they are for this reader.
  func items(_ page: LanePage, _ facade: Facade) -> [Draft.Item] {
    let own = Dictionary(
      page.entries.map { ($0.work, $0) }, uniquingKeysWith: { first, _ in first })
    return page.versions.map { version in
      guard let entry = own[version.work] else { return .shared(version) }
      return .own(
        facade.making(self).publication(
          entry, changed: version.changed, for: shelf, why: page.reasons[version.work]?.words,
          .short))
    }
  }
}

extension String {
  /// Nil for nothing.
  var words: String? { isEmpty ? nil : self }
}
