import Circulation

/// The books of a list by what they are known again by. A book is the same as one row at most, so
/// that two editions in a file stay two, however often it is read.
struct Found {
  private let there: [ListMember]
  private var numbers: [String: [Int]] = [:]
  private var isbns: [String: [Int]] = [:]
  private var names: [String: [Int]] = [:]

  init(_ there: [ListMember]) {
    self.there = there
    for (place, member) in there.enumerated() {
      for isbn in member.book.isbns { isbns[isbn.digits, default: []].append(place) }
      names[KeptEntry.nameKey(member.book.title, member.book.authors), default: []].append(place)
      guard let kept = member.book.entry else { continue }
      if let number = kept.ownNumber { numbers[number, default: []].append(place) }
      for identifier in kept.entry.identifiers {
        let number = "\(identifier.scheme):\(identifier.value)"
        if number != kept.ownNumber { numbers[number, default: []].append(place) }
      }
    }
  }

  /// For each row the place of its book. Rows that say nothing new find theirs first, so that what
  /// was taken once is found again as a whole.
  func matches(
    of rows: [KeptEntry], _ isNoNews: @escaping (KeptEntry, ListMember) -> Bool
  ) -> [Int?] {
    let sure = rows.map { row in row.ownNumber.flatMap { numbers[$0] } ?? [] }
    let reserved = Set(sure.joined())
    let candidates = zip(rows, sure).map { row, sure in
      sure.isEmpty ? likely(row).filter { !reserved.contains($0) } : sure
    }
    var pairs = Pairing(candidates: candidates) { isNoNews(rows[$0], there[$1]) }
    for row in rows.indices { pairs.settle(row) }
    // A number is surer than an ISBN, which several editions of one file may share.
    for row in rows.indices where !sure[row].isEmpty { pairs.take(row) }
    for row in rows.indices where sure[row].isEmpty { pairs.take(row) }
    return pairs.places
  }

  private func likely(_ row: KeptEntry) -> [Int] {
    var places = row.entry.isbns.flatMap { isbns[$0.digits] ?? [] }
    if !row.entry.title.isEmpty {
      places += (names[row.nameKey] ?? []).filter { isPossible(row, there[$0]) }
    }
    return places.distinct
  }

  /// Two numbers of one service, and no ISBN in common, are two editions.
  private func isPossible(_ row: KeptEntry, _ member: ListMember) -> Bool {
    guard let kept = member.book.entry, kept.ownNumber != nil, row.ownNumber != nil,
      kept.scheme == row.scheme
    else { return true }
    return kept.entry.isbns.isEmpty || row.entry.isbns.isEmpty
  }
}

/// Rows and places, each with one of the others at most.
private struct Pairing {
  private let candidates: [[Int]]
  private let fits: (Int, Int) -> Bool
  private(set) var places: [Int?]
  private var rows: [Int: Int] = [:]

  init(candidates: [[Int]], _ fits: @escaping (Int, Int) -> Bool) {
    (self.candidates, self.fits) = (candidates, fits)
    places = Array(repeating: nil, count: candidates.count)
  }

  /// A place that fits, if need be with another row moving to one that fits as well. This finds
  /// places for as many rows as there can be.
  mutating func settle(_ row: Int) {
    var tried: Set<Int> = []
    _ = settle(row, &tried)
  }

  private mutating func settle(_ row: Int, _ tried: inout Set<Int>) -> Bool {
    for place in candidates[row] where fits(row, place) {
      // Chains are as long as books have editions; whoever makes longer ones gets a good guess.
      guard tried.count < 100, tried.insert(place).inserted else { continue }
      if let other = rows[place], !settle(other, &tried) { continue }
      (places[row], rows[place]) = (place, row)
      return true
    }
    return false
  }

  /// The first place that is free.
  mutating func take(_ row: Int) {
    guard places[row] == nil, let place = candidates[row].first(where: { rows[$0] == nil }) else {
      return
    }
    (places[row], rows[place]) = (place, row)
  }
}
