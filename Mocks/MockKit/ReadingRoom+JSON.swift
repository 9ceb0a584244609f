package import JSON

// Readers' lists as JSON: what `GET /__admin/state` shows of them, and what `PUT` changes.

extension ReadingRoom {
  package var json: JSONValue {
    .array(
      readers.values.sorted { $0.card < $1.card }.map { reader in
        [
          "card": .string(reader.card), "name": .string(reader.name),
          "private": .bool(reader.isPrivate),
          "friends": .array(reader.friends.map(JSONValue.string)),
          "lists": .array(
            reader.lists.map { list in
              [
                "id": .string(list.id), "name": .string(list.name),
                "exclusive": .bool(list.isExclusive), "open": .bool(list.isOpen),
                "books": .array(list.books.map(JSONValue.string)),
              ]
            }),
          "entries": .array(entries(of: reader.card).map(\.json)),
        ]
      })
  }

  /// `{"card": …, "private": true, "friends": […], "put": [{"list", "book", "rating"}],
  /// "take": [{"list", "book"}], "close": ["list"]}`
  package mutating func merge(_ json: JSONValue, at now: Moment) throws(AdminRefusal) {
    guard let card = json["card"]?.string, readers[card] != nil else {
      throw AdminRefusal("no reader \"\(json["card"]?.string ?? "")\" keeps lists here")
    }
    for name in json.object?.names ?? []
    where !["card", "private", "friends", "put", "take", "close"].contains(name) {
      throw AdminRefusal("unknown member \"\(name)\" of a reader")
    }
    if let isPrivate = json["private"]?.bool { change(card) { $0.isPrivate = isPrivate } }
    if let friends = json["friends"]?.array {
      change(card) { $0.friends = friends.compactMap(\.string) }
    }
    for order in json["put"]?.array ?? [] {
      let (list, book) = (order["list"]?.string ?? "", order["book"]?.string ?? "")
      guard put(book, on: list, of: card, at: now) else {
        throw AdminRefusal("\(card) has no list \"\(list)\"")
      }
      edit(book, by: card, at: now) { entry in
        if let rating = order["rating"]?.integer { entry.rating = rating }
        if let review = order["review"]?.string { entry.review = review }
        if let started = order["started"] { entry.started = started.string }
        if let finished = order["finished"] { entry.finished = finished.string }
      }
    }
    for order in json["take"]?.array ?? [] {
      take(
        order["book"]?.string ?? "", off: order["list"]?.string ?? "", of: card, at: now)
    }
    for list in json["close"]?.array ?? [] { close(list.string ?? "", of: card) }
  }
}

extension ReadingRoom.Entry {
  fileprivate var json: JSONValue {
    [
      "book": .string(book), "number": .integer(number), "rating": .integer(rating),
      "review": .string(review), "started": JSONValue(started), "finished": JSONValue(finished),
      "lists": .array(since.keys.sorted().map(JSONValue.string)),
    ]
  }
}
