import Circulation
import FoundationEssentials

// What the reader says of a book.
extension Merging {
  func mergeParts(_ book: MirrorBook, _ theirs: Told.ToldBook?, _ merge: inout Merge) {
    guard let theirs else {
      merge.edits = book.edits
      merge.deeds += deeds(book.edits, book.told)
      return
    }
    let (entry, before) = (theirs.entry, book.told)
    var open: Set<ListEntry.Part> = []
    // A list that cuts reviews cuts them the same way each time.
    let isSameReview =
      entry.review == before.review
      || (entry.isReviewCut && before.review?.hasPrefix(entry.uncutReview) == true)
    if isSameReview {
      merge.told.review = before.review
      merge.told.isReviewCut = before.isReviewCut
    }
    var mine = entry
    mine.lists = book.mine.lists
    if isSameReview {
      (mine.review, mine.isReviewCut) = (merge.told.review, merge.told.isReviewCut)
    }
    for part in ListEntry.Part.allCases {
      let hasTheirs = part == .review ? !isSameReview : !part.isSame(entry, before)
      guard book.edits.contains(part) else {
        // What a service cannot keep as finely as we do is no change of its own.
        if !hasTheirs { part.copy(from: book.mine, to: &mine) }
        // Who keeps one time of reading forgets the ones before, which nobody took back.
        if hasTheirs, part == .readings, !terms.severalReadings {
          mine.readings = Self.all(book.mine.readings, entry.readings)
        }
        continue
      }
      if part.isSame(entry, book.mine) { continue }
      guard hasTheirs else {
        part.copy(from: book.mine, to: &mine)
        open.insert(part)
        continue
      }
      if part == .readings {
        mine.readings = Self.all(book.mine.readings, entry.readings)
        open.insert(part)
        continue
      }
      let isOurs = isLater(book.editedAt, entry.changedAt)
      merge.conflicts.append(
        Conflict(
          title: entry.title, matter: part.rawValue, here: part.words(book.mine),
          there: part.words(entry), stands: isOurs ? .here : .there))
      guard isOurs else { continue }
      part.copy(from: book.mine, to: &mine)
      open.insert(part)
    }
    merge.mine = mine
    merge.edits = open
    merge.deeds += deeds(open, entry)
  }

  /// What the service would take of them.
  private func deeds(_ parts: Set<ListEntry.Part>, _ entry: ListEntry) -> [Deed] {
    var deeds: [Deed] = []
    if parts.contains(.rating), terms.ratings == .kept { deeds.append(.rate) }
    let noted = parts.filter { part in
      (part == .review && terms.reviews == .kept) || (part == .readings && terms.dates == .kept)
    }
    if !noted.isEmpty { deeds.append(.note(noted)) }
    return deeds
  }

  /// Both, each once; one that knows less of the same time is the same time.
  static func all(
    _ one: [ListEntry.Reading], _ other: [ListEntry.Reading]
  ) -> [ListEntry.Reading] {
    var all = one
    for reading in other where !all.contains(reading) {
      let same = all.firstIndex { known in
        known.finished == reading.finished && (known.started == nil || reading.started == nil)
      }
      if let same {
        all[same].started = all[same].started ?? reading.started
      } else {
        all.append(reading)
      }
    }
    return all.sorted { one, other in
      (one.finished?.description ?? "9999") < (other.finished?.description ?? "9999")
    }
  }
}

extension ListEntry {
  /// Without the mark that lists put where they cut.
  fileprivate var uncutReview: String {
    var text = Substring(review ?? "")
    while let last = text.last, last == "." || last == "…" || last.isWhitespace {
      text.removeLast()
    }
    return String(text)
  }
}

extension ListEntry.Part {
  func isSame(_ one: ListEntry, _ other: ListEntry) -> Bool {
    switch self {
    case .rating: one.rating == other.rating
    case .review: (one.review ?? "") == (other.review ?? "")
    case .readings: one.readings == other.readings
    }
  }

  func copy(from source: ListEntry, to target: inout ListEntry) {
    switch self {
    case .rating: target.rating = source.rating
    case .review: (target.review, target.isReviewCut) = (source.review, source.isReviewCut)
    case .readings: target.readings = source.readings
    }
  }

  /// Short enough for a line.
  func words(_ entry: ListEntry) -> String {
    switch self {
    case .rating: entry.rating.map { "\($0)" } ?? "none"
    case .review: entry.review.map { String($0.prefix(40)) } ?? "none"
    case .readings:
      entry.readings.compactMap { $0.finished?.description }.joined(separator: ", ")
    }
  }
}
