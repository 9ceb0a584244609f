import Catalog
import Circulation
import Database
import Items
import Registry
import Setup

// Some libraries cannot be listed, only asked what they have of a book that others list. What is
// open there joins the catalogue as an edition like any other, and the matcher brings it to its
// work.

extension Visit {
  /// What is read from the catalogue, once more where something came in that it may hold.
  func lookingUp<Found: Sendable>(
    _ accounts: [Account], for entries: (Found) -> [CatalogEntry],
    _ read: () async throws(ErrorItem) -> Found
  ) async throws(ErrorItem) -> Found {
    let found = try await read()
    return await takesOpen(of: entries(found), accounts) ? try await read() : found
  }

  /// Whether something came in. Nobody waits long for that, or fails by it: what the lenders have
  /// is known already.
  func takesOpen(of entries: [CatalogEntry], _ accounts: [Account]) async -> Bool {
    var asked: Set<LibraryID> = []
    let lookers = accounts.filter { can(.lookUp, $0) && asked.insert($0.library).inserted }
    guard !lookers.isEmpty else { return false }
    return await withTaskGroup(of: Bool.self) { group in
      for account in lookers {
        group.addTask { await self.takesOpen(of: entries, from: account) }
      }
      var isAny = false
      for await one in group { isAny = isAny || one }
      return isAny
    }
  }

  private func takesOpen(of entries: [CatalogEntry], from account: Account) async -> Bool {
    let call = call(min(Self.patience, house.configuration.http.deadline))
    let books = entries.filter { entry in
      !entry.editions.contains { $0.library == account.library }
    }.map(BookNumbers.init)
    guard let provider = try? await provider(of: account, call),
      let due = try? await house.inquiries.due(books, at: account.library)
    else { return false }
    // A page of titles costs two questions at most; what is left is asked about the next time.
    let batch = Array(due.prefix(provider.describe().availabilityBatch * 2))
    guard !batch.isEmpty else { return false }
    let found: [FoundEdition]
    do throws(CirculationError) { found = try await provider.lookUp(batch, in: call) } catch {
      try? await house.inquiries.note(batch, at: account.library, for: Self.respite)
      return false
    }
    // For paper one can wait.
    let open = found.filter { $0.availability.canBeHadNow || $0.edition.isPaper }
    do throws(DatabaseError) {
      if !open.isEmpty {
        try await house.catalog.take(
          open.map(\.edition), of: account.library, provider: account.provider)
        let answers = open.map { ($0.edition.item, $0.availability) }
        try await house.catalog.note(
          Dictionary(answers) { first, _ in first }, at: account.library)
      }
      try await house.inquiries.note(batch, at: account.library, for: Self.memory)
      return !open.isEmpty
    } catch {
      return false
    }
  }

  private static let patience = Duration.seconds(3)
  /// Rights change with the years, and on no day more than on the first of January.
  private static let memory = Duration.seconds(14 * 86_400)
  /// After a failure.
  private static let respite = Duration.seconds(900)
}

extension BookNumbers {
  /// Those of all its editions. Where a catalogue of paper lists none of them, title and author are
  /// left to ask by.
  fileprivate init(_ entry: CatalogEntry) {
    self.init()
    if let first = entry.editions.first?.edition, first.medium == .book {
      // With the part that may name a volume: without it the matcher would be in doubt.
      title = [first.title, first.subtitle].compactMap(\.self).joined(separator: ": ")
      (authors, language) = (first.authors, first.languages.first)
    }
    for edition in entry.editions.map(\.edition) {
      isbns += edition.isbns.filter { !isbns.contains($0) }
      identifiers += edition.identifiers.filter { !identifiers.contains($0) }
    }
  }
}
