import Catalog
import Circulation
import Database
import Desk
import Items
import Registry

/// What a reader means by a title: a work, an offer by name, or words.
struct Finding {
  struct Found: Sendable {
    let entry: CatalogEntry
    /// The card, where the reader named one.
    let account: Account?
  }

  private let visit: Visit
  private let offers: Offers

  init(_ visit: Visit, _ offers: Offers) { (self.visit, self.offers) = (visit, offers) }

  func one(_ title: String) async throws(ErrorItem) -> Found {
    if let found = try await byName(title) { return found }
    let words = try await byWords(title)
    let folded = title.lowercased()
    let exact = words.filter { entry in
      entry.editions.contains { $0.edition.title.lowercased() == folded }
    }
    if exact.count == 1 { return Found(entry: exact[0], account: nil) }
    if words.count == 1 { return Found(entry: words[0], account: nil) }
    var error = ErrorItem(words.isEmpty ? "unknown_title" : "several_matches")
    error.detail = title
    error.choices = (exact.isEmpty ? words : exact).prefix(10).map { entry in
      let edition = entry.lead.edition
      let by = edition.authors.isEmpty ? "" : " by " + edition.authors.joined(separator: ", ")
      return "\(entry.work.rawValue)  \(edition.title)\(by)"
    }
    throw error
  }

  /// The work as a whole, also where one offer of it was named.
  func whole(_ title: String) async throws(ErrorItem) -> CatalogEntry {
    let found = try await one(title)
    guard found.account != nil else { return found.entry }
    let work = try await toldOfDatabase { () throws(DatabaseError) in
      try await visit.house.catalog.work(
        found.entry.work, at: Array(Set(offers.accounts.map(\.library))))
    }
    return work ?? found.entry
  }

  /// By words among what is on the shelf: `carrel return emma` means the one that was borrowed.
  func onShelf(_ title: String, _ items: [(AccountID, ItemID, String?)])
    async throws(ErrorItem) -> Found?
  {
    let folded = title.lowercased()
    let entries = try await visit.entries(items.map { ($0.0, $0.1) }, offers.accounts)
    var matches: [Found] = []
    for (item, entry) in zip(items, entries) {
      let name = item.2 ?? entry?.editions[0].edition.title ?? ""
      guard entry?.work.rawValue == title || name.lowercased().contains(folded),
        let account = offers.accounts.first(where: { $0.id == item.0 })
      else { continue }
      matches.append(Found(entry: entry ?? unlisted(item.1, name, account), account: account))
    }
    return matches.count == 1 ? matches[0] : nil
  }

  private func byName(_ title: String) async throws(ErrorItem) -> Found? {
    let entry = try await toldOfDatabase { () throws(DatabaseError) in
      try await visit.house.catalog.work(
        WorkID(title), at: Array(Set(offers.accounts.map(\.library))))
    }
    if let entry { return Found(entry: entry, account: nil) }
    guard let colon = title.firstIndex(of: ":"),
      let account = offers.accounts.first(where: {
        $0.name.lowercased() == title[..<colon].lowercased()
      })
    else { return nil }
    let item = ItemID(String(title[title.index(after: colon)...]))
    let known = try await toldOfDatabase { () throws(DatabaseError) in
      try await visit.house.catalog.edition(item, at: account.library)
    }
    // An item that was never harvested may be had all the same.
    return Found(entry: known ?? unlisted(item, item.rawValue, account), account: account)
  }

  private func unlisted(_ item: ItemID, _ title: String, _ account: Account) -> CatalogEntry {
    CatalogEntry(
      work: WorkID("\(account.name):\(item.rawValue)"),
      editions: [
        ListedEdition(
          library: account.library, provider: account.provider,
          edition: Edition(item: item, title: title), availability: nil)
      ])
  }

  private func byWords(_ title: String) async throws(ErrorItem) -> [CatalogEntry] {
    try await toldOfDatabase { () throws(DatabaseError) in
      try await visit.house.catalog.search(
        CatalogQuery(words: title, libraries: Array(Set(offers.accounts.map(\.library)))))
    }
  }
}
