import Circulation
import Database
import FoundationEssentials
import ReadingLists

/// What a sync found, before and after it was written down.
struct Findings: Sendable {
  var arrived: [String] = []
  var left: [String] = []
  var changed = 0
  var missed = 0
  var conflicts: [Conflict] = []
  var released: [String] = []
  var deeds: [(item: ItemID, title: String, deed: Deed)] = []
}

/// Works out what there is to do about a whole account, and does what is to be done here.
struct Keeping {
  let account: AccountID
  let accountName: String
  let patron: PatronID
  let terms: ListTerms
  let told: Told
  let now: Int64

  /// Without changing anything.
  func findings(_ state: MirrorState) -> Findings {
    var findings = Findings()
    findings.conflicts = state.conflicts
    let lists = known(state)
    let merging = Merging(terms: terms, lists: lists, told: told)
    for item in items(state) {
      let (book, theirs) = (state.books[item], told.books[item])
      guard let known = book ?? theirs.map(Self.stranger) else { continue }
      note(merging.merge(known, theirs), item, known, lists, &findings)
    }
    return findings
  }

  private func items(_ state: MirrorState) -> [ItemID] {
    // As the service gave them would be another order each time.
    Set(state.books.keys).union(told.books.keys).sorted()
  }

  private static func stranger(_ theirs: Told.ToldBook) -> MirrorBook {
    MirrorBook(told: theirs.entry, mine: theirs.entry)
  }

  private func known(_ state: MirrorState) -> [ListID: ReadingList] {
    var lists = state.remote.mapValues(\.remote)
    for list in told.lists ?? [] { lists[list.id] = list }
    return lists
  }

  private func note(
    _ merge: Merge, _ item: ItemID, _ book: MirrorBook, _ lists: [ListID: ReadingList],
    _ findings: inout Findings
  ) {
    func line(_ list: ListID) -> String {
      "\(merge.told.title) (\(lists[list]?.name ?? list.rawValue))"
    }
    findings.arrived += merge.arriving.sorted().map(line)
    findings.left += merge.leaving.sorted().map(line)
    if merge.mine != book.mine, merge.arriving.isEmpty { findings.changed += 1 }
    if !merge.missed.isEmpty { findings.missed += 1 }
    findings.conflicts += merge.conflicts
    for deed in merge.deeds.sorted(by: { $0.turn < $1.turn }) {
      findings.deeds.append((item, merge.told.title, deed))
    }
  }

  // MARK: - Writing it down

  /// Does what is to be done here, and plans what is to be done there.
  func keep(
    _ state: inout MirrorState, _ wishes: [MirrorState.Wish], _ bindings: Bindings,
    in tx: Transaction
  ) throws(DatabaseError) -> Findings {
    var findings = Findings()
    try keep(wishes, &state, in: tx)
    for double in state.doubles { try tx.take([double.member.id], from: double.list, at: now) }
    try keep(bindings, in: tx)
    findings.released = try keepLists(&state, in: tx)
    let lists = known(state)
    let home = state.remote
    let merging = Merging(terms: terms, lists: lists, told: told)
    try tx.execute(
      "DELETE FROM mirror_write WHERE account = \(account.rawValue) AND state = 'planned'")
    let sent = try tx.sentWrites(of: account)
    var moves = Moves()
    findings.conflicts = state.conflicts
    for item in items(state) {
      let (before, theirs) = (state.books[item], told.books[item])
      guard let book = before ?? theirs.map(Self.stranger) else { continue }
      let merge = merging.merge(book, theirs)
      note(merge, item, book, lists, &findings)
      try settle(sent[item] ?? [], merge, in: tx)
      try plan(merge, item, in: tx)
      moves.note(merge, book, item, ListedBook(merge.mine, on: lists), home)
      try keepPlaces(merge, book, item, home, in: tx)
      let isFresh = before == nil || state.fresh.contains(item)
      try keepBook(merge, book, item, home, lists, isFresh: isFresh, in: tx)
    }
    try keep(moves, in: tx)
    return findings
  }

  private func keepBook(
    _ merge: Merge, _ book: MirrorBook, _ item: ItemID, _ home: [ListID: MirroredList],
    _ lists: [ListID: ReadingList], isFresh: Bool, in tx: Transaction
  ) throws(DatabaseError) {
    let isGone =
      merge.agreed.isEmpty && merge.arriving.isEmpty && merge.missed.isEmpty
      && merge.deeds.isEmpty && book.here.keys.allSatisfy(merge.leaving.contains)
    if isGone {
      try tx.execute(
        """
        DELETE FROM mirror_book
        WHERE account = \(account.rawValue) AND item = \(item.rawValue)
        """)
      return
    }
    guard isFresh || merge.told != book.told || merge.mine != book.mine || merge.edits != book.edits
    else { return }
    try tx.keep(
      MirrorRow(
        account: account, item: item, told: merge.told, mine: merge.mine, edits: merge.edits,
        editedAt: book.editedAt))
    guard isFresh || merge.mine != book.mine else { return }
    let listed = ListedBook(merge.mine, on: lists)
    for (list, member) in book.here where !merge.leaving.contains(list) {
      if let id = home[list]?.list { try tx.retell(member, on: id, as: listed, at: now) }
    }
  }

  /// Which books come to which lists here, and which leave.
  private struct Moves {
    var arrivals: [ListID: [(ItemID, ListedBook)]] = [:]
    var departures: [ListID: [(ItemID, String)]] = [:]

    mutating func note(
      _ merge: Merge, _ book: MirrorBook, _ item: ItemID, _ listed: ListedBook,
      _ home: [ListID: MirroredList]
    ) {
      for list in merge.leaving {
        guard let id = home[list]?.list, let member = book.here[list] else { continue }
        departures[id, default: []].append((item, member))
      }
      for list in merge.arriving {
        if let id = home[list]?.list { arrivals[id, default: []].append((item, listed)) }
      }
    }
  }

  private func keep(_ moves: Moves, in tx: Transaction) throws(DatabaseError) {
    for (list, members) in moves.departures.sorted(by: { $0.key < $1.key }) {
      try tx.take(members.map(\.1), from: list, at: now)
      for (item, _) in members {
        try tx.execute(
          "DELETE FROM mirror_place WHERE list = \(list.rawValue) AND item = \(item.rawValue)")
      }
    }
    for (list, books) in moves.arrivals.sorted(by: { $0.key < $1.key }) {
      let ordered = books.sorted(by: Self.inTheirOrder)
      let words = try tx.put(ordered.map(\.1), on: list, at: now)
      for (book, word) in zip(ordered, words) {
        try tx.keep(
          MirrorPlaceRow(
            list: list, item: book.0, account: account, member: word, missed: 0, isAgreed: true))
      }
    }
  }

  /// As the reader put them there, or in the order in which they came there.
  private static func inTheirOrder(
    _ one: (ItemID, ListedBook), _ other: (ItemID, ListedBook)
  ) -> Bool {
    let (a, b) = (one.1.entry?.entry, other.1.entry?.entry)
    if let a = a?.position, let b = b?.position, a != b { return a < b }
    let (x, y) = (a?.addedAt ?? .distantPast, b?.addedAt ?? .distantPast)
    return x != y ? x < y : one.0 < other.0
  }

  private func keepPlaces(
    _ merge: Merge, _ book: MirrorBook, _ item: ItemID, _ home: [ListID: MirroredList],
    in tx: Transaction
  ) throws(DatabaseError) {
    // Where it stands by the reader's hand, and the service is still to be told.
    for (list, member) in book.here
    where book.agreed[list] == nil && !merge.agreed.contains(list) && !merge.leaving.contains(list)
    {
      guard let id = home[list]?.list else { continue }
      try tx.keep(
        MirrorPlaceRow(
          list: id, item: item, account: account, member: member, missed: 0, isAgreed: false))
    }
    for list in merge.agreed where !merge.arriving.contains(list) {
      guard let id = home[list]?.list, let member = book.here[list] else { continue }
      let missed = merge.missed[list] ?? 0
      if book.agreed[list] == .init(member: member, missed: missed) { continue }
      try tx.keep(
        MirrorPlaceRow(
          list: id, item: item, account: account, member: member, missed: missed, isAgreed: true))
    }
    // Gone there and here alike.
    for list in book.agreed.keys where book.here[list] == nil && !merge.agreed.contains(list) {
      let isOpen = merge.deeds.contains { $0.lists.contains(list) }
      guard let id = home[list]?.list, !isOpen else { continue }
      try tx.execute(
        "DELETE FROM mirror_place WHERE list = \(id.rawValue) AND item = \(item.rawValue)")
    }
  }

  /// Of writes that nobody heard the end of: what is still to be done did not happen.
  private func settle(
    _ sent: [(id: Int64, deed: String)], _ merge: Merge, in tx: Transaction
  ) throws(DatabaseError) {
    for write in sent {
      let isOpen = merge.deeds.contains { $0.written == write.deed }
      try tx.execute(
        """
        UPDATE mirror_write SET state = \(isOpen ? "failed" : "done"), ended_at = \(now),
          note = 'its end was not heard'
        WHERE id = \(write.id)
        """)
    }
  }

  private func plan(
    _ merge: Merge, _ item: ItemID, in tx: Transaction
  ) throws(DatabaseError) {
    var wanted = merge.mine
    wanted.record = merge.told.record ?? wanted.record
    wanted.readings = terms.sayable(wanted.readings)
    for deed in merge.deeds.sorted(by: { $0.turn < $1.turn }) {
      try tx.execute(
        """
        INSERT INTO mirror_write (account, item, title, deed, before, wanted, state, at)
        VALUES (\(account.rawValue), \(item.rawValue), \(merge.told.title), \(deed.written),
          \(KeptEntry(merge.told).written()), \(KeptEntry(wanted).written()), 'planned', \(now))
        """)
    }
  }

  private func keep(
    _ wishes: [MirrorState.Wish], _ state: inout MirrorState, in tx: Transaction
  ) throws(DatabaseError) {
    let home = state.remote
    for wish in wishes {
      guard let list = home[wish.list]?.list, let book = state.books[wish.item] else { continue }
      let listed = ListedBook(book.mine, on: home.mapValues(\.remote))
      let words = try tx.put([listed], on: list, at: now)
      state.books[wish.item]?.here[wish.list] = words[0]
      for (other, member) in wish.leaving {
        if let id = home[other]?.list { try tx.take([member], from: id, at: now) }
      }
    }
  }

  private func keep(_ bindings: Bindings, in tx: Transaction) throws(DatabaseError) {
    for stranger in bindings.unfoundStrangers {
      let key = CarriedKey(stranger)
      try keep(key, stranger.member.book.title, "unfound", in: tx)
    }
    let found = bindings.carried.map { (book: $0.0, said: $0.said, outcome: "carried") }
    let unfound = bindings.unfound.map { (book: $0.0, said: $0.said, outcome: "unfound") }
    for (book, said, outcome) in found + unfound {
      try keep(CarriedKey(book.library, book.item), said, outcome, in: tx)
    }
  }

  private func keep(
    _ key: CarriedKey, _ said: String, _ outcome: String, in tx: Transaction
  ) throws(DatabaseError) {
    try tx.execute(
      """
      INSERT INTO mirror_carried (account, library, item, said, outcome, at)
      VALUES (\(account.rawValue), \(key.library.rawValue), \(key.item.rawValue), \(said),
        \(outcome), \(now))
      ON CONFLICT (account, library, item) DO UPDATE SET said = excluded.said,
        outcome = excluded.outcome, at = excluded.at
      """)
  }
}

extension ListedBook {
  /// As a list here has it.
  init(_ entry: ListEntry, on lists: [ListID: ReadingList]) {
    let shelves = entry.lists.map { lists[$0]?.name ?? $0.rawValue }
    self.init(work: nil, title: entry.title, authors: entry.authors, isbns: entry.isbns)
    self.entry = KeptEntry(entry, shelves: shelves)
  }
}
