import Circulation
import Database
import ReadingLists

/// All that is known here of one account's lists.
struct MirrorState: Sendable {
  var lists: [ListID: MirroredList] = [:]
  var books: [ItemID: MirrorBook] = [:]
  /// Put on a mirrored list here; what the service calls them is not known yet.
  var strangers: [Stranger] = []
  /// What is known otherwise than it was kept.
  var fresh: Set<ItemID> = []
  /// On a list once more, under another name.
  var doubles: [Stranger] = []
  /// What the reader said here and the service knows better.
  var conflicts: [Conflict] = []

  /// A book that stands on a list by the reader's hand alone.
  struct Stranger: Sendable, Hashable {
    let list: ListID
    let remote: ListID
    let member: ListMember
  }

  /// By the service's own name.
  var remote: [ListID: MirroredList] {
    Dictionary(lists.values.map { ($0.remote.id, $0) }, uniquingKeysWith: { $1 })
  }
}

extension Snapshot {
  func mirrorState(of account: AccountID) throws(DatabaseError) -> MirrorState {
    var state = MirrorState()
    for list in try rows(
      "SELECT \(MirroredList.columns) FROM mirror_list WHERE account = \(account.rawValue)",
      MirroredList.init(row:))
    {
      state.lists[list.list] = list
    }
    try forEach(
      """
      SELECT item, told, mine, edits, edited_at FROM mirror_book
      WHERE account = \(account.rawValue)
      """
    ) { row throws(DatabaseError) in
      let item = ItemID(try row[0])
      // What a program wrote that nobody understands any more is read anew from the service.
      let (told, mine): (String, String) = (try row[1], try row[2])
      let edits: String = try row[3]
      var book = MirrorBook(
        told: KeptEntry.entry(told, of: item), mine: KeptEntry.entry(mine, of: item))
      book.edits = Set(edits.split(separator: " ").compactMap { .init(rawValue: String($0)) })
      book.editedAt = try row[4]
      state.books[item] = book
      return .next
    }
    try readPlaces(of: account, into: &state)
    try readMembers(into: &state)
    return state
  }

  private func readPlaces(
    of account: AccountID, into state: inout MirrorState
  ) throws(DatabaseError) {
    try forEach(
      """
      SELECT p.list, p.item, p.member, p.missed, p.is_agreed,
        EXISTS (SELECT 1 FROM reading_list_member m WHERE m.list = p.list AND m.id = p.member)
      FROM mirror_place p WHERE p.account = \(account.rawValue)
      """
    ) { row throws(DatabaseError) in
      let (list, item) = (ListID(try row[0]), ItemID(try row[1]))
      guard let remote = state.lists[list]?.remote.id, state.books[item] != nil else {
        return .next
      }
      let member: String = try row[2]
      let isAgreed: Bool = try row[4]
      let isHere: Bool = try row[5]
      if isAgreed {
        state.books[item]?.agreed[remote] = .init(member: member, missed: try row[3])
      }
      if isHere { state.books[item]?.here[remote] = member }
      return .next
    }
  }

  private func readMembers(into state: inout MirrorState) throws(DatabaseError) {
    for list in state.lists.values.sorted(by: { $0.list < $1.list }) {
      let new = try strangers(on: list.list, atMost: ReadingLists.mostBooks)
      state.strangers += new.map {
        .init(list: list.list, remote: list.remote.id, member: $0)
      }
    }
  }

  /// Members that no place is known for.
  private func strangers(
    on list: ListID, atMost limit: Int
  ) throws(DatabaseError) -> [ListMember] {
    try members(
      of: list, where: "id NOT IN (SELECT member FROM mirror_place WHERE list = \(list.rawValue))",
      atMost: limit)
  }
}

extension KeptEntry {
  /// The book alone where nothing else can be read.
  static func entry(_ text: String, of item: ItemID) -> ListEntry {
    do throws(UnreadableEntry) { return try KeptEntry(read: text).entry } catch {
      return ListEntry(item: item, title: item.rawValue)
    }
  }
}
