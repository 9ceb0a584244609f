package import Circulation
package import Database

/// What became of something that the reader asked for.
package enum Choice: Sendable, Hashable {
  case done(KeptBook)
  /// It stood that way before.
  case already(KeptBook)
  /// The book is in a state where that has no meaning.
  case refused(BookState)
  /// The patron has saved and ignored as many books as this gateway stores.
  case full(most: Int)
}

/// What readers decide without any library.
extension MyBooks {
  package func save(
    _ key: BookKey, _ face: BookFace, of patron: PatronID
  ) async throws(DatabaseError) -> Choice {
    try await choose(key, of: patron, face, .save, standing: [.saved])
  }

  /// Everything that is kept of a reader's books, in the order it came.
  package func all(of patron: PatronID) async throws(DatabaseError) -> [KeptBook] {
    try await store.read { snapshot throws(DatabaseError) in try snapshot.books(of: patron) }
  }

  /// Those that wait for their reader without any library.
  package func saved(by patron: PatronID) async throws(DatabaseError) -> [KeptBook] {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(KeptBook.columns) FROM book
        WHERE patron = \(patron.rawValue) AND state = \(BookState.saved.rawValue) ORDER BY id
        """, KeptBook.init(row:))
    }
  }

  package func unsave(
    _ key: BookKey, of patron: PatronID
  ) async throws(DatabaseError) -> Choice {
    try await choose(key, of: patron, nil, .unsave, standing: [.none])
  }

  /// Puts away a loan or an offer that went by.
  package func dismiss(
    _ key: BookKey, of patron: PatronID
  ) async throws(DatabaseError) -> Choice {
    try await choose(key, of: patron, nil, .dismissed, standing: [.none, .saved])
  }

  /// Opens a book that is there; it stays open however often it is opened.
  package func open(
    _ key: BookKey, of patron: PatronID
  ) async throws(DatabaseError) -> Choice {
    try await choose(key, of: patron, nil, .opened, standing: [.opened])
  }

  private func choose(
    _ key: BookKey, of patron: PatronID, _ face: BookFace?, _ event: BookEvent,
    standing: Set<BookState>
  ) async throws(DatabaseError) -> Choice {
    let (now, most) = (now(), PatronLimits.standard.chosenBooks)
    return try await store.write { tx throws(DatabaseError) in
      var book = try tx.book(key, of: patron) ?? KeptBook(key, at: now)
      if let face { book.face = face }
      if standing.contains(book.state) { return .already(book) }
      guard book.apply(event, at: now) else { return .refused(book.state) }
      if event == .save, try tx.chosenBooks(of: patron) >= most { return .full(most: most) }
      try tx.keep(book, of: patron)
      return .done(book)
    }
  }

  /// Works that lanes and searches leave out for this reader. Whatever else a book is it stays.
  package func ignore(
    _ key: BookKey, _ face: BookFace, of patron: PatronID
  ) async throws(DatabaseError) -> Choice {
    try await mark(key, of: patron, face) { book in
      if book.isIgnored { return false }
      book.isIgnored = true
      return true
    }
  }

  package func unignore(
    _ key: BookKey, of patron: PatronID
  ) async throws(DatabaseError) -> Choice {
    try await mark(key, of: patron, nil) { book in
      guard book.isIgnored else { return false }
      book.isIgnored = false
      return true
    }
  }

  private func mark(
    _ key: BookKey, of patron: PatronID, _ face: BookFace?,
    _ change: @escaping @Sendable (inout KeptBook) -> Bool
  ) async throws(DatabaseError) -> Choice {
    let (now, most) = (now(), PatronLimits.standard.chosenBooks)
    return try await store.write { tx throws(DatabaseError) in
      var book = try tx.book(key, of: patron) ?? KeptBook(key, at: now)
      guard change(&book) else { return .already(book) }
      if book.isIgnored, try tx.chosenBooks(of: patron) >= most { return .full(most: most) }
      if book.state == .none, let face { book.face = face }
      try tx.keep(book, of: patron)
      return .done(book)
    }
  }

  /// What the reader saves or ignores, in one look.
  package func marked(by patron: PatronID) async throws(DatabaseError) -> [KeptBook] {
    try await store.read { snapshot throws(DatabaseError) in try snapshot.marked(by: patron) }
  }

  package func ignored(by patron: PatronID) async throws(DatabaseError) -> [KeptBook] {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(KeptBook.columns) FROM book
        WHERE patron = \(patron.rawValue) AND ignored = \(true) ORDER BY id
        """, KeptBook.init(row:))
    }
  }
}

extension Transaction {
  /// What a download does to its book, in the transaction that does it to the download. False where
  /// the table has no such move: the loan ended meanwhile, and its book went its own way.
  @discardableResult
  package func move(
    _ item: ItemID, on account: AccountID, of patron: PatronID, by event: BookEvent, at now: Int64
  ) throws(DatabaseError) -> Bool {
    let book = try first(
      """
      SELECT \(KeptBook.columns) FROM book WHERE patron = \(patron.rawValue)
        AND item = \(item.rawValue) AND account = \(account.rawValue)
      """, KeptBook.init(row:))
    guard var book, book.apply(event, at: now) else { return false }
    try keep(book, of: patron)
    return true
  }
}
