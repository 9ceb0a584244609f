import HTTP
import HTTPServer
import JSON
import MockKit

/// The reading log and lists, as they are told.
extension Visit {
  func log(of user: String, _ slug: String) throws(Refusal) -> Response {
    let reader = try reader(user)
    guard Furnishing.shelves.contains(slug) else { throw .nothing(at: request.pathText) }
    guard !reader.isPrivate || reader.card == card else {
      throw Refusal("This reading log is private", .forbidden)
    }
    var entries = library.reading.entries(on: slug, of: reader.card)
    if let words = request.query["q"], words.count >= 3 {
      let sought = words.lowercased().split(separator: " ")
      entries = entries.filter { entry in
        let name = title(entry.book)?.name.lowercased() ?? ""
        return sought.allSatisfy { name.contains($0) }
      }
    }
    let limit = min(max(request.query["limit"].flatMap { Int($0) } ?? 100, 1), 100)
    let page = max(request.query["page"].flatMap { Int($0) } ?? 1, 1)
    let shown = entries.dropFirst((page - 1) * limit).prefix(limit)
    return .library([
      "page": .integer(page), "numFound": .integer(entries.count),
      "reading_log_entries": .array(shown.map { logged($0, slug) }),
    ])
  }

  private func logged(_ entry: ReadingRoom.Entry, _ slug: String) -> JSONValue {
    let title = title(entry.book)
    let edition = title.map { Self.edition($0.id) }
    let stamp = (entry.since[slug] ?? now).text
    let day = stamp.prefix(10).replacing("-", with: "/")
    return [
      "work": [
        "title": JSONValue(title?.name), "key": .string("/works/\(entry.book)"),
        "author_keys": .array(title == nil ? [] : ["/authors/OL1A"]),
        "author_names": .array((title?.authors ?? []).map(JSONValue.string)),
        "first_publish_year": title.flatMap { Int($0.published.prefix(4)) }.map { .integer($0) }
          ?? .null,
        "lending_edition_s": .null,
        "edition_key": edition.map { .array([.string($0)]) } ?? .null, "cover_id": .null,
        "cover_edition_key": JSONValue(edition),
      ],
      "logged_edition": JSONValue(entry.edition.map { "/books/\($0)" }),
      "logged_date": .string("\(day), \(stamp.dropFirst(11).prefix(8))"),
    ]
  }

  /// A file without a header where there is nothing to tell.
  func export() throws(Refusal) -> Response {
    let card = try admitted()
    guard request.query["type"] == "ratings" else { throw .page(.notFound) }
    let rated = library.reading.entries(of: card).filter { $0.rating > 0 }
    let rows = rated.map { entry in
      let title = title(entry.book)
      let name = title?.name.replacing("\"", with: "\"\"") ?? ""
      let authors = title?.authors.joined(separator: " | ") ?? ""
      return "\(entry.book),\(entry.edition ?? ""),\"\(name)\",\"\(authors)\",\(entry.rating),"
        + entry.changed.text.prefix(10) + " 00:00:00"
    }
    let header = "Work ID,Edition ID,Title,Author(s),Rating,Created On"
    let text = rows.isEmpty ? "" : ([header] + rows).joined(separator: "\n")
    return .bytes(Array(text.utf8), MediaType("text", "csv"))
  }

  // MARK: - Lists

  func lists(of user: String) throws(Refusal) -> Response {
    let reader = try reader(user)
    let own = reader.lists.filter { !$0.isExclusive }
    let offset = max(request.query["offset"].flatMap { Int($0) } ?? 0, 0)
    let limit = min(request.query["limit"].flatMap { Int($0) } ?? 50, 100)
    return .library([
      "links": ["self": .string("/people/\(user)/lists.json")], "size": .integer(own.count),
      "entries": .array(own.dropFirst(offset).prefix(limit).map { list($0, reader) }),
    ])
  }

  func list(_ id: String, _ reader: ReadingRoom.Reader) throws(Refusal) -> JSONValue {
    list(try list(id, of: reader), reader)
  }

  private func list(_ list: ReadingRoom.List, _ reader: ReadingRoom.Reader) -> JSONValue {
    let url = "/people/\(Furnishing.user(reader.name))/lists/\(list.id)"
    return [
      "url": .string(url), "full_url": .string("\(url)/\(list.name)"),
      "name": .string(list.name),
      "seed_count": .integer(list.books.count + (isOn("other_seeds") ? 2 : 0)),
      "last_update": .string(String(list.changed.text.dropLast())),
    ]
  }

  func seeds(_ id: String, of user: String) throws(Refusal) -> Response {
    let list = try list(id, of: try reader(user))
    var seeds = list.books.map { book -> JSONValue in
      let isEdition = isOn("edition_seeds")
      let url = isEdition ? "/books/\(Self.edition(book))" : "/works/\(book)"
      return [
        "url": .string(url), "full_url": .string(url),
        "type": isEdition ? "edition" : "work", "title": JSONValue(title(book)?.name),
        "last_update": .null,
      ]
    }
    if isOn("other_seeds") {
      seeds.insert(["url": "/authors/OL1A", "type": "author", "title": "Somebody"], at: 0)
      seeds.append(["url": "/subjects/salt", "type": "subject", "title": "salt"])
    }
    return .library([
      "links": ["self": .string(request.pathText)], "size": .integer(seeds.count),
      "entries": .array(seeds),
    ])
  }
}
