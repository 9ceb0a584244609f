import HTTP
import HTTPServer
import JSON
import MockKit

/// What is licensed, page by page, without a word of copies.
extension Visit {
  private static let pageSize = 500

  func inventory(_ state: WorldState) throws(Verdict) -> Response {
    let library = try home(state)
    let text = field("modifiedSince") ?? ""
    guard let since = Dates.american(text) ?? Moment(text) else {
      throw Verdict("3132", "Invalid date format.")
    }
    guard since <= now else { throw Verdict("3134", "Date is in the future.") }
    let titles = library.lending.order.compactMap { library.lending.titles[$0] }
      .filter { $0.changed >= since }.map(Self.entry)
    let left = library.lending.withdrawn.filter { $0.value >= since }.keys.sorted()
    let gone = left + (library.settings["inactive"]?.array ?? []).compactMap(\.string)
    let all = titles + gone.map { Self.entry(inactive: $0) }
    let pages = (all.count + Self.pageSize - 1) / Self.pageSize
    let page = field("page").flatMap { Int($0) } ?? 1
    let pagination: JSONValue = [
      "currentPage": .integer(page), "pageSize": .integer(Self.pageSize),
      "totalCount": .integer(all.count), "totalPage": .integer(pages),
    ]
    guard page >= 1, page <= max(pages, 1) else {
      return .axis([
        ("pagination", pagination), ("status", Verdict("3131", "Invalid page number").json),
        ("titles", .null),
      ])
    }
    let start = (page - 1) * Self.pageSize
    let found = Array(all[start..<min(start + Self.pageSize, all.count)])
    return .axis([
      ("pagination", all.isEmpty ? .null : pagination),
      ("status", Verdict("0000", "Titles Retrieved Successfully.").json),
      ("titles", all.isEmpty ? .null : .array(found)),
    ])
  }

  private static func entry(_ title: Title) -> JSONValue {
    func field(_ name: String, _ values: [String]) -> JSONValue {
      ["name": .string(name), "values": .array(values.map(JSONValue.string))]
    }
    let genre = title.subjects.first?.uppercased() ?? "FICTION"
    return [
      "TitleID": .string(title.id), "active": true,
      "fields": [
        field("title", [title.name]),
        field("author", [title.authors.map(filed).joined(separator: "; ")]),
        field("subject", [title.subjects.joined(separator: "; ")]),
        field("subtitle", [title.subtitle ?? ""]), field("isbn", [title.isbn]),
        field("description", [title.summary]), field("language", [language(title.language)]),
        field("publisher", [title.publisher]), field("grade level", ["General Adult"]),
        field("audience", ["General Adult"]), field("genre", [genre, genre]),
      ],
      "formatType": .string(title.medium == "audiobook" ? "AudioBook" : "eBook"),
      "formats": .array(formats(of: title).map { .string($0.uppercased()) }),
      "releaseDate": .string(Dates.release(title.published)),
    ]
  }

  private static func entry(inactive id: String) -> JSONValue {
    [
      "TitleID": .string(id), "active": false, "fields": [], "formatType": "eBook", "formats": [],
      "releaseDate": "2009-19-05",
    ]
  }
}
