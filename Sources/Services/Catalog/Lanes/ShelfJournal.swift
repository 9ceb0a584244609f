/// What the last changes of a shelf list were made to, so that what was found before them need not be
/// found anew.
struct ShelfJournal: Sendable {
  /// An edition as it was before a change.
  struct Former: Sendable {
    let place: Int
    /// The place of its work; `ShelfList.none` for an edition that came with the change.
    let work: Int32
    let marks: Int32
  }

  private var entries: [Former] = []
  /// Changes that are no longer told of.
  private var forgotten: Int

  /// Knows of no change before this revision.
  init(since revision: Int = 0) { forgotten = revision }

  private static let most = 2048

  mutating func note(_ place: Int, of work: Int32, marked marks: Int32) {
    if entries.count == Self.most {
      entries.removeFirst(Self.most / 2)
      forgotten += Self.most / 2
    }
    entries.append(Former(place: place, work: work, marks: marks))
  }

  /// Editions that have changed since, as they were then; nil where that is too long ago to tell.
  func since(_ revision: Int) -> [Int: Former]? {
    guard (forgotten...(forgotten + entries.count)).contains(revision) else { return nil }
    return Dictionary(
      entries[(revision - forgotten)...].map { ($0.place, $0) },
      uniquingKeysWith: { first, _ in first })
  }
}
