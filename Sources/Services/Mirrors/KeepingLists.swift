import Circulation
import Database
import ReadingLists

extension Keeping {
  /// New lists are made, others follow their names; what is gone at the service twice is let go.
  func keepLists(
    _ state: inout MirrorState, in tx: Transaction
  ) throws(DatabaseError) -> [String] {
    guard let lists = told.lists else { return [] }
    let home = state.remote
    for list in lists {
      let known = home[list.id]
      let id: ListID
      if let known {
        id = known.list
      } else {
        id = try tx.makeList(named: "\(accountName)/\(list.name)", for: patron, at: now)
      }
      // Only what was read to its end may be skipped the next time.
      let heard = told.whole.contains(list.id) ? list : known?.remote
      try tx.keep(id, list, heard, account)
      var row = list
      (row.count, row.changedAt) = (heard?.count, heard?.changedAt)
      state.lists[id] = MirroredList(list: id, account: account, remote: row, missed: 0)
    }
    var released: [String] = []
    for (remote, list) in home where !lists.contains(where: { $0.id == remote }) {
      if list.missed == 0 {
        try tx.execute("UPDATE mirror_list SET missed = 1 WHERE list = \(list.list.rawValue)")
        continue
      }
      // What stood on it stays here, as a list of the reader's own.
      try tx.execute("DELETE FROM mirror_place WHERE list = \(list.list.rawValue)")
      try tx.execute("DELETE FROM mirror_list WHERE list = \(list.list.rawValue)")
      state.lists[list.list] = nil
      for item in state.books.keys {
        state.books[item]?.agreed[remote] = nil
        state.books[item]?.here[remote] = nil
      }
      released.append(list.remote.name)
    }
    return released.sorted()
  }
}

extension MirroredList {
  fileprivate init(list: ListID, account: AccountID, remote: ReadingList, missed: Int) {
    (self.list, self.account, self.remote, self.missed) = (list, account, remote, missed)
  }
}
