import Circulation
import Database
import FoundationEssentials
import Machine
import ReadingLists

extension Mirrors {
  /// Finds out what the service calls the books that the reader dealt with here.
  func bind(
    _ order: MirrorOrder, _ standing: MirrorStanding, _ state: MirrorState, _ told: Told
  ) async throws(MirrorError) -> Bindings {
    var bindings = Bindings()
    let correspondent = order.correspondent
    guard correspondent.takesBooks else { return bindings }
    let said = try await carried(by: order.account)
    // What nobody knows there may be known in a while.
    let horizon = now() - 7 * 86_400_000
    let news = order.carried.compactMap { book -> (CarriedBook, String)? in
      guard let word = book.said(standing.carries) else { return nil }
      let before = said[book.key]
      if let before, before.said == word, before.isFound || before.at > horizon { return nil }
      let old = before?.isFound == true ? before?.said : nil
      return (book.only(standing.carries).since(old), word)
    }
    let unknown = Set(
      state.strangers.filter { stranger in
        guard let before = said[CarriedKey(stranger)] else { return false }
        return before.said == stranger.member.book.title && before.at > horizon
      })
    // Before the first sync there is no list here that anything could be put on.
    guard !state.lists.isEmpty, !news.isEmpty || !state.strangers.isEmpty else { return bindings }
    let theirs = told.books.values.map(\.entry)
    let known = Acquaintances(
      theirs + state.books.filter { told.books[$0.key] == nil }.values.map(\.told))
    for stranger in state.strangers {
      let book = stranger.member.book
      let sought = Sought(
        title: book.title, authors: book.authors, numbers: BookNumbers(isbns: book.isbns))
      let isUnknown = unknown.contains(stranger)
      let entry =
        isUnknown ? known.entry(of: sought) : try await found(sought, known, order)
      if let entry {
        bindings.strangers.append((stranger, entry))
      } else if isUnknown {
        bindings.unfoundTitles.append(book.title)
      } else {
        bindings.unfoundStrangers.append(stranger)
        bindings.unfoundTitles.append(book.title)
      }
    }
    for (book, word) in news {
      let sought = Sought(title: book.title, authors: book.authors, numbers: book.numbers)
      if let entry = try await found(sought, known, order) {
        bindings.carried.append((book, entry, said: word))
      } else {
        bindings.unfound.append((book, said: word))
        bindings.unfoundTitles.append(book.title)
      }
    }
    return bindings
  }

  private func found(
    _ sought: Sought, _ known: Acquaintances, _ order: MirrorOrder
  ) async throws(MirrorError) -> ListEntry? {
    if let entry = known.entry(of: sought) { return entry }
    try await renewLease(order)
    return try await Self.unlessAboutOneBook { () throws(MirrorError) in
      try await order.correspondent.entry(of: sought)
    } ?? nil
  }

  /// One book that a service chokes on is no reason to leave the others.
  static func unlessAboutOneBook<T: Sendable>(
    _ question: () async throws(MirrorError) -> T
  ) async throws(MirrorError) -> T? {
    do throws(MirrorError) { return try await question() } catch {
      guard case .service(let reason) = error, reason.isAboutOneBook else { throw error }
      return nil
    }
  }

  private func carried(
    by account: AccountID
  ) async throws(MirrorError) -> [CarriedKey: CarriedBefore] {
    try await read { snapshot throws(DatabaseError) in
      var said: [CarriedKey: CarriedBefore] = [:]
      try snapshot.forEach(
        """
        SELECT library, item, said, outcome, at FROM mirror_carried
        WHERE account = \(account.rawValue)
        """
      ) { row throws(DatabaseError) in
        let outcome: String = try row[3]
        said[CarriedKey(LibraryID(try row[0]), ItemID(try row[1]))] = CarriedBefore(
          said: try row[2], isFound: outcome == "carried", at: try row[4])
        return .next
      }
      return said
    }
  }
}

struct CarriedKey: Sendable, Hashable {
  let library: LibraryID
  let item: ItemID

  init(_ library: LibraryID, _ item: ItemID) { (self.library, self.item) = (library, item) }

  /// Of no library: put on a list by hand.
  init(_ stranger: MirrorState.Stranger) {
    self.init(LibraryID(""), ItemID("\(stranger.list.rawValue)/\(stranger.member.id)"))
  }
}

/// What a service was told of a book, or would have been.
private struct CarriedBefore: Sendable {
  let said: String
  let isFound: Bool
  let at: Int64
}

extension CarriedBook {
  var key: CarriedKey { CarriedKey(library, item) }
}
