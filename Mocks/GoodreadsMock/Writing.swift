import HTTP
import HTTPServer
import MockKit

/// What changes shelves and reviews.
extension Visit {
  func addToShelf(_ state: inout WorldState) throws(Refusal) -> Response {
    let card = try me()
    let (shelf, book) = (Self.slug(field("name")), try title(field("book_id") ?? "").id)
    guard !shelf.isEmpty, shelf.count <= 35, !["all", "none"].contains(shelf) else {
      throw .invalid("Name is invalid")
    }
    if field("a") == "remove" {
      try change(&state) { room in
        // Off an exclusive shelf is out of everything.
        if room.list(shelf, of: card)?.isExclusive == true,
          room.entry(of: book, by: card)?.stands(on: shelf) == true
        {
          room.forget(book, by: card, at: now)
        } else {
          room.take(book, off: shelf, of: card, at: now)
        }
      }
      return envelope("")
    }
    try put(book, on: [shelf], card, &state)
    let visit = again(state)
    guard let entry = visit.library.reading.entry(of: book, by: card),
      let reader = visit.library.reading.readers[card]
    else { throw .noBook }
    if has(.oldAddAnswer) {
      return XML.document(
        XML.wrap(
          "shelf", XML.element("name", shelf) + XML.number("review-id", entry.number)), .created)
    }
    let inner =
      XML.element("id", String(entry.number)) + XML.element("book_id", book)
      + XML.element("rating", String(entry.rating))
      + XML.element("updated_at", XML.stamp(entry.changed))
      + ReviewWriter(visit, reader).shelves(entry) + "<body></body>\n"
      + XML.element("started_at", XML.stamp(day: entry.started))
      + XML.element("read_at", XML.stamp(day: entry.finished))
      + XML.element("date_added", XML.stamp(entry.added))
    return envelope(XML.wrap("my_review", inner), .created)
  }

  func addManyToShelves(_ state: inout WorldState) throws(Refusal) -> Response {
    let card = try me()
    for book in (field("bookids") ?? "").split(separator: ",").map(String.init) {
      try put(
        try title(book).id,
        on: (field("shelves") ?? "").split(separator: ",").map { Self.slug(String($0)) }, card,
        &state)
    }
    return envelope("")
  }

  /// A shelf that is not there is made. Whatever stands on no exclusive one counts as read.
  private func put(
    _ book: String, on shelves: [String], _ card: String, _ state: inout WorldState
  ) throws(Refusal) {
    try change(&state) { room in
      for shelf in shelves {
        if room.list(shelf, of: card) == nil {
          let number = room.number()
          _ = room.open(ReadingRoom.List(shelf, number: number), for: card)
        }
        room.put(book, on: shelf, of: card, at: now)
      }
      let isPlaced = room.readers[card]?.lists.contains { list in
        list.isExclusive && room.entry(of: book, by: card)?.stands(on: list.id) == true
      }
      if isPlaced == false { room.put(book, on: "read", of: card, at: now) }
    }
  }

  func makeShelf(_ state: inout WorldState) throws(Refusal) -> Response {
    let (card, name) = (try me(), Self.slug(field("user_shelf[name]")))
    guard !name.isEmpty, name.count <= 35, !["all", "none"].contains(name) else {
      throw .invalid("Name is invalid")
    }
    let isExclusive = field("user_shelf[exclusive_flag]") == "true"
    let made = try change(&state) { room in
      let number = room.number()
      return room.open(
        ReadingRoom.List(name, number: number, isExclusive: isExclusive), for: card)
    }
    guard let made else { throw .invalid("Name has already been taken") }
    return envelope(shelf(made), .created)
  }

  func changeShelf(_ number: String, _ state: inout WorldState) throws(Refusal) -> Response {
    let card = try me()
    let isExclusive = field("user_shelf[exclusive_flag]")
    let found = try change(&state) { room -> ReadingRoom.List? in
      var list: ReadingRoom.List?
      room.change(card) { reader in
        guard let at = reader.lists.firstIndex(where: { String($0.number) == number }) else {
          return
        }
        list = reader.lists[at]
      }
      return list
    }
    guard var found else { throw Refusal("shelf not found", .notFound) }
    if let isExclusive { found.isExclusive = isExclusive == "true" }
    return envelope(shelf(found))
  }

  private func shelf(_ list: ReadingRoom.List) -> String {
    XML.wrap(
      "user_shelf",
      XML.number("id", list.number) + XML.element("name", list.id)
        + XML.element("exclusive_flag", String(list.isExclusive)))
  }

  // MARK: - Reviews

  func createReview(_ state: inout WorldState) throws(Refusal) -> Response {
    let (card, book) = (try me(), try title(field("book_id") ?? "").id)
    try put(book, on: [Self.slug(field("shelf") ?? "read")], card, &state)
    // A date is dropped here, whatever is said of it.
    try write(book, card, dates: false, &state)
    return try told(book, card, .created, state)
  }

  func editReview(_ number: String, _ state: inout WorldState) throws(Refusal) -> Response {
    let card = try me()
    if has(.putRefused), request.method == .put { throw .signature }
    let found = library.reading.entries(of: card).first { String($0.number) == number }
    guard let found else { throw .noReview }
    if let shelf = field("shelf") { try put(found.book, on: [Self.slug(shelf)], card, &state) }
    try write(found.book, card, dates: !has(.datesDropped), &state)
    return try told(found.book, card, .ok, state)
  }

  private func write(
    _ book: String, _ card: String, dates: Bool, _ state: inout WorldState
  ) throws(Refusal) {
    let rating = field("review[rating]").flatMap { Int($0) }
    if let rating, !(0...5).contains(rating) { throw .invalid("Rating is invalid") }
    try change(&state) { room in
      room.edit(book, by: card, at: now) { entry in
        if let rating { entry.rating = rating }
        if let text = field("review[review]") { entry.review = text }
        guard dates else { return }
        if let day = field("review[started_at]") { entry.started = day.isEmpty ? nil : day }
        if let day = field("review[read_at]") {
          entry.finished = day.isEmpty ? nil : day
          if !day.isEmpty, field("finished") == "true" { entry.timesRead += 1 }
        }
      }
    }
  }

  private func told(_ book: String, _ card: String, _ status: Status, _ state: WorldState)
    throws(Refusal) -> Response
  {
    let visit = again(state)
    guard let reader = visit.library.reading.readers[card], let entry = reader.entries[book] else {
      throw .noReview
    }
    return envelope(ReviewWriter(visit, reader).review(entry, isWhole: true), status)
  }

  func progress(_ state: inout WorldState) throws(Refusal) -> Response {
    let (card, book) = (try me(), try title(field("user_status[book_id]") ?? "").id)
    try put(book, on: ["currently-reading"], card, &state)
    return envelope(
      XML.wrap(
        "user_status",
        XML.element("book_id", book) + XML.element("percent", field("user_status[percent]"))),
      .created)
  }

  // MARK: - Words

  private func field(_ name: String) -> String? { request.form[name] ?? request.query[name] }

  private static func slug(_ name: String?) -> String {
    (name ?? "").lowercased().replacing(" ", with: "-")
  }
}
