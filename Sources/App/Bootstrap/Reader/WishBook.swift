import Catalog
import Circulation
import Database
import FoundationEssentials
import Items
import ReadingLists
import Registry
import Wishes

/// The wishes of one reader as they stand now, recognized as far as they can be.
struct WishBook {
  private let visit: Visit
  let wishes: [Wish]
  private let lists: [ListID: CustomList]
  private let members: [MemberName: ListMember]

  private struct MemberName: Hashable {
    let list: ListID
    let member: String
  }

  init(_ visit: Visit) async throws(ErrorItem) {
    self.visit = visit
    let found = try await toldOfDatabase { () throws(DatabaseError) in
      _ = try await visit.house.wishes.follow()
      try await visit.house.wishes.recognize(in: visit.house.catalog)
      return try await visit.house.wishes.wishes(of: visit.patron.id)
    }
    let marked = try await toldOfDatabase { () throws(DatabaseError) in
      Set(try await visit.house.wishes.lists(of: visit.patron.id).map(\.list))
    }
    let own = try await listed { () throws(ListError) in
      try await visit.house.lists.lists(of: visit.patron.id)
    }
    lists = Dictionary(
      own.filter { marked.contains($0.id) }.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var members: [MemberName: ListMember] = [:]
    for list in lists.values {
      let books = try await listed(list.name) { () throws(ListError) in
        try await visit.house.lists.members(of: list.id, of: visit.patron.id)
      }
      for book in books { members[MemberName(list: list.id, member: book.id)] = book }
    }
    self.members = members
    func place(_ wish: Wish) -> Int {
      members[MemberName(list: wish.list, member: wish.member)]?.place ?? .max
    }
    wishes = found.sorted { one, other in
      one.list == other.list
        ? (place(one), one.id) < (place(other), other.id) : one.list < other.list
    }
  }

  // MARK: - Naming

  func list(_ name: String) throws(ErrorItem) -> CustomList {
    let folded = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    let found = lists.values.first { $0.id.rawValue == name || $0.name.lowercased() == folded }
    if let found { return found }
    var error = ErrorItem("unknown_list")
    error.detail = name
    throw error
  }

  /// By its id, its work, or words of its title.
  func wish(_ word: String) throws(ErrorItem) -> Wish {
    let named = wishes.filter {
      $0.id == word || $0.member == word || $0.match.work?.rawValue == word
    }
    if let first = named.first, named.count == 1 || first.id == word { return first }
    let folded = word.lowercased()
    let exact = wishes.filter { $0.title.lowercased() == folded }
    let partly = wishes.filter { $0.title.lowercased().contains(folded) }
    let found = !named.isEmpty ? named : exact.isEmpty ? partly : exact
    if found.count == 1 { return found[0] }
    var error = ErrorItem(found.isEmpty ? "unknown_wish" : "several_matches")
    error.detail = word
    error.choices = found.prefix(10).map { "\($0.id)  \($0.title)" }
    throw error
  }

  // MARK: - Telling

  func items(_ wishes: [Wish]) async throws(ErrorItem) -> [WishItem] {
    let all = try await Offers(visit)
    let works = Array(Set(wishes.flatMap(\.works)))
    let found = try await toldOfDatabase { () throws(DatabaseError) in
      try await visit.house.catalog.entries(
        of: works, at: Array(Set(all.accounts.map(\.library))))
    }
    let entries = Dictionary(found.map { ($0.work, $0) }, uniquingKeysWith: { $1 })
    let offers = try await all.watching(found)
    return wishes.map { item($0, entries, offers) }
  }

  private func item(
    _ wish: Wish, _ entries: [WorkID: CatalogEntry], _ offers: Offers
  ) -> WishItem {
    let member = members[MemberName(list: wish.list, member: wish.member)]
    var item = WishItem(
      id: wish.id, list: lists[wish.list]?.name ?? wish.list.rawValue, title: wish.title,
      authors: wish.authors, isbns: wish.isbns.map(\.digits),
      addedAt: Date(milliseconds: member?.addedAt ?? 0).rfc3339, rule: wish.rule.rawValue)
    item.isDecided = wish.isDecided
    if let kept = member?.book.entry { item.told = ListedBookItem.Told(kept) }
    item.since = wish.watch.since.map { Date(milliseconds: $0).rfc3339 }
    item.toldAt = wish.toldAt.map { Date(milliseconds: $0).rfc3339 }
    item.deed = wish.deed.flatMap { $0.isOpen ? nil : $0.rawValue }
    switch wish.match {
    case .sure(let work):
      item.work = work.rawValue
      item.match = "matched"
      guard let entry = entries[work] else { break }
      let told = offers.work(entry)
      item.offers = told.offers
      item.state = Self.state(told)
    case .unsure(let choices):
      item.match = "unsure"
      item.state = "unsure"
      item.choices = choices.compactMap { choice in
        entries[choice.work].map { entry in
          let face = entry.lead.edition
          return WishChoiceItem(
            work: choice.work.rawValue, title: face.title, authors: face.authors,
            score: choice.score, why: choice.why)
        }
      }
      // What no library of this reader has is no choice.
      if item.choices.isEmpty { (item.match, item.state) = ("none", "not_held") }
    case .none, .unread: break
    }
    return item
  }

  private static func state(_ work: WorkItem) -> String {
    let mine = Set(work.offers.compactMap(\.mine))
    if mine.contains("loan") { return "on_loan" }
    if mine.contains("ready") || mine.contains("hold") { return "on_hold" }
    let words = Set(work.offers.map(\.availability.status))
    if !words.isDisjoint(with: ["available", "open_access"]) { return "available" }
    if words.contains("queued") { return "waiting" }
    if words.isEmpty { return "not_held" }
    // What nobody said is not known: that is no word about what the library has.
    return words.contains("unknown") ? "not_asked" : "unavailable"
  }
}

extension Wish {
  /// All that it is or may be.
  fileprivate var works: [WorkID] {
    switch match {
    case .sure(let work): [work]
    case .unsure(let choices): choices.map(\.work)
    case .none, .unread: []
    }
  }
}
