import Catalog
import Circulation
import Database
import Items
import Registry
import Setup

// Libraries that cannot be listed are asked for the words that a reader typed: what only their shelves
// of paper have would else be found by nobody.

extension House {
  /// Why some did not answer: an empty page must not pass for their answer.
  @discardableResult
  func seek(
    _ words: String, by accounts: [Account], _ call: (Duration) -> Call
  ) async -> [ErrorItem] {
    var asked: Set<LibraryID> = []
    let seekers = accounts.filter {
      can(.search, $0) && !can(.harvest, $0) && asked.insert($0.library).inserted
    }
    guard !seekers.isEmpty else { return [] }
    let call = call(min(Seek.patience, configuration.http.deadline))
    return await withTaskGroup(of: ErrorItem?.self) { group in
      for account in seekers {
        group.addTask { await Seek(house: self, account: account, call: call).take(words) }
      }
      return await group.reduce(into: []) { troubles, trouble in
        troubles += [trouble].compactMap(\.self)
      }
    }
  }
}

/// What one library is asked.
private struct Seek: Sendable {
  let house: House
  let account: Account
  let call: Call

  static let patience = Duration.seconds(4)
  /// Who turns a page, or asks again with other wishes, asks nobody else again.
  private static let memory = Duration.seconds(600)
  private static let most = 50

  func take(_ words: String) async -> ErrorItem? {
    // Nothing depends on the memory.
    let isDue = try? await house.inquiries.isDue(words, at: account.library)
    guard isDue != false else { return nil }
    do {
      let provider = try await house.counter.provider(
        of: account.id, house.registry, request: call.requestID)
      let found = try await provider.search(
        SearchQuery(words: words, limit: Self.most), in: call)
      if !found.isEmpty {
        try await house.catalog.take(found, of: account.library, provider: account.provider)
        let items = found.prefix(provider.describe().availabilityBatch).map(\.item)
        // Titles without a word on copies are still worth showing.
        if let answers = try? await provider.availability(of: items, in: call) {
          try await house.catalog.note(answers, at: account.library)
        }
      }
      try? await house.inquiries.note(words, at: account.library, for: Self.memory)
      return nil
    } catch let error as CirculationError {
      // A desk that nobody can search has nothing to add, and never had.
      if case .unsupported = error.reason { return nil }
      return ErrorItem(error).about(account, in: house)
    } catch let error as HouseError {
      return ErrorItem(error)
    } catch {
      return nil
    }
  }
}
