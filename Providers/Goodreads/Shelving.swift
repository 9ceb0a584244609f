package import Circulation
import HTTP
import ProviderKit

// Writing (§5). Every write is seen by friends, so none is sent that would change nothing.

extension GoodreadsProvider {
  /// Exclusive shelves are left by going to another one, and only by that.
  package func add(_ entry: ListEntry, to list: ListID, in call: Call)
    async throws(CirculationError)
  {
    let shelf = try own(list)
    try await know(shelf, in: call)
    let mine = try await review(of: entry.item, in: call)
    if mine?.isOn(shelf) == true { return }
    try await put(mine?.book.id ?? entry.item.rawValue, on: shelf, in: call)
  }

  /// From an exclusive shelf it takes the book with rating and review, so it is only done where the
  /// book stands on just that one.
  package func remove(_ entry: ListEntry, from list: ListID, in call: Call)
    async throws(CirculationError)
  {
    let shelf = try own(list)
    guard let mine = try await review(of: entry.item, in: call), mine.isOn(shelf) else { return }
    try await ask(settings.take(mine.book.id, off: shelf), .list, in: call).nod(.list)
  }

  package func move(
    _ entry: ListEntry, from list: ListID, to other: ListID, in call: Call
  ) async throws(CirculationError) {
    let (from, to) = (try own(list), try own(other))
    guard from != to else { return }
    let known = try await shelves(of: try reader(.list).userID, in: call)
    guard let target = known.first(where: { $0.name == to }) else { throw noShelf(to) }
    let leaves = known.first { $0.name == from }?.isExclusive ?? false
    // Without an exclusive shelf a book, and all that was said of it, is gone (§5).
    guard target.isExclusive || !leaves else {
      throw failure(
        .unsupported(.listWriting), .list, says: "\(to) is no shelf that a book can stand on alone")
    }
    let mine = try await review(of: entry.item, in: call)
    let book = mine?.book.id ?? entry.item.rawValue
    if mine?.isOn(to) != true { try await put(book, on: to, in: call) }
    guard !leaves, mine?.isOn(from) == true else { return }
    try await ask(settings.take(book, off: from), .list, in: call).nod(.list)
  }

  package func rate(_ entry: ListEntry, in call: Call) async throws(CirculationError) {
    try await note([.rating], of: entry, in: call)
  }

  package func note(_ parts: Set<ListEntry.Part>, of entry: ListEntry, in call: Call)
    async throws(CirculationError)
  {
    guard !parts.isEmpty else { return }
    let wanted = try Remarks(parts, of: entry)
    guard let mine = try await review(of: entry.item, in: call) else {
      throw failure(.titleGone, .list, says: "the book stands on no shelf")
    }
    if wanted.stand(in: mine) { return }
    let told = try await edit(mine.id, wanted.fields, in: call)
    if let told, wanted.stand(in: told) { return }
    // Dates are dropped at times though all was said to be well: what counts is what stands there.
    let now = try await ask(settings.review(mine.id), .list, in: call).payload(["review"], .list)
    guard let now = WireReview(now), wanted.stand(in: now) else {
      throw failure(.malformedResponse(expected: "a review as it was written"), .list)
    }
  }

  // MARK: - Steps

  private func own(_ list: ListID) throws(CirculationError) -> String {
    guard !list.rawValue.contains("/") else {
      throw failure(.unsupported(.listWriting), .list, says: "it is a friend's")
    }
    return list.rawValue
  }

  /// A name that nobody gave would make a new shelf (§5).
  private func know(_ shelf: String, in call: Call) async throws(CirculationError) {
    if Shelves.states[shelf] != nil { return }
    let known = try await shelves(of: try reader(.list).userID, in: call)
    guard known.contains(where: { $0.name == shelf }) else { throw noShelf(shelf) }
  }

  /// Nil when the book stands on no shelf, in any edition.
  func review(of book: ItemID, in call: Call) async throws(CirculationError) -> WireReview? {
    let request = settings.review(by: try reader(.list).userID, of: book.rawValue)
    let answer = try await ask(request, .list, in: call)
    do throws(CirculationError) {
      guard let review = WireReview(try answer.payload(["review"], .list)) else {
        throw Documents.malformed("a review", .list)
      }
      return review
    } catch {
      // Only where the review is what was not found: a book that nobody knows is another matter.
      guard error.reason == .titleGone, error.providerSays?.lowercased().holds("review") == true
      else { throw error }
      return nil
    }
  }

  private func put(_ book: String, on shelf: String, in call: Call)
    async throws(CirculationError)
  {
    let told = try await ask(settings.put(book, on: shelf), .list, in: call)
      .payload(["my_review", "review", "shelf"], .list)
    // The oldest answer is the shelf itself; the others tell all that the book stands on now.
    guard !told.isNamed("shelf") else { return }
    let names = told.list("shelf", in: "shelves").compactMap { $0.attribute("name") }
    guard names.contains(shelf) else {
      throw Documents.malformed("the shelf that was asked for", .list)
    }
  }

  /// The review as it is then, where the answer shows it.
  private func edit(
    _ review: String, _ fields: [(name: String, value: String)], in call: Call
  ) async throws(CirculationError) -> WireReview? {
    var answer = try await ask(settings.edit(review, .put, fields), .list, in: call)
    // Some are refused the documented way and taken in the other (§5).
    if answer.status == 401 {
      answer = try await ask(settings.edit(review, .post, fields), .list, in: call)
    }
    return WireReview(try answer.payload(["review"], .list))
  }
}

extension WireReview {
  func isOn(_ shelf: String) -> Bool { shelves.contains { $0.name == shelf } }
}

/// What is to be written into a review, and whether it stands there.
private struct Remarks {
  private(set) var fields: [(name: String, value: String)] = []
  private var rating: Int?
  private var review: String?
  private var reading: ListEntry.Reading?

  init(_ parts: Set<ListEntry.Part>, of entry: ListEntry) throws(CirculationError) {
    if parts.contains(.rating) {
      let stars = entry.rating.map { Int(min(max($0, 1), 5).rounded()) } ?? 0
      rating = stars
      fields.append(("review[rating]", String(stars)))
    }
    if parts.contains(.review) {
      review = entry.review ?? ""
      fields.append(("review[review]", entry.review ?? ""))
    }
    if parts.contains(.readings) {
      // It keeps the last only, and whole days.
      let last = entry.readings.last ?? ListEntry.Reading()
      for date in [last.started, last.finished].compactMap(\.self) where date.day == nil {
        throw Documents.failure(
          .unsupported(.remarks), .list, says: "\(date) is no whole day")
      }
      reading = last
      fields.append(("review[started_at]", last.started?.description ?? ""))
      fields.append(("review[read_at]", last.finished?.description ?? ""))
      if last.finished != nil { fields.append(("finished", "true")) }
    }
  }

  func stand(in told: WireReview) -> Bool {
    if let rating, (told.rating ?? 0) != rating { return false }
    if let review, Self.bare(told.body ?? "") != Self.bare(review) { return false }
    guard let reading else { return true }
    return WireReview.day(told.startedAt) == reading.started
      && WireReview.day(told.readAt) == reading.finished
  }

  /// A text without what a page makes of its lines.
  private static func bare(_ text: String) -> String {
    var out = Entities.decoded(text)
    for mark in ["<br />", "<br/>", "<br>"] { out = out.replacing(mark, with: "") }
    return out.filter { !$0.isWhitespace }
  }
}
