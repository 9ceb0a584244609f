package import Circulation

extension KeptEntry {
  /// One entry of two that tell of the same book: the newer word counts, and what only one of them
  /// knows stays. Joining the same again changes nothing.
  package func joined(with newer: KeptEntry) -> KeptEntry {
    let (old, new) = (entry, newer.entry)
    var joined = ListEntry(
      item: old.item, title: new.title.isEmpty ? old.title : new.title)
    joined.record = new.record ?? old.record
    joined.authors = new.authors.isEmpty ? old.authors : new.authors
    joined.isbns = (old.isbns + new.isbns).distinct
    let number = newer.ownNumber == ownNumber ? nil : newer.ownIdentifier
    joined.identifiers = (old.identifiers + new.identifiers + [number].compactMap { $0 }).distinct
    joined.published = new.published ?? old.published
    joined.rating = new.rating ?? old.rating
    joined.review = new.review ?? old.review
    joined.isReviewCut = new.review == nil ? old.isReviewCut : new.isReviewCut
    joined.readings = Self.readings(old.readings, new.readings)
    joined.readCount = [old.readCount, new.readCount].compactMap { $0 }.max()
    joined.addedAt = [old.addedAt, new.addedAt].compactMap { $0 }.min()
    joined.changedAt = [old.changedAt, new.changedAt].compactMap { $0 }.max()
    joined.lists = (old.lists + new.lists).distinct
    joined.state = new.state ?? old.state
    joined.position = new.position ?? old.position
    joined.link = new.link ?? old.link
    return KeptEntry(
      joined, shelves: (shelves + newer.shelves).distinct,
      extras: extras.merging(newer.extras) { _, newer in newer })
  }

  /// A reading of which only the end is told is the one with the same end and a beginning.
  private static func readings(
    _ old: [ListEntry.Reading], _ new: [ListEntry.Reading]
  ) -> [ListEntry.Reading] {
    var all = old
    for reading in new where !all.contains(reading) {
      let same = all.firstIndex { $0.finished != nil && $0.finished == reading.finished }
      switch (same, reading.started) {
      case (let place?, let started?):
        if all[place].started == nil { all[place].started = started } else { all.append(reading) }
      case (nil, _): all.append(reading)
      case (_?, nil): continue
      }
    }
    return all.enumerated().sorted { one, other in
      let (first, second) = (one.element.order, other.element.order)
      return first == second ? one.offset < other.offset : first < second
    }.map(\.element)
  }
}

extension ListEntry.Reading {
  /// Days as if all months were as long; what nobody knows when comes first.
  fileprivate var order: Int {
    guard let date = finished ?? started else { return .min }
    // A service may say any number.
    let parts = [date.year, date.month ?? 0, date.day ?? 0].map { min(max($0, -9999), 9999) }
    return (parts[0] * 13 + parts[1]) * 32 + parts[2]
  }
}
