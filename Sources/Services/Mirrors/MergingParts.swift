import Circulation
import FoundationEssentials

// What the reader says of a book.
extension Merging {
  func mergeParts(_ book: MirrorBook, _ theirs: Told.ToldBook?, _ merge: inout Merge) {
    guard let theirs else {
      merge.edits = book.edits
      merge.deeds += deeds(book.edits, book.mine)
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
    // Some services have to be asked for each author, and do not always answer: nobody took them back.
    if mine.authors.isEmpty { mine.authors = book.mine.authors }
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
    merge.deeds += deeds(open, mine)
  }

  /// What the service would take of them, each by itself: one that is refused is no reason to keep the
  /// others back.
  private func deeds(_ parts: Set<ListEntry.Part>, _ mine: ListEntry) -> [Deed] {
    var deeds: [Deed] = []
    if parts.contains(.rating), terms.ratings == .kept { deeds.append(.rate) }
    if parts.contains(.review), terms.reviews == .kept { deeds.append(.note([.review])) }
    let canSay = !terms.sayable(mine.readings).isEmpty || mine.readings.isEmpty
    if parts.contains(.readings), terms.dates == .kept, canSay {
      deeds.append(.note([.readings]))
    }
    return deeds
  }

  /// Both, each once, what was begun and not ended last. One that knows less of the same time is the
  /// same time, and one that was only begun is ended by one that was only ended.
  static func all(
    _ one: [ListEntry.Reading], _ other: [ListEntry.Reading]
  ) -> [ListEntry.Reading] {
    var all = one
    for reading in other {
      if let same = all.firstIndex(where: { $0.isSame(as: reading) }) {
        all[same] = all[same].joined(reading)
      } else {
        all.append(reading)
      }
    }
    return all.sorted { one, other in
      (one.finished?.description ?? "9999") < (other.finished?.description ?? "9999")
    }
  }
}

extension ListTerms {
  /// Of times of reading what can be said there.
  func sayable(_ readings: [ListEntry.Reading]) -> [ListEntry.Reading] {
    guard !partialDates else { return readings }
    return readings.compactMap { reading in
      let whole = ListEntry.Reading(
        started: reading.started.flatMap { $0.day == nil ? nil : $0 },
        finished: reading.finished.flatMap { $0.day == nil ? nil : $0 })
      return whole.started == nil && whole.finished == nil ? nil : whole
    }
  }
}

extension ListEntry.Reading {
  fileprivate func isSame(as other: Self) -> Bool {
    switch (finished, other.finished) {
    case (let one?, let two?):
      one.isNear(two) && (started == nil || other.started == nil || started == other.started)
    case (nil, nil): started == other.started
    // Begun here and ended there: one time, unless it ended before it began.
    case (nil, let end?): started?.isBefore(end) ?? false && other.started == nil
    case (let end?, nil): other.started?.isBefore(end) ?? false && started == nil
    }
  }

  fileprivate func joined(_ other: Self) -> Self {
    Self(
      started: PartialDate.finer(started, other.started),
      finished: PartialDate.finer(finished, other.finished))
  }
}

extension PartialDate {
  /// One is the other as far as both are known.
  fileprivate func isNear(_ other: PartialDate) -> Bool {
    let (one, two) = (description, other.description)
    return one.hasPrefix(two) || two.hasPrefix(one)
  }

  fileprivate func isBefore(_ other: PartialDate) -> Bool {
    description <= other.description || isNear(other)
  }

  fileprivate static func finer(_ one: PartialDate?, _ other: PartialDate?) -> PartialDate? {
    guard let one, let other else { return one ?? other }
    return one.description.utf8.count >= other.description.utf8.count ? one : other
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
