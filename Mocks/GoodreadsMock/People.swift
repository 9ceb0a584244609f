import HTTP
import HTTPServer
import MockKit

/// Readers, their friends, and what those did.
extension Visit {
  func user(_ id: String) throws(Refusal) -> Response {
    let reader = try self.reader(id)
    var inner = XML.element("id", id) + XML.element("name", reader.name)
    if reader.isPrivate, reader.card != card {
      return envelope(XML.wrap("user", inner + "<private>true</private>\n"))
    }
    let feed = "\(request.base)/goodreads/review/list_rss/\(id)"
    inner +=
      XML.cdata("reviews_rss_url", "\(feed)?key=\(Furnishing.feedKey(of: reader.card))&shelf=read")
      + XML.number("friends_count", reader.friends.count)
      + XML.number("reviews_count", reader.entries.count)
    return envelope(XML.wrap("user", inner))
  }

  func friends(_ id: String) throws(Refusal) -> Response {
    _ = try me()
    let reader = try shown(id)
    let known = reader.friends.compactMap { library.reading.readers[$0] }
    let (part, span) = slice(known, perPage: 30)
    let users = part.map { friend in
      XML.wrap(
        "user",
        XML.element("id", Furnishing.userID(of: friend.card))
          + XML.cdata("name", friend.name)
          + XML.number("friends_count", friend.friends.count)
          + XML.number("reviews_count", friend.entries.count))
    }
    return envelope(XML.wrap("friends", users.joined(), span))
  }

  /// The newest of what friends did, of several kinds and also some that are about no book.
  func news() throws(Refusal) -> Response {
    guard let mine = library.reading.readers[try me()] else { throw .noUser }
    let most = request.query["max_updates"].flatMap { Int($0) } ?? 20
    let done = mine.friends.compactMap { library.reading.readers[$0] }.flatMap { friend in
      friend.entries.values.map { (friend, $0) }
    }.sorted { ($0.1.changed, $0.1.number) > ($1.1.changed, $1.1.number) }
    let updates = done.prefix(most).map { friend, entry in update(friend, entry) }
    let other = XML.wrap(
      "update",
      "<action_text>is now friends with somebody</action_text>\n" + actor(mine), "type=\"friend\"")
    return envelope(XML.wrap("updates", updates.joined() + other))
  }

  private func update(_ friend: ReadingRoom.Reader, _ entry: ReadingRoom.Entry) -> String {
    let book = library.lending.titles[entry.book].map { BookWriter.book($0) } ?? ""
    let frame =
      actor(friend)
      + XML.element("updated_at", XML.mailStamp(entry.changed))
      + XML.element("link", "https://www.goodreads.com/review/show/\(entry.number)")
    guard entry.rating == 0 else {
      let action = XML.wrap(
        "action", XML.element("rating", String(entry.rating)), "type=\"rating\"")
      return XML.wrap(
        "update",
        "<action_text>gave stars</action_text>\n" + frame + action
          + XML.wrap("object", book + XML.cdata("body", entry.review)), "type=\"review\"")
    }
    let shelf = entry.since.keys.sorted().first ?? "read"
    let status = XML.wrap(
      "read_status",
      XML.element("status", shelf) + XML.wrap("review", book))
    return XML.wrap("update", frame + XML.wrap("object", status), "type=\"readstatus\"")
  }

  private func actor(_ reader: ReadingRoom.Reader) -> String {
    XML.wrap(
      "actor",
      XML.element("id", Furnishing.userID(of: reader.card)) + XML.element("name", reader.name))
  }
}
