package import Circulation
import HTTP
import HTTPClient
package import ProviderKit

/// The bookshelves of Google Books. Each operation is *send, translate*; section numbers are those of
/// the README. Nothing here excludes anything, and nothing is rated or dated.
package struct GoogleBooksProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [.lists, .listWriting]

  package static let listing = ProviderListing(
    id: ProviderID("googlebooks"), title: "Google Books", capabilities: capabilities,
    fields: [.init("refresh_token", "The token that Google gave", isSecret: true)],
    needs: Settings.needs,
    signIn: { library throws(SettingsFault) in .page(try signIn(library)) },
    decode: Decoding.decode,
    make: { library, credentials, session throws(SettingsFault) in
      GoogleBooksProvider(settings: try Settings(library, credentials), session: session)
    })

  let settings: Settings
  let session: Session

  package func describe() -> ProviderDescription {
    // Withdrawn volumes count and do not show, so what is missing may still be there.
    ProviderDescription(
      provider: Self.listing.id, availabilityBatch: 1,
      lists: ListTerms(entries: .kept, order: .told))
  }

  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    _ = try await shelves(.checkAccount, in: call)
    return AccountStanding()
  }

  package func lists(in call: Call) async throws(CirculationError) -> [ReadingList] {
    try await shelves(.list, in: call).map { $0.list() }
  }

  package func items(of list: ListID, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    let shelf = try number(of: list)
    guard let start = cursor == nil ? 0 : cursor.flatMap({ Int($0) }), start >= 0 else {
      throw failure(.malformedResponse(expected: "a cursor of our own"), .list)
    }
    let answer = try await ask(settings.volumes(on: shelf, from: start), .list, in: call)
    let page = try Documents.volumes(answer, .list)
    let end = start + Settings.perPage
    // Some are left out of a page, so only an empty one or the count is an end (§2).
    let isLast = page.volumes.isEmpty || page.total.map { end >= $0 } ?? false
    return ListPage(
      entries: page.volumes.enumerated().map { index, volume in
        var entry = volume.entry()
        entry.lists = [list]
        entry.state = Shelves.states[shelf]
        entry.position = start + index + 1
        return entry
      }, next: isLast ? nil : String(end))
  }

  // MARK: - Writing

  package func add(_ entry: ListEntry, to list: ListID, in call: Call)
    async throws(CirculationError)
  {
    let request = settings.change("addVolume", on: try open(list), entry.item)
    try Documents.nod(try await ask(request, .list, in: call), .list)
  }

  package func remove(_ entry: ListEntry, from list: ListID, in call: Call)
    async throws(CirculationError)
  {
    let shelf = try open(list)
    do throws(CirculationError) {
      let request = settings.change("removeVolume", on: shelf, entry.item)
      try Documents.nod(try await ask(request, .list, in: call), .list)
    } catch {
      guard error.reason == .titleGone else { throw error }
      // What is not there cannot be taken off, and the same is said of much else: the shelf tells (§2).
      let whole = try await wholeList(list, in: call)
      guard !whole.entries.contains(where: { $0.item == entry.item }) else { throw error }
    }
  }

  /// Onto the one first: whoever is interrupted has the book twice and not nowhere.
  package func move(
    _ entry: ListEntry, from list: ListID, to other: ListID, in call: Call
  ) async throws(CirculationError) {
    guard list != other else { return }
    _ = try open(list)
    try await add(entry, to: other, in: call)
    try await remove(entry, from: list, in: call)
  }

  /// To a place on its shelf, from 1.
  package func place(_ entry: ListEntry, on list: ListID, at position: Int, in call: Call)
    async throws(CirculationError)
  {
    let request = settings.change(
      "moveVolume", on: try open(list), entry.item,
      [("volumePosition", String(max(position, 1) - 1))])
    try Documents.nod(try await ask(request, .list, in: call), .list)
  }

  /// Takes everything off a shelf.
  package func clear(_ list: ListID, in call: Call) async throws(CirculationError) {
    let request = settings.change("clearVolumes", on: try number(of: list), nil)
    try Documents.nod(try await ask(request, .list, in: call), .list)
  }

  // MARK: - Finding

  /// A volume found by number must have that number: some answers are about another book (§4).
  package func find(_ book: SoughtBook, in call: Call)
    async throws(CirculationError) -> [FoundBook]
  {
    for isbn in book.numbers.isbns {
      for words in ["isbn:\(isbn.digits)", isbn.digits] {
        let entries = try await search(words, in: call).filter { $0.isbns.contains(isbn) }
        if !entries.isEmpty { return entries.map { FoundBook($0, isSure: true) } }
      }
    }
    let words = [
      book.title.map { "intitle:\"\(Self.quotable($0))\"" },
      book.author.map { "inauthor:\"\(Self.quotable($0))\"" },
    ].compactMap(\.self)
    guard !words.isEmpty else { return [] }
    return try await search(words.joined(separator: " "), in: call)
      .map { FoundBook($0, isSure: false) }
  }

  private func search(_ words: String, in call: Call)
    async throws(CirculationError) -> [ListEntry]
  {
    let answer = try await ask(settings.search(words), .list, in: call)
    return try Documents.volumes(answer, .list).volumes.map { $0.entry() }
  }

  private static func quotable(_ text: String) -> String { text.replacing("\"", with: " ") }
}
