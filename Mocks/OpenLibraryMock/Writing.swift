import HTTP
import HTTPServer
import JSON
import MockKit

/// What readers change. Any number is taken for a work, as the service does it.
extension Visit {
  /// Being put where it stands takes a book off, unless that is said not to be meant.
  func move(_ work: String, _ state: inout WorldState) throws(Refusal) -> Response {
    let card = try admitted()
    let current = library.reading.entry(of: work, by: card)?.since.keys.first {
      Furnishing.shelves.contains($0)
    }
    let number = request.form["bookshelf_id"].flatMap { Int($0) } ?? 0
    let stays = request.form["dont_remove"] == "true"
    if number == -1 || (!stays && current != nil && slug(number) == current) {
      let books = library.reading.entry(of: work, by: card)
      edit(&state) { room in
        room.edit(work, by: card, at: now) { ($0.started, $0.finished) = (nil, nil) }
        if let current { room.take(work, off: current, of: card, at: now) }
      }
      return .library(["bookshelves_affected": .integer(books == nil ? 0 : 1)])
    }
    guard let slug = slug(number) else { return .library(["error": "Invalid bookshelf"]) }
    let edition = request.form["edition_id"]
    edit(&state) { room in
      room.put(work, on: slug, of: card, at: now)
      // A move that names none forgets the one that was named.
      if current != slug || edition != nil {
        room.edit(work, by: card, at: now) { $0.edition = edition }
      }
    }
    return .library(["bookshelves_affected": 1])
  }

  func rate(_ work: String, _ state: inout WorldState) throws(Refusal) -> Response {
    let card = try admitted()
    guard let text = request.form["rating"], text != "null" else {
      edit(&state) { $0.edit(work, by: card, at: now) { $0.rating = 0 } }
      return .library(["success": "removed rating"])
    }
    guard let stars = Int(text), (1...5).contains(stars) else {
      return .library(["error": "invalid rating"])
    }
    let isListed = library.reading.entry(of: work, by: card) != nil
    edit(&state) { room in
      if isOn("rating_moves") || !isListed {
        room.put(work, on: "already-read", of: card, at: now)
      }
      room.edit(work, by: card, at: now) { $0.rating = stars }
    }
    return .library(["success": "rating added"])
  }

  // MARK: - Dates

  func checkIn(_ work: String, _ state: inout WorldState) throws(Refusal) -> Response {
    guard !card.isEmpty else { throw Refusal("Requires login", .unauthorized) }
    let json = request.json
    let event = json?["event_type"]?.integer ?? 0
    let (month, day) = (json?["month"]?.integer, json?["day"]?.integer)
    guard (1...3).contains(event), let year = json?["year"]?.integer, year > 0,
      (1...12).contains(month ?? 1), (1...31).contains(day ?? 1), day == nil || month != nil,
      let entry = library.reading.entry(of: work, by: card)
    else { throw Refusal("Invalid date submitted", .badRequest) }
    let number = entry.number * 10 + event
    if let known = json?["event_id"]?.integer, known != number {
      throw Refusal("Check-in not found", .notFound)
    }
    let text = ([year] + [month, day].compactMap(\.self)).map { part in
      part < 10 ? "0\(part)" : String(part)
    }.joined(separator: "-")
    edit(&state) { room in
      room.edit(work, by: card, at: now) { entry in
        if event == 1 { entry.started = text }
        if event == 3 { entry.finished = text }
      }
    }
    return .library(["status": "ok", "id": .integer(number)])
  }

  func withdraw(_ number: String, _ state: inout WorldState) throws(Refusal) -> Response {
    guard !card.isEmpty else { throw Refusal("Requires login", .unauthorized) }
    let number = Int(number) ?? 0
    let entry = library.reading.entries(of: card).first { $0.number == number / 10 }
    guard let entry else { throw .nothing(at: request.pathText) }
    edit(&state) { room in
      room.edit(entry.book, by: card, at: now) { entry in
        if number % 10 == 1 { entry.started = nil } else { entry.finished = nil }
      }
    }
    return .library(["status": "ok"])
  }

  // MARK: - Lists

  func changeSeeds(_ id: String, of user: String, _ state: inout WorldState)
    throws(Refusal) -> Response
  {
    let card = try admitted()
    let owner = try reader(user)
    let list = try list(id, of: owner)
    guard owner.card == card else { throw Refusal("Permission denied.", .forbidden) }
    // An edition stands for its work here, which is all that is remembered.
    func books(_ member: String) -> [String] {
      (request.json?[member]?.array ?? []).compactMap { seed in
        seed["key"]?.string?.split(separator: "/").last.map { name in
          name.hasSuffix("M") ? name.dropLast() + "W" : String(name)
        }
      }
    }
    edit(&state) { room in
      for book in books("add") { room.put(book, on: list.id, of: card, at: now) }
      for book in books("remove") { room.take(book, off: list.id, of: card, at: now) }
    }
    return .library([
      "key": .string("/people/\(user)/lists/\(list.id)"), "revision": .integer(list.number + 1),
    ])
  }
}
