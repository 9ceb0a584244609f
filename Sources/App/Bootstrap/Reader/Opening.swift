import Books
import Catalog
import Circulation
import Database
import Downloads
import Items
import Reading
import Registry
import Setup

/// A title on loan that is opened as a file.
struct LentBook: Sendable {
  let account: Account
  let item: ItemID
  let file: BookStore.Book
}

extension Visit {
  /// The file to read, and the loan it is of.
  func source(
    of subject: ReadOrder.Subject
  ) async throws(ErrorItem) -> (BookSource, LentBook?) {
    switch subject {
    case .file(let source): return (source, nil)
    case .title(let word):
      let lent: LentBook
      if let word { lent = try await fetched(word) } else { lent = try await lastOpened() }
      if let reader = lent.file.kind.reader {
        var error = ErrorItem("opens_elsewhere")
        (error.title, error.detail) = (lent.file.title, reader)
        throw error.about(lent.account, in: house)
      }
      return (.file(house.storeroom.files.path(of: lent.file)), lent)
    }
  }

  /// What is not here yet is downloaded first.
  private func fetched(_ word: String) async throws(ErrorItem) -> LentBook {
    let offers = try await Offers(self)
    let ticket = try await asked(for: word, nil, offers)
    let items = try await Fetching(visit: self, accounts: offers.accounts, progress: { _ in })
      .items(of: [ticket.id])
    let lent = try await files(offers.accounts).first {
      $0.account.id == ticket.wish.account && $0.item == ticket.wish.item
    }
    if let lent { return lent }
    var error = ErrorItem("download_failed")
    (error.title, error.detail) = (ticket.wish.title, items.first?.reason ?? "")
    error.account = items.first?.account
    throw error
  }

  private func lastOpened() async throws(ErrorItem) -> LentBook {
    let last = try await files(try await accounts())
      .filter { $0.file.openedAt != nil }
      .max { ($0.file.openedAt ?? 0) < ($1.file.openedAt ?? 0) }
    if let last { return last }
    throw ErrorItem("nothing_open")
  }

  private func files(_ accounts: [Account]) async throws(ErrorItem) -> [LentBook] {
    let books = try await toldOfDatabase { () throws(DatabaseError) in
      try await house.storeroom.files.books(of: patron.id)
    }
    return books.compactMap { book in
      accounts.first { $0.id == book.account }.map {
        LentBook(account: $0, item: book.item, file: book)
      }
    }
  }

  /// Says that the book is open, in its state and among the files.
  func opened(_ lent: LentBook) async throws(ErrorItem) {
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.storeroom.files.opened(lent.file)
      _ = try await house.books.open(BookKey(lent.account.library, lent.item), of: patron.id)
    }
  }

  /// The work that an open file is of: asked of the catalogue for a loan, and remembered, so that the
  /// same file is known wherever it lies later. Nil where nobody knows.
  func work(of lent: LentBook?, _ digest: String) async -> WorkID? {
    guard let lent else {
      do throws(PositionError) {
        return try await house.positions.work(ofFile: digest, for: patron.id)
      } catch { return nil }
    }
    do throws(DatabaseError) {
      guard
        let work = try await house.catalog.works(for: [(lent.account.library, lent.item)])[0]
      else { return nil }
      try? await house.positions.note(file: digest, of: work, for: patron.id)
      return work
    } catch { return nil }
  }
}
