package import Circulation
import Database
import ReadingLists

extension Mirrors {
  /// Makes here what was before a write, as if the reader had said so; the next sync carries it on.
  /// Refused where the write never happened.
  package func undo(
    _ id: Int64, of accounts: [AccountID]
  ) async throws(MirrorError) -> MirrorWrite {
    let now = now()
    let undone = try await write { tx throws(DatabaseError) -> MirrorWrite? in
      let found = try tx.first(
        """
        SELECT \(MirrorWrite.columns) FROM mirror_write WHERE id = \(id)
          AND account IN (\(accounts.map(\.rawValue))) AND state IN ('done', 'roughly')
        """, MirrorWrite.init(row:))
      guard let found else { return nil }
      try tx.undo(found, at: now)
      return found
    }
    guard let undone else { throw .noSuchWrite }
    return undone
  }
}

extension Transaction {
  fileprivate func undo(_ write: MirrorWrite, at now: Int64) throws(DatabaseError) {
    let state = try mirrorState(of: write.account)
    let home = state.remote
    let listed = ListedBook(write.before, on: home.mapValues(\.remote))
    var book = state.books[write.item] ?? MirrorBook(told: write.before.unsaid, mine: write.before)
    func leave(_ list: ListID) throws(DatabaseError) {
      guard let id = home[list]?.list, let member = book.here[list] else { return }
      try take([member], from: id, at: now)
    }
    func come(to list: ListID) throws(DatabaseError) {
      guard let id = home[list]?.list, book.here[list] == nil else { return }
      let word = try put([listed], on: id, at: now)[0]
      try keep(
        MirrorPlaceRow(
          list: id, item: write.item, account: write.account, member: word, missed: 0,
          isAgreed: book.agreed[list] != nil))
    }
    switch write.deed {
    case .add(let list): try leave(list)
    case .remove(let list):
      try come(to: list)
      // What was said of it went with its last list.
      if state.books[write.item] == nil {
        book.edits = Set(
          ListEntry.Part.allCases.filter { !$0.isSame(write.before, write.before.unsaid) })
      }
    case .move(let from, let to):
      try leave(to)
      try come(to: from)
    case .rate:
      ListEntry.Part.rating.copy(from: write.before, to: &book.mine)
      book.edits.insert(.rating)
    case .note(let parts):
      for part in parts { part.copy(from: write.before, to: &book.mine) }
      book.edits.formUnion(parts)
    }
    try keep(
      MirrorRow(
        account: write.account, item: write.item, told: book.told, mine: book.mine,
        edits: book.edits, editedAt: now))
  }
}

extension ListEntry {
  /// The book alone.
  fileprivate var unsaid: ListEntry {
    var bare = ListEntry(item: item, title: title)
    (bare.authors, bare.isbns, bare.identifiers) = (authors, isbns, identifiers)
    return bare
  }
}
