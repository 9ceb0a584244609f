package import Circulation
import ProviderKit

extension GoodreadsProvider {
  package func friends(in call: Call) async throws(CirculationError) -> [ReadingFriend] {
    let reader = try reader(.list)
    var (found, number): ([ReadingFriend], Int) = ([], 1)
    while number <= Self.mostPages {
      let page = try await ask(settings.friends(of: reader.userID, page: number), .list, in: call)
        .payload(["friends"], .list)
      let friends = try People.friends(page)
      let known = Set(found.map(\.id))
      let fresh = friends.filter { !known.contains($0.id) }
      found += fresh
      if fresh.isEmpty || Span(page).isLast { return found }
      number += 1
    }
    return found
  }

  package func lists(of friend: ReadingFriend, in call: Call)
    async throws(CirculationError) -> [ReadingList]
  {
    let owner = Shelf.of(friend: friend.id)
    return try await shelves(of: friend.id, in: call).map { shelf in
      var list = shelf.list(as: owner.id(shelf.name))
      list.isOpen = false
      return list
    }
  }

  package func news(in call: Call) async throws(CirculationError) -> [FriendNews] {
    let updates = try await ask(settings.news, .list, in: call).payload(["updates"], .list)
    return updates.all("update").compactMap(People.news)
  }
}

/// Readers, and what they did.
enum People {
  static func friends(_ page: WireXML) throws(CirculationError) -> [ReadingFriend] {
    let users = page.all("user")
    let friends = users.compactMap(friend)
    guard friends.count == users.count else {
      throw Documents.malformed("friends with numbers and names", .list)
    }
    return friends
  }

  private static func friend(_ xml: WireXML) -> ReadingFriend? {
    guard let id = xml.number("id"), let name = xml.words("name") ?? xml.words("display_name")
    else { return nil }
    return ReadingFriend(id: id, name: WireBook.squeezed(name))
  }

  /// Updates are of many kinds; those that are about a book have one in them somewhere.
  static func news(_ update: WireXML) -> FriendNews? {
    guard let friend = update["actor"].flatMap(friend),
      let book = update.everywhere("book").lazy.compactMap(WireBook.init).first
    else { return nil }
    var entry = book.entry()
    let stars = update.everywhere("rating").lazy.compactMap(\.whole).first
    entry.rating = stars.flatMap { (1...5).contains($0) ? Double($0) : nil }
    entry.review = update.everywhere("body").lazy.compactMap(\.words).first
    if let status = update.everywhere("read_status").first?.words("status") {
      entry.state = Shelves.state(status, isExclusive: true)
      entry.lists = [Shelf.of(friend: friend.id).id(status)]
    }
    entry.link = update.words("link") ?? entry.link
    return FriendNews(friend, entry, at: WireReview.instant(update.words("updated_at")))
  }
}
