import Circulation
import Database
import FoundationEssentials
import ReadingLists

struct MirrorRow {
  let account: AccountID
  let item: ItemID
  let told: ListEntry
  let mine: ListEntry
  let edits: Set<ListEntry.Part>
  let editedAt: Int64?
}

struct MirrorPlaceRow {
  let list: ListID
  let item: ItemID
  let account: AccountID
  let member: String
  let missed: Int
  /// Whether the service has it there as well.
  let isAgreed: Bool
}

extension Transaction {
  func keep(_ row: MirrorRow) throws(DatabaseError) {
    let edits = row.edits.map(\.rawValue).sorted().joined(separator: " ")
    try execute(
      """
      INSERT INTO mirror_book (account, item, told, mine, edited_at, edits)
      VALUES (\(row.account.rawValue), \(row.item.rawValue), \(KeptEntry(row.told).written()),
        \(KeptEntry(row.mine).written()), \(row.edits.isEmpty ? nil : row.editedAt), \(edits))
      ON CONFLICT (account, item) DO UPDATE SET told = excluded.told, mine = excluded.mine,
        edited_at = excluded.edited_at, edits = excluded.edits
      """)
  }

  func keep(_ row: MirrorPlaceRow) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO mirror_place (list, item, account, member, missed, is_agreed)
      VALUES (\(row.list.rawValue), \(row.item.rawValue), \(row.account.rawValue), \(row.member),
        \(row.missed), \(row.isAgreed))
      ON CONFLICT (list, item) DO UPDATE SET member = excluded.member, missed = excluded.missed,
        is_agreed = excluded.is_agreed
      """)
  }

  /// `heard` is as it was when it was last read to its end.
  func keep(
    _ id: ListID, _ list: ReadingList, _ heard: ReadingList?, _ account: AccountID
  ) throws(DatabaseError) {
    let (state, other): (String?, String?) =
      switch list.state {
      case .other(let name): (nil, name)
      case let state: (state?.word, nil)
      }
    try execute(
      """
      INSERT INTO mirror_list (list, account, remote, name, state, other_state, is_exclusive,
        is_open, count, changed_at, missed)
      VALUES (\(id.rawValue), \(account.rawValue), \(list.id.rawValue), \(list.name), \(state),
        \(other), \(list.isExclusive), \(list.isOpen), \(heard?.count),
        \(heard?.changedAt?.milliseconds), 0)
      ON CONFLICT (list) DO UPDATE SET name = excluded.name, state = excluded.state,
        other_state = excluded.other_state, is_exclusive = excluded.is_exclusive,
        is_open = excluded.is_open, count = excluded.count, changed_at = excluded.changed_at,
        missed = 0
      """)
  }
}

extension Snapshot {
  /// Writes that were sent, and of which nobody heard.
  func sentWrites(
    of account: AccountID
  ) throws(DatabaseError) -> [ItemID: [(id: Int64, deed: String)]] {
    var sent: [ItemID: [(id: Int64, deed: String)]] = [:]
    try forEach(
      "SELECT id, item, deed FROM mirror_write WHERE account = \(account.rawValue) AND state = 'sent'"
    ) { row throws(DatabaseError) in
      sent[ItemID(try row[1]), default: []].append((id: try row[0], deed: try row[2]))
      return .next
    }
    return sent
  }
}
