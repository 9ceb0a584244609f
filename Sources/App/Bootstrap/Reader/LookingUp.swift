import Catalog
import Circulation
import Database
import Items
import Registry
import Setup

// Some libraries cannot be listed, only asked what they have of a book that others list: what is free
// there, and what stands on their shelves on paper. It joins the catalogue as an edition like any
// other, and the matcher brings it to its work.

extension Visit {
  /// What is read from the catalogue, once more where something came in that it may hold.
  func lookingUp<Found: Sendable>(
    _ accounts: [Account], for entries: (Found) -> [CatalogEntry],
    _ read: () async throws(ErrorItem) -> Found
  ) async throws(ErrorItem) -> Found {
    let found = try await read()
    let isAny = await house.lookUp(entries(found), by: accounts) { call($0) }
    return isAny ? try await read() : found
  }
}

extension House {
  /// Whether something came in. Nobody waits long for that, or fails by it: what the lenders have is
  /// known already.
  func lookUp(
    _ entries: [CatalogEntry], by accounts: [Account], _ call: (Duration) -> Call
  ) async -> Bool {
    var asked: Set<LibraryID> = []
    let lookers = accounts.filter { can(.lookUp, $0) && asked.insert($0.library).inserted }
    guard !lookers.isEmpty else { return false }
    let call = call(min(LookUp.patience, configuration.http.deadline))
    return await withTaskGroup(of: Bool.self) { group in
      for account in lookers {
        group.addTask { await LookUp(house: self, account: account, call: call).take(entries) }
      }
      return await group.reduce(false) { $0 || $1 }
    }
  }
}

/// What one library is asked.
private struct LookUp: Sendable {
  let house: House
  let account: Account
  let call: Call

  static let patience = Duration.seconds(3)
  /// Rights change with the years, and on no day more than on the first of January.
  private static let memory = Duration.seconds(14 * 86_400)
  /// What a library buys or puts away on paper is seen sooner.
  private static let paperMemory = Duration.seconds(86_400)
  /// After a failure.
  private static let respite = Duration.seconds(900)

  func take(_ entries: [CatalogEntry]) async -> Bool {
    let books = entries.filter { entry in
      !entry.editions.contains { $0.library == account.library }
    }.map(BookNumbers.init)
    guard
      let due = try? await house.inquiries.due(books, at: account.library), !due.isEmpty,
      let provider = try? await house.counter.provider(
        of: account.id, house.registry, request: call.requestID)
    else { return false }
    // A page of titles costs two questions at most; what is left is asked about the next time.
    let batch = Array(due.prefix(provider.describe().availabilityBatch * 2))
    let answer: LookUpAnswer
    do throws(CirculationError) { answer = try await provider.lookUp(batch, in: call) } catch {
      try? await house.inquiries.note(batch, at: account.library, for: Self.respite)
      return false
    }
    // For paper one can wait.
    let wanted = answer.found.filter { $0.availability.canBeHadNow || $0.edition.isPaper }
    let memory = house.can(.physicalHolds, account) ? Self.paperMemory : Self.memory
    do throws(DatabaseError) {
      if !wanted.isEmpty {
        try await house.catalog.take(
          wanted.map(\.edition), of: account.library, provider: account.provider)
        let answers = wanted.map { ($0.edition.item, $0.availability) }
        try await house.catalog.note(
          Dictionary(answers) { first, _ in first }, at: account.library)
      }
      try await house.inquiries.note(
        batch.filter { !answer.unread.contains($0) }, at: account.library, for: memory)
      try await house.inquiries.note(answer.unread, at: account.library, for: Self.respite)
      return !wanted.isEmpty
    } catch {
      return false
    }
  }
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
      isbns += (edition.isbns + edition.relatedISBNs).filter { !isbns.contains($0) }
      identifiers += edition.identifiers.filter { !identifiers.contains($0) }
    }
  }
}
