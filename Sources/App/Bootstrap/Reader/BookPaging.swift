import Catalog
import Circulation
import Database
import Items
import Registry
import Setup
import Shelving

extension Visit {
  /// A page of the catalogue as one reader sees it: with what is open elsewhere, with what the
  /// libraries say now, and with the offers on the reader's own cards. Where only what can be had
  /// now is wanted, a book that turns out to be gone is left out.
  func page(
    for offers: Offers, onlyNow: Bool, _ read: () async throws(DatabaseError) -> LanePage
  ) async throws(ErrorItem) -> BookPage {
    let page = try await lookingUp(offers.accounts, for: \.entries) { () throws(ErrorItem) in
      try await toldOfDatabase(read)
    }
    let ways = await refreshed(page.entries.map(offers.ways))
    let works = zip(page.entries, ways).filter { _, ways in
      !onlyNow || ways.contains { $0.availability?.canBeHadNow == true }
    }
    let watching = try await offers.watching(works.map(\.0))
    return BookPage(
      entries: works.map { entry, ways in
        BookPage.Entry(work: watching.work(entry, ways: ways), why: page.reasons[entry.work]?.words)
      },
      total: page.total - (page.entries.count - works.count),
      facets: page.facets.map { FacetItem($0) })
  }
}

extension [Account] {
  /// Those that its reader has cards at.
  func libraries() throws(ErrorItem) -> [LibraryID] {
    if isEmpty { throw ErrorItem("no_accounts") }
    return map(\.library).distinct
  }
}

extension LaneFacets {
  init(_ choices: [FacetChoice]) {
    self.init()
    for choice in choices {
      switch choice.name {
      case .availability: standing = LaneRule.Standing(rawValue: choice.value)
      case .format: format = choice.value
      case .language: language = choice.value
      case .collection: collection = choice.value
      }
    }
  }
}

extension FacetItem {
  fileprivate init(_ group: FacetGroup) {
    self.init(
      name: group.name.rawValue,
      choices: group.choices.map {
        Choice(value: $0.value, works: $0.count, isChosen: $0.isChosen)
      })
  }
}
