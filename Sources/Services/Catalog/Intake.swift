import Circulation
import Database
import JSON
import Matching

/// Writes editions of one library inside one transaction. Doing it twice changes nothing.
struct Intake {
  private let row: LibraryRow
  private let provider: ProviderID
  private let kin: Kin
  private var tx: Transaction { kin.tx }
  /// Milliseconds since 1970.
  private let now: Int64
  private let drafts: [ItemID: Draft]

  /// Editions that are looked up and written at a time.
  static let batch = 500

  /// `drafts` are those of the editions that are put, as far as they were made beforehand.
  init(
    _ row: LibraryRow, from provider: ProviderID, at now: Int64, drafts: [ItemID: Draft] = [:],
    matching kin: Kin
  ) {
    (self.row, self.provider, self.now, self.drafts, self.kin) = (row, provider, now, drafts, kin)
  }

  struct Outcome {
    var added = 0
    var changed = 0
    var unchanged = 0
    var refused = 0
  }

  /// Of editions of the same item the last one counts.
  func put(_ editions: [Edition]) throws(DatabaseError) -> Outcome {
    var outcome = Outcome()
    try tx.renewMatching()
    // By their places among them: there is much to an edition, and it is copied as seldom as can be.
    var latest: [ItemID: Int] = [:]
    var items: [ItemID] = []
    for place in editions.indices {
      let item = editions[place].item
      guard item.rawValue.isStorable else {
        outcome.refused += 1
        continue
      }
      if latest.updateValue(place, forKey: item) == nil { items.append(item) }
    }
    var rest = items.compactMap { latest[$0] }[...]
    var indexed: [Entry] = []
    while !rest.isEmpty {
      indexed += try put(rest.prefix(Self.batch).map { editions[$0] }, &outcome)
      rest = rest.dropFirst(Self.batch)
    }
    // All at once: SQLite makes a file within the file of every run of words.
    try tx.keepWords(indexed.map { (place: $0.place, words: $0.words) })
    return outcome
  }

  /// Takes items out of the search, because their provider or a sweep says so; their records stay
  /// for the shelves they may be on. Tells how many were still there.
  func remove(_ items: [ItemID]) throws(DatabaseError) -> Int {
    var removed = 0
    var rest = items.map(\.rawValue).filter(\.isStorable).distinct[...]
    while !rest.isEmpty {
      removed += try tx.withdraw(
        where: """
          library = \(row.key) AND item IN (\(Array(rest.prefix(Self.batch))))
            AND state <> \(EditionState.gone)
          """)
      rest = rest.dropFirst(Self.batch)
    }
    return removed
  }

  /// Returns what is to be found by other words than before.
  private func put(_ batch: [Edition], _ outcome: inout Outcome) throws(DatabaseError) -> [Entry] {
    let known = try keptRows(of: batch)
    var seen: [Int64] = []
    var indexed: [Entry] = []
    var obsolete: [Int64] = []
    var fresh: [Kept] = []
    var written: [Kin.Written] = []
    for place in batch.indices {
      let draft = drafts[batch[place].item]
      let content = draft?.content ?? EditionRecord.text(of: batch[place])
      guard let old = known[batch[place].item.rawValue] else {
        fresh.append(Kept(place: place, content: content))
        continue
      }
      let edition = batch[place]
      let isSame = old.content == content && old.provider == provider.rawValue
      outcome.unchanged += isSame ? 1 : 0
      outcome.changed += isSame ? 0 : 1
      if old.seen != row.round || old.state != .listed { seen.append(old.number) }
      let entry = entry(of: edition, number: old.number)
      if !isSame {
        try update(entry, content)
        let former = EditionRecord.edition(edition.item, from: old.content)
        // Much of what changes, popularity say, is nothing to the matcher.
        if Candidate(former) != draft?.kin.dossier.candidate ?? Candidate(edition) {
          let reading = draft?.kin ?? KinReading(edition)
          written.append(Kin.Written(number: old.number, reading: reading, former: former))
        }
      }
      if old.state == .gone {
        indexed.append(entry)
      } else if !isSame, entry != formerEntry(old, of: edition.item) {
        obsolete.append(old.place)
        indexed.append(entry)
      }
    }
    try markSeen(seen)
    outcome.added += fresh.count
    let entries = try insert(fresh, of: batch)
    for (entry, kept) in zip(entries, fresh) {
      let reading = drafts[batch[kept.place].item]?.kin ?? KinReading(batch[kept.place])
      written.append(Kin.Written(number: entry.number, reading: reading))
      kin.know(reading.dossier, of: entry.number, changed: now)
    }
    try tx.forget(places: obsolete)
    indexed += entries
    // What comes to a library that was read whole before is new there, whether it says so or not.
    try tx.keepFaces(
      indexed.map { (edition: $0.number, face: $0.face) },
      arrived: row.completed == nil ? nil : row.started.map(Day.number(milliseconds:)))
    try kin.match(written)
    return indexed
  }

  /// What a row of the index is made of.
  struct Entry: Hashable {
    let number: Int64
    let place: Int64
    let words: IndexedWords
    let face: Face
  }

  private func entry(of edition: Edition, number: Int64) -> Entry {
    let draft = drafts[edition.item]
    return Entry(
      number: number, place: Place.of(edition, number: number),
      words: draft?.words ?? IndexedWords(edition, at: row.key, from: provider),
      face: draft?.face ?? Face(edition))
  }

  private func formerEntry(_ old: Former, of item: ItemID) -> Entry {
    let edition = EditionRecord.edition(item, from: old.content)
    return Entry(
      number: old.number, place: old.place,
      words: IndexedWords(edition, at: row.key, from: ProviderID(old.provider)),
      face: Face(edition))
  }

  private struct Former {
    let number: Int64
    let place: Int64
    let state: EditionState
    let seen: Int64
    let provider: String
    let content: String
  }

  private func keptRows(of batch: [Edition]) throws(DatabaseError) -> [String: Former] {
    let pairs = try tx.rows(
      """
      SELECT e.item, e.id, e.place, e.state, e.seen, e.provider, r.content
      FROM catalog_edition e JOIN catalog_record r ON r.edition = e.id
      WHERE e.library = \(row.key) AND e.item \(.among(batch.map(\.item.rawValue)))
      """
    ) { row throws(DatabaseError) in
      let item: String = try row[0]
      let former = Former(
        number: try row[1], place: try row[2], state: try row[3], seen: try row[4],
        provider: try row[5], content: try row[6])
      return (item, former)
    }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }

  private func markSeen(_ numbers: [Int64]) throws(DatabaseError) {
    guard !numbers.isEmpty else { return }
    try tx.execute(
      """
      UPDATE catalog_edition SET seen = \(row.round), state = \(EditionState.listed)
      WHERE id \(.among(numbers))
      """)
  }

  private func update(_ entry: Entry, _ content: String) throws(DatabaseError) {
    try tx.execute(
      """
      UPDATE catalog_edition SET provider = \(provider.rawValue), place = \(entry.place),
        changed = CASE WHEN changed < \(now) THEN \(now) ELSE changed + 1 END
      WHERE id = \(entry.number)
      """)
    try tx.execute(
      "UPDATE catalog_record SET content = \(content) WHERE edition = \(entry.number)")
  }

  private struct Kept {
    /// Among those of the batch.
    let place: Int
    let content: String
  }

  private func insert(
    _ fresh: [Kept], of batch: [Edition]
  ) throws(DatabaseError) -> [Entry] {
    guard !fresh.isEmpty else { return [] }
    let (firstEdition, firstWork) = try tx.drawNumbers(fresh.count)
    let entries = fresh.enumerated().map { offset, kept in
      entry(of: batch[kept.place], number: firstEdition + Int64(offset))
    }
    let works = fresh.indices.map { firstWork + Int64($0) }
    try tx.insert(into: "catalog_work", columns: ["id"], rows: works) {
      work, row throws(DatabaseError) in try row.append(work)
    }
    try tx.insert(
      into: "catalog_edition",
      columns: [
        "id", "library", "item", "provider", "work", "place", "state", "seen", "changed",
      ],
      rows: fresh.indices
    ) { index, columns throws(DatabaseError) in
      try columns.append(entries[index].number)
      try columns.append(row.key)
      try columns.append(batch[fresh[index].place].item.rawValue)
      try columns.append(provider.rawValue)
      try columns.append(works[index])
      try columns.append(entries[index].place)
      try columns.append(EditionState.listed)
      try columns.append(row.round)
      try columns.append(now)
    }
    try tx.insert(
      into: "catalog_record", columns: ["edition", "content"], rows: fresh.indices
    ) { index, columns throws(DatabaseError) in
      try columns.append(entries[index].number)
      try columns.append(fresh[index].content)
    }
    return entries
  }
}
