package import Circulation
import ProviderKit

extension GoodreadsProvider {
  /// By number first; by words only where no number leads anywhere.
  package func find(_ book: SoughtBook, in call: Call)
    async throws(CirculationError) -> [FoundBook]
  {
    var ids = book.numbers.identifiers.filter { $0.scheme == "goodreads" }.map(\.value)
    if ids.isEmpty { ids = try await numbers(of: book.numbers.isbns, in: call) }
    var found: [FoundBook] = []
    for id in ids.distinct.prefix(Self.mostFound) {
      let told = try await ask(settings.book(id), .list, in: call).payload(["book"], .list)
      guard let known = WireBook(told) else { throw Documents.malformed("a book", .list) }
      found.append(FoundBook(known.entry(), isSure: true))
    }
    guard found.isEmpty else { return found }
    let words = [book.title, book.author].compactMap(\.self).joined(separator: " ")
    guard !words.isEmpty else { return [] }
    let answer = try await ask(settings.search(words), .list, in: call).payload(["search"], .list)
    return try Search.works(answer).prefix(Self.mostFound).map { FoundBook($0, isSure: false) }
  }

  /// Each costs a request of its own, and a second.
  private static let mostFound = 5

  private func numbers(of isbns: [ISBN], in call: Call) async throws(CirculationError) -> [String] {
    guard !isbns.isEmpty else { return [] }
    let answer = try await ask(settings.numbers(of: isbns), .list, in: call)
    let slots: [String]
    do throws(CirculationError) {
      slots = try answer.text(.list).parts(at: ",")
    } catch {
      // One that nobody knows is missing, one among others an empty place (§6).
      let isAboutThis = error.providerSays?.lowercased().holds("isbn") == true
      if error.reason == .titleGone, isAboutThis { return [] }
      throw error
    }
    guard slots.count == isbns.count,
      slots.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } && $0.utf8.count < 20 }),
      slots.count > 1 || slots[0] != ""
    else { throw Documents.malformed("a number for each ISBN", .list) }
    return slots.filter { !$0.isEmpty }
  }
}

/// What a search for words found.
enum Search {
  static func works(_ search: WireXML) throws(CirculationError) -> [ListEntry] {
    guard let results = search["results"] else { return [] }
    let works = results.all("work")
    let entries = works.compactMap { work -> ListEntry? in
      guard let best = work["best_book"].flatMap(WireBook.init) else { return nil }
      var entry = best.entry()
      if let id = work.number("id") {
        entry.identifiers.append(ForeignIdentifier(scheme: "goodreads_work", value: id))
      }
      entry.published = work.whole("original_publication_year").map { PartialDate(year: $0) }
      return entry
    }
    guard entries.count == works.count else {
      throw Documents.malformed("works with numbers", .list)
    }
    return entries
  }
}
