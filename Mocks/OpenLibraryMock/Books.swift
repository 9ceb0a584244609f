import HTTP
import HTTPServer
import JSON
import MockKit

/// Records of works and editions, what a search finds, and what can be had.
extension Visit {
  /// Nil for what was merged or deleted: of those no more than the key is known where they stand.
  func title(_ work: String) -> Title? {
    guard merged(work) == nil, !isDeleted(work) else { return nil }
    return library.lending.titles[work]
  }

  private func merged(_ work: String) -> String? { library.settings["merged"]?[work]?.string }

  private func isDeleted(_ work: String) -> Bool {
    library.settings["deleted"]?.array?.contains(.string(work)) == true
  }

  static func edition(_ work: String) -> String { work.dropLast() + "M" }

  private var titles: [Title] { library.lending.order.compactMap { title($0) } }

  func work(_ key: String) throws(Refusal) -> Response {
    let path = "/works/\(key)"
    if let other = merged(key) {
      if isOn("merged_by_http") {
        return .redirect(to: "/openlibrary/works/\(other).json", .movedPermanently)
      }
      return .library([
        "key": .string(path), "type": ["key": "/type/redirect"],
        "location": .string("/works/\(other)"), "revision": 4,
      ])
    }
    if isDeleted(key) {
      return .library(["key": .string(path), "type": ["key": "/type/delete"], "revision": 5])
    }
    guard let title = title(key) else { throw .nothing(at: path) }
    return .library([
      "key": .string(path), "type": ["key": "/type/work"], "title": .string(title.name),
      "authors": [["author": ["key": "/authors/OL1A"], "type": ["key": "/type/author_role"]]],
      "description": ["type": "/type/text", "value": "A tale of ink."], "revision": 3,
    ])
  }

  func edition(_ key: String) throws(Refusal) -> Response {
    guard let title = title(key.dropLast() + "W") else { throw .nothing(at: "/books/\(key)") }
    return .library(edition(title))
  }

  private func edition(_ title: Title) -> JSONValue {
    var told: JSONObject = [
      "key": .string("/books/\(Self.edition(title.id))"), "type": ["key": "/type/edition"],
      "title": .string(title.name), "works": [["key": .string("/works/\(title.id)")]],
      "authors": .array(
        title.authors.map { ["key": "/authors/OL1A", "name": .string($0)] }),
      "publish_date": .string(title.published), "covers": [-1],
    ]
    if !title.isbn.isEmpty { told["isbn_13"] = [.string(title.isbn)] }
    return .object(told)
  }

  /// What is not known here is fetched from shops, which nobody should set off by the thousand.
  func isbn(_ digits: String) throws(Refusal) -> Response {
    guard let title = titles.first(where: { $0.isbn == digits }) else { throw .page(.notFound) }
    return .redirect(to: "/openlibrary/books/\(Self.edition(title.id)).json", .found)
  }

  func books() -> Response {
    let asked = (request.query["bibkeys"] ?? "").split(separator: ",").map(String.init)
    var told = JSONObject()
    for number in asked {
      let parts = number.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      let found =
        parts[0] == "OLID"
        ? title(parts[1].dropLast() + "W") : titles.first { $0.isbn == parts[1] }
      guard let found else { continue }
      told[number] = [
        "bib_key": .string(number), "preview": "noview", "details": edition(found),
        "info_url": .string("\(request.base)/openlibrary/books/\(Self.edition(found.id))"),
      ]
    }
    return .library(.object(told))
  }

  func search() -> Response {
    let query = request.query
    var found = titles
    if let question = query["q"] {
      let keys = question.split { "()\" ".contains($0) }.filter { $0.hasPrefix("/works/") }
      found = found.filter { keys.contains("/works/\($0.id)") }
    }
    func narrow(_ field: String, _ text: (Title) -> String) {
      guard let sought = query[field] else { return }
      let words = sought.lowercased().split(separator: " ")
      found = found.filter { title in
        let text = text(title).lowercased()
        return words.allSatisfy { text.contains($0) }
      }
    }
    narrow("title") { $0.name }
    narrow("author") { $0.authors.joined(separator: " ") }
    let limit = query["limit"].flatMap { Int($0) } ?? 100
    return .library([
      "numFound": .integer(found.count), "start": 0,
      "docs": .array(
        found.prefix(limit).map { title in
          [
            "key": .string("/works/\(title.id)"), "title": .string(title.name),
            "author_name": .array(title.authors.map(JSONValue.string)),
            "cover_edition_key": .string(Self.edition(title.id)),
          ]
        }),
    ])
  }

  // MARK: - Availability

  func availability() -> Response {
    let ids =
      request.json?["ids"]?.array?.compactMap(\.string)
      ?? (request.query["ids"] ?? "").split(separator: ",").map(String.init)
    var told = JSONObject()
    for id in ids { told[id] = availability(id) }
    return .library(.object(told))
  }

  private func availability(_ id: String) -> JSONValue {
    guard let title = title(id) else {
      return [
        "status": "error", "error_message": "not found", "available_to_borrow": .null,
        "available_to_waitlist": .null, "num_waitlist": .null, "openlibrary_work": .null,
      ]
    }
    let isOpen = if case .unlimited = title.copies { true } else { false }
    let isFree = !isOpen && library.lending.copiesAvailable(of: id) > 0
    let isNone = if case .counted(0) = title.copies { true } else { false }
    let line = library.lending.queue(for: id).count
    let status = isOpen ? "open" : isFree ? "borrow_available" : "borrow_unavailable"
    return [
      "status": isOn("no_status") ? .null : .string(status), "available_to_browse": false,
      "available_to_borrow": .bool(isFree),
      "available_to_waitlist": .bool(!isOpen && !isFree && !isNone),
      "is_readable": .bool(isOpen), "is_lendable": .bool(!isOpen),
      "identifier": .string("scan\(id.dropFirst(2).dropLast())"),
      "openlibrary_work": .string(id), "openlibrary_edition": .string(Self.edition(id)),
      "num_waitlist": isOn("number_waitlist") ? .integer(line) : .string(String(line)),
      "__src__": "core.models.lending.get_availability",
    ]
  }
}
