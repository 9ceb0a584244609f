import HTTP
import HTTPServer
import MockKit

/// A shelf as RSS, which takes no key of a developer.
extension Visit {
  func feed(_ user: String) throws(Refusal) -> Response {
    // Programs that say so are kept out, and so is everybody at times.
    let agent = request.headers["User-Agent"] ?? ""
    if has(.feedWall) || !agent.hasPrefix("Mozilla/") {
      return XML.page("Just a moment", .serviceUnavailable)
    }
    let reader = try self.reader(user)
    if reader.isPrivate, request.query["key"] != Furnishing.feedKey(of: reader.card) {
      return XML.page("Sign in", .ok)
    }
    let asked = request.query["shelf"] ?? "#ALL#"
    let isKnown = asked == "#ALL#" || reader.lists.contains { $0.id == asked }
    // Whoever misspells a shelf gets the one of books read.
    let shelf = isKnown ? asked : "read"
    let name = asked == "#ALL#" ? "all" : isKnown ? asked : ""
    let items = page(of: entries(reader, shelf)).map { item($0, reader) }
    let title = XML.escaped("\(reader.name)'s bookshelf: \(name)")
    let link = "\(request.base)\(request.target)"
    let body = """
      <?xml version="1.0"?>
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
        <channel>
          <xhtml:meta xmlns:xhtml="http://www.w3.org/1999/xhtml" name="robots" content="noindex" />
          <title>\(title)</title>
          <copyright><![CDATA[Nobody's]]></copyright>
          <link><![CDATA[\(link)]]></link>
          <atom:link href="\(XML.escaped(link))" rel="self" type="application/rss+xml"/>
          <language>en-US</language>
          <ttl>60</ttl>
          <image><title>\(title)</title></image>
          \(items.joined())
        </channel>
      </rss>
      """
    let tag = "W/\"\(body.utf8.reduce(5381) { ($0 &* 33) ^ Int($1) & 0xFFFF_FFFF })\""
    if request.headers["If-None-Match"] == tag { return Response(.notModified) }
    var response = Response.bytes(
      Array(body.utf8), MediaType("application", "rss+xml", [.init("charset", "utf-8")]))
    response.headers.set("ETag", tag)
    return response
  }

  private func entries(_ reader: ReadingRoom.Reader, _ shelf: String) -> [ReadingRoom.Entry] {
    var entries = library.reading.entries(of: reader.card)
    if shelf != "#ALL#" { entries = entries.filter { $0.stands(on: shelf) } }
    if request.query["order"] == "a" { entries.reverse() }
    if has(.feedLeavesOut) {
      entries = entries.enumerated().filter { $0.offset % 40 != 39 }.map(\.element)
    }
    return entries
  }

  private func page(of entries: [ReadingRoom.Entry]) -> ArraySlice<ReadingRoom.Entry> {
    let asked = request.query["per_page"].flatMap { Int($0) } ?? 100
    let perPage = has(.feedOneItem) ? 1 : min(max(asked, 1), 200)
    let part = slice(entries, perPage: perPage).part
    guard part.isEmpty, has(.feedRepeats) else { return part }
    let last = (entries.count - 1) / perPage * perPage
    return entries.isEmpty ? [] : entries[last...]
  }

  private func item(_ entry: ReadingRoom.Entry, _ reader: ReadingRoom.Reader) -> String {
    let title = library.lending.titles[entry.book]
    let address =
      "https://www.goodreads.com/review/show/\(entry.number)?utm_medium=api&utm_source=rss"
    let shelves = reader.lists.filter { $0.id != "read" && entry.since[$0.id] != nil }.map(\.id)
    // By now the name has been through two programs that escape.
    let name = XML.escaped(title?.name ?? "")
    let ten = title.map { BookWriter.short($0.isbn) } ?? ""
    let author = (title?.authors.first ?? "").replacing(" ", with: "  ")
    let added = XML.mailStamp(entry.since.values.max() ?? entry.added)
    let created = XML.mailStamp(entry.added)
    let read = XML.stamp(day: entry.finished, mail: true)
    return """
      <item>
        <guid><![CDATA[\(address)]]></guid>
        <pubDate><![CDATA[\(XML.mailStamp(entry.added))]]></pubDate>
        <title><![CDATA[\(name)]]></title>
        <link><![CDATA[\(address)]]></link>
        <book_id>\(entry.book)</book_id>
        <book_image_url><![CDATA[https://i.gr-assets.com/\(entry.book)._SX50_.jpg]]></book_image_url>
        <book_description><![CDATA[A <i>tale</i> & more]]></book_description>
        <book id="\(entry.book)"><num_pages></num_pages></book>
        <author_name>\(XML.escaped(author))</author_name>
        <isbn>\(ten)</isbn>
        <user_name>\(XML.escaped(reader.name))</user_name>
        <user_rating>\(entry.rating)</user_rating>
        <user_read_at>\(read.isEmpty ? "" : "<![CDATA[\(read)]]>")</user_read_at>
        <user_date_added><![CDATA[\(added)]]></user_date_added>
        <user_date_created><![CDATA[\(created)]]></user_date_created>
        <user_shelves>\(shelves.joined(separator: ", "))</user_shelves>
        <user_review>\(entry.review.isEmpty ? "" : "<![CDATA[\(entry.review)]]>")</user_review>
        <average_rating>3.90</average_rating>
        <book_published>\((title?.published ?? "").prefix(4))</book_published>
      </item>
      """
  }
}
