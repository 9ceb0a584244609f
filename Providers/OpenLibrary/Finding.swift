package import Circulation
import JSON
import ProviderKit

extension OpenLibraryProvider {
  /// By number first; by words only where no number leads anywhere. A page for an ISBN would make the
  /// service fetch the book from shops, so the look-up is asked, which knows what is there (§5).
  package func find(_ book: SoughtBook, in call: Call)
    async throws(CirculationError) -> [FoundBook]
  {
    if let work = book.numbers.identifiers.lazy.compactMap({ $0.key(.work) }).first {
      let found = try await record(work, in: call)
      let entry = Translation.entry(
        found.key, found.json["title"]?.words, [], year: nil, at: settings.api)
      return [FoundBook(entry, isSure: true)]
    }
    let editions = try await editions(of: book.numbers, in: call)
    if !editions.isEmpty { return editions.map { FoundBook($0, isSure: true) } }
    guard book.title != nil || book.author != nil else { return [] }
    let answer = try await ask(
      settings.search(title: book.title, author: book.author, most: Self.mostFound), .list,
      in: call)
    return try WireFound.docs(Documents.object(answer, .list), .list).map { found in
      let entry = Translation.entry(
        found.key, found.title, found.authors, year: found.firstPublishYear, at: settings.api)
      return FoundBook(entry, isSure: false)
    }
  }

  private static let mostFound = 10

  /// Each work once, with the edition that has the number.
  private func editions(of numbers: BookNumbers, in call: Call)
    async throws(CirculationError) -> [ListEntry]
  {
    let asked =
      numbers.identifiers.compactMap { $0.key(.edition) }.map { "OLID:\($0.name)" }
      + numbers.isbns.map { "ISBN:\($0.digits)" }
    let sent = Array(asked.distinct.prefix(Settings.perPage))
    guard !sent.isEmpty else { return [] }
    let told = try await books(sent, in: call)
    var (entries, seen): ([ListEntry], Set<Key>) = ([], [])
    for number in sent {
      guard let edition = told[number], let work = edition.work,
        number.hasPrefix("OLID:") || edition.isbns.contains(where: { numbers.isbns.contains($0) }),
        seen.insert(work).inserted
      else { continue }
      var entry = Translation.entry(work, edition.title, [], year: nil, at: settings.api)
      entry.identifiers.append(edition.key.identifier)
      entry.published = edition.published
      entry.take(edition)
      entries.append(entry)
    }
    return entries
  }
}
