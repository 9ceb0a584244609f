package import Circulation
import ProviderKit

// Writing (§3, §4).

extension OpenLibraryProvider {
  package func add(_ entry: ListEntry, to list: ListID, in call: Call)
    async throws(CirculationError)
  {
    let place = try place(list)
    // The service takes any number for a work, so whether there is such a book is looked up.
    let work = try await logged(entry, in: call)
    switch place {
    case .shelf(let shelf): try await put(work, on: shelf, edition: entry.edition, in: call)
    case .list(let key):
      try await change(key, in: call) { user in
        settings.change(key, of: user, adding: [work])
      }
    }
  }

  package func remove(_ entry: ListEntry, from list: ListID, in call: Call)
    async throws(CirculationError)
  {
    switch try place(list) {
    case .shelf(let shelf):
      // Taking off takes off whatever shelf it is on, so it has to be this one.
      guard let standing = try await standing(of: entry, on: [shelf], in: call) else { return }
      try await put(standing.work, on: nil, edition: nil, in: call)
    case .list(let key):
      let seeds = try await seeds(of: key, standingFor: entry, in: call)
      guard !seeds.isEmpty else { return }
      try await change(key, in: call) { user in
        settings.change(key, of: user, removing: seeds)
      }
    }
  }

  /// Between shelves it is one step. Elsewhere first onto the one: whoever is interrupted has the book
  /// twice and not nowhere.
  package func move(
    _ entry: ListEntry, from list: ListID, to other: ListID, in call: Call
  ) async throws(CirculationError) {
    guard list != other else { return }
    if case .shelf(let from) = try place(list), case .shelf(let to) = try place(other) {
      let work = entry.record.flatMap { Key($0, .work) }
      if let work { return try await put(work, on: to, edition: entry.edition, in: call) }
      // Without its edition a move would take that away, so it is looked up.
      guard let standing = try await standing(of: entry, on: [from], in: call) else {
        return try await add(entry, to: other, in: call)
      }
      return try await put(
        standing.work, on: to, edition: standing.edition ?? entry.edition, in: call)
    }
    try await add(entry, to: other, in: call)
    try await remove(entry, from: list, in: call)
  }

  /// To the service whoever rates has read, and it puts the book there (§3). It is put back.
  package func rate(_ entry: ListEntry, in call: Call) async throws(CirculationError) {
    let stars = entry.rating.map { Int(min(max($0, 1), 5).rounded()) }
    let named = entry.lists.compactMap { Shelf(slug: $0.rawValue) }
    let shelves = (named + Shelf.allCases).distinct
    guard let standing = try await standing(of: entry, on: shelves, in: call) else {
      throw failure(.titleGone, .list, says: "the book stands on no shelf")
    }
    let request = settings.rate(standing.work, stars, edition: standing.edition)
    let answer = try await ask(.list, in: call) { _ in request }
    try Documents.nod(answer, "success", .list)
    guard stars != nil, standing.shelf != .read else { return }
    do throws(CirculationError) {
      try await put(standing.work, on: standing.shelf, edition: standing.edition, in: call)
    } catch {
      // Rated it is, so no refusal would be the whole truth.
      guard !error.reason.leavesOutcomeOpen else { throw error }
      throw failure(
        .malformedResponse(expected: "the book back on its shelf"), .list,
        says: error.reason.code)
    }
  }

  // MARK: - Steps

  /// The key that it is kept under; a merged work stays under its old one.
  private func logged(_ entry: ListEntry, in call: Call) async throws(CirculationError) -> Key {
    if let work = entry.record.flatMap({ Key($0, .work) }) { return work }
    guard let work = Key(entry.item) else {
      throw failure(.titleGone, .list, says: "no work is called \(entry.item)")
    }
    return try await record(work, in: call).key
  }

  private func put(_ work: Key, on shelf: Shelf?, edition: Key?, in call: Call)
    async throws(CirculationError)
  {
    let request = settings.put(work, on: shelf, edition: edition)
    let answer = try await ask(.list, in: call) { _ in request }
    try Documents.nod(answer, "bookshelves_affected", .list)
  }

  private func change(
    _ list: Key, in call: Call, _ request: @Sendable (String) -> WireRequest
  ) async throws(CirculationError) {
    let answer = try await ask(.list, in: call, request)
    try Documents.nod(answer, "revision", .list)
  }

  private struct Standing {
    let shelf: Shelf
    let work: Key
    let edition: Key?
  }

  /// On which of those shelves it stands. By its name that is one question each; where the name finds
  /// nothing it may have changed, and all of the shelf is read.
  private func standing(of entry: ListEntry, on shelves: [Shelf], in call: Call)
    async throws(CirculationError) -> Standing?
  {
    let keys = [entry.record, entry.item.rawValue].compactMap { $0.flatMap { Key($0, .work) } }
    guard !keys.isEmpty else { return nil }
    func hit(_ page: LogPage, _ shelf: Shelf) -> Standing? {
      page.entries.first { keys.contains($0.key) }.map {
        Standing(shelf: shelf, work: $0.key, edition: $0.edition)
      }
    }
    if let words = Self.searchable(entry.title) {
      for shelf in shelves {
        if let found = hit(try await log(shelf, 1, words: words, in: call), shelf) { return found }
      }
    }
    for shelf in shelves {
      for number in 1...Self.mostPages {
        let page = try await log(shelf, number, in: call)
        if let found = hit(page, shelf) { return found }
        if page.isLast(number) { break }
      }
    }
    return nil
  }

  /// Words without the signs that mean something to a search; fewer than three letters are refused.
  private static func searchable(_ title: String) -> String? {
    let words = title.split { !$0.isLetter && !$0.isNumber }.prefix(6).joined(separator: " ")
    return words.count >= 3 ? words : nil
  }

  /// The work itself, or editions of it.
  private func seeds(of list: Key, standingFor entry: ListEntry, in call: Call)
    async throws(CirculationError) -> [Key]
  {
    let all = try await seeds(of: list, in: call).compactMap(\.key)
    let names = [entry.record, entry.item.rawValue].compactMap(\.self)
    let editions = all.filter { $0.kind == .edition }
    var works: [Key: Key] = [:]
    for start in stride(from: 0, to: editions.count, by: Settings.perPage) {
      let batch = editions[start..<min(start + Settings.perPage, editions.count)]
      let told = try await books(batch.map { "OLID:\($0.name)" }, in: call)
      for key in batch { works[key] = told["OLID:\(key.name)"]?.work }
    }
    return all.filter {
      names.contains($0.name) || works[$0].map { names.contains($0.name) } == true
    }
  }
}
