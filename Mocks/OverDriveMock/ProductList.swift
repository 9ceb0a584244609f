import HTTP
import JSON
import MockKit

/// One page of a crawl or a search.
struct ProductList {
  private let visit: Visit
  private let collection: Collection

  init(_ visit: Visit, _ collection: Collection) {
    (self.visit, self.collection) = (visit, collection)
  }

  var json: JSONValue {
    get throws(Failure) {
      let limit = min(max(try number("limit") ?? 25, 1), 300)
      let offset = max(try number("offset") ?? 0, 0)
      let found = sorted(try filtered())
      let page = found.dropFirst(offset).prefix(limit)
      var links: JSONObject = [
        "self": link(limit, offset), "first": link(limit, 0),
        "last": link(limit, max(0, (found.count - 1) / limit * limit)),
      ]
      if offset > 0 { links["prev"] = link(limit, max(0, offset - limit)) }
      if offset + limit < found.count { links["next"] = link(limit, offset + limit) }
      var object: JSONObject = [
        "id": .string(collection.token), "limit": .integer(limit), "offset": .integer(offset),
        "totalItems": .integer(found.count), "links": .object(links),
      ]
      // An empty result has no list at all.
      if !found.isEmpty {
        let isMinimal = visit.query("minimum")?.lowercased() == "true"
        object["products"] = .array(
          page.map { visit.product($0, in: collection, isMinimal: isMinimal) })
      }
      return .object(object)
    }
  }

  private func number(_ name: String) throws(Failure) -> Int? {
    guard let text = visit.query(name), !text.isEmpty else { return nil }
    guard let number = Int(text) else { throw .missing(name) }
    // Sums with it must not overflow, and no shelf is so long.
    return min(max(number, -1_000_000), 1_000_000)
  }

  /// Links repeat the question half encoded: braces, colons, commas and blanks stand as they are.
  private func link(_ limit: Int, _ offset: Int) -> JSONValue {
    var query = "limit=\(limit)&offset=\(offset)"
    for field in visit.request.query.fields
    where !["limit", "offset"].contains(field.name.lowercased()) {
      let name = field.name.lowercased() == "lastupdatetime" ? "lastupdatetime" : field.name
      query += "&\(name)=\(Self.halfEncoded(field.value, isTime: name == "lastupdatetime"))"
    }
    return visit.link("/v1/collections/\(collection.token)/products?\(query)")
  }

  private static func halfEncoded(_ text: String, isTime: Bool) -> String {
    var (out, rest) = ("", Substring(PercentCoding.encode(query: text)))
    let bare = ["%7B": "{", "%7D": "}", "%20": isTime ? "%20" : " "]
    while let sign = rest.first {
      if let plain = bare[String(rest.prefix(3))] {
        out += plain
        rest = rest.dropFirst(3)
      } else {
        out.append(sign)
        rest = rest.dropFirst()
      }
    }
    return out
  }

  // MARK: Choosing

  private func filtered() throws(Failure) -> [Title] {
    var titles = collection.titles
    if let words = visit.query("q"), !words.isEmpty {
      titles = titles.filter { matches($0, words) }
    }
    if let text = visit.query("identifier") { titles = titles.filter { $0.isbn == text } }
    if let text = visit.query("crossRefId") {
      titles = titles.filter { String(Visit.number(of: $0.id)) == text }
    }
    if let formats = visit.query("formats"), !formats.isEmpty {
      let wanted = Set(formats.lowercased().split(separator: ",").map(String.init))
      titles = titles.filter { !wanted.isDisjoint(with: $0.formats) }
    }
    if visit.query("availability")?.lowercased() == "true" {
      titles = titles.filter { collection.library.lending.copiesAvailable(of: $0.id) > 0 }
    }
    for name in ["lastUpdateTime", "lastTitleUpdateTime"] {
      guard let text = visit.query(name), !text.isEmpty else { continue }
      guard let since = Self.moment(text) else { throw .missing(name) }
      titles = titles.filter { (name == "lastUpdateTime" ? $0.changed : $0.added) >= since }
    }
    if let days = try number("daysSinceAdded") {
      titles = titles.filter { visit.now - $0.added <= Int64(days) * LendingRules.day }
    }
    return titles
  }

  /// With an offset, with `Z`, or naive, which means UTC.
  static func moment(_ text: String) -> Moment? {
    // A plus that was not encoded has become a blank on the way.
    let repaired =
      text.count > 20 && text.dropLast(6).last?.isNumber == true && text.dropLast(5).last == " "
      ? text.dropLast(6) + "+" + text.suffix(5) : Substring(text)
    return Moment(String(repaired)) ?? Moment(text + "Z")
  }

  /// Every word has to be found somewhere; `isbn:…` asks for that alone.
  private func matches(_ title: Title, _ words: String) -> Bool {
    if words.lowercased().hasPrefix("isbn:") { return title.isbn == words.dropFirst(5) }
    let text =
      ([title.name, title.subtitle ?? "", title.series ?? "", title.isbn] + title.authors)
      .joined(separator: " ").lowercased()
    return words.lowercased().split(whereSeparator: \.isWhitespace).allSatisfy { text.contains($0) }
  }

  /// Whoever asks for changes gets the oldest first, whatever order was asked for.
  private func sorted(_ titles: [Title]) -> [Title] {
    if visit.query("lastUpdateTime") != nil || visit.query("lastTitleUpdateTime") != nil {
      return titles.sorted { ($0.changed, $0.id) < ($1.changed, $1.id) }
    }
    let parts = (visit.query("sort") ?? "").lowercased().split(separator: ":")
    let isDescending = parts.count > 1 ? parts[1] == "desc" : false
    func by<Key: Comparable>(_ key: (Title) -> Key) -> [Title] {
      let sorted = titles.map { (key($0), $0) }.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(
        \.1)
      return isDescending ? sorted.reversed() : sorted
    }
    switch parts.first {
    case "title": return by { Visit.sortTitle($0).lowercased() }
    case "author": return by { $0.authors.first?.split(separator: " ").last?.lowercased() ?? "" }
    case "dateadded", "saledate": return by(\.added)
    case "popularity", "popularitysite": return by(\.popularity)
    case "starrating": return by { Visit.stars($0) }
    default: return titles
    }
  }
}
