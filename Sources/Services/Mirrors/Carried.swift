package import Circulation
import FoundationEssentials
import Machine
import Matching
import ReadingLists

/// What a reader did here with a book of a library, for other services to know.
package struct CarriedBook: Sendable, Hashable {
  package let library: LibraryID
  package let item: ItemID
  package var title: String
  package var authors: [String]
  package var numbers: BookNumbers
  package var rating: Double?
  package var finished: PartialDate?
  package var isSaved: Bool
  /// When it was said, in milliseconds since 1970.
  package var saidAt: Int64

  package init(
    library: LibraryID, item: ItemID, title: String, authors: [String],
    numbers: BookNumbers = BookNumbers(), rating: Double? = nil, finished: PartialDate? = nil,
    isSaved: Bool = false, saidAt: Int64
  ) {
    (self.library, self.item, self.title, self.authors) = (library, item, title, authors)
    (self.numbers, self.rating, self.finished) = (numbers, rating, finished)
    (self.isSaved, self.saidAt) = (isSaved, saidAt)
  }

  /// The same as long as the same is said of it; what is not carried changes nothing.
  func said(_ parts: Set<CarriedPart>) -> String? {
    let words = [
      parts.contains(.rated) ? rating.map { "rated \($0)" } : nil,
      parts.contains(.finished) ? finished.map { "finished \($0)" } : nil,
      parts.contains(.saved) && isSaved ? "saved" : nil,
    ].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// Without what was said before.
  func since(_ said: String?) -> CarriedBook {
    guard let said else { return self }
    let words = Set(said.split(separator: ", ").map { String($0) })
    var news = self
    if let rating, words.contains("rated \(rating)") { news.rating = nil }
    if let finished, words.contains("finished \(finished)") { news.finished = nil }
    if words.contains("saved") { news.isSaved = false }
    return news
  }

  /// Only what shall be carried.
  func only(_ parts: Set<CarriedPart>) -> CarriedBook {
    var part = self
    if !parts.contains(.rated) { part.rating = nil }
    if !parts.contains(.finished) { part.finished = nil }
    if !parts.contains(.saved) { part.isSaved = false }
    return part
  }
}

/// Something of ours that a service has a name for, or not.
struct Sought: Sendable {
  let title: String
  let authors: [String]
  let numbers: BookNumbers

  var candidate: Candidate {
    var candidate = Candidate(title: title, authors: authors)
    candidate.isbns = numbers.isbns
    candidate.identifiers = numbers.identifiers
    return candidate
  }

  var book: SoughtBook { SoughtBook(numbers: numbers, title: title, author: authors.first) }
}

/// The books that one account has, by what they are known by.
struct Acquaintances {
  private var byISBN: [ISBN: ListEntry] = [:]
  private var byWords: [[String]: [ListEntry]] = [:]
  private let dossiers: [(Dossier, ListEntry)]

  init(_ entries: [ListEntry]) {
    for entry in entries {
      for isbn in entry.isbns { byISBN[isbn] = entry }
      byWords[Self.words(entry.title, entry.authors), default: []].append(entry)
    }
    dossiers = entries.map { (Dossier($0.candidate), $0) }
  }

  func entry(of sought: Sought) -> ListEntry? {
    if let known = sought.numbers.isbns.lazy.compactMap({ byISBN[$0] }).first { return known }
    // Also a title that says too little for a verdict is that of the book that was written down.
    let named = byWords[Self.words(sought.title, sought.authors)] ?? []
    if named.count == 1 { return named[0] }
    let ours = Dossier(sought.candidate)
    let alike = dossiers.filter { Matcher.verdict(ours, $0.0).verdict == .same }
    // Of two that are alike nobody knows which is meant.
    return alike.count == 1 ? alike[0].1 : nil
  }

  private static func words(_ title: String, _ authors: [String]) -> [String] {
    ([title] + authors).map { $0.lowercased() }
  }
}

extension ListEntry {
  var candidate: Candidate {
    var candidate = Candidate(title: title, authors: authors)
    candidate.isbns = isbns
    candidate.identifiers = identifiers
    return candidate
  }
}

extension Correspondent {
  /// What the service calls it, where that is beyond doubt: by number, or by words that match.
  func entry(of sought: Sought) async throws(MirrorError) -> ListEntry? {
    let found = try await asked { provider, call throws(CirculationError) in
      try await provider.find(sought.book, in: call)
    }
    if let sure = found.first(where: \.isSure) { return sure.entry }
    let ours = Dossier(sought.candidate)
    return found.first {
      Matcher.verdict(ours, Dossier($0.entry.candidate)).verdict == .same
    }?.entry
  }
}

/// What was found out about what the reader did here, before it is merged.
struct Bindings: Sendable {
  /// Members that are known by a name of the service now.
  var strangers: [(MirrorState.Stranger, ListEntry)] = []
  var carried: [(CarriedBook, ListEntry, said: String)] = []
  /// Nobody there knows these.
  var unfound: [(CarriedBook, said: String)] = []
  var unfoundStrangers: [MirrorState.Stranger] = []
  var unfoundTitles: [String] = []
}

extension MirrorState {
  /// As if the reader had done it by hand, at the service's own names.
  mutating func take(_ bindings: Bindings, _ terms: ListTerms) -> [Wish] {
    var wishes: [Wish] = []
    // Finding took its time, and the reader may have thought better of it.
    for (stranger, entry) in bindings.strangers where strangers.contains(stranger) {
      meet(entry)
      if books[entry.item]?.here[stranger.remote] != nil {
        doubles.append(stranger)
        continue
      }
      books[entry.item]?.here[stranger.remote] = stranger.member.id
      books[entry.item]?.movedAt = stranger.member.addedAt
    }
    for (book, entry, _) in bindings.carried {
      meet(entry)
      let before = books[entry.item]?.told
      // What was said there later than here is not taken back by what is carried late.
      let isOld = before?.changedAt.map { $0.milliseconds > book.saidAt } ?? false
      if let rating = book.rating, terms.ratings == .kept,
        !(isOld && overruled(.rating, before, "\(rating)", before?.rating.map { "\($0)" }))
      {
        edit(entry.item, .rating, at: book.saidAt) { $0.rating = rating }
      }
      if let finished = book.finished, terms.dates == .kept {
        edit(entry.item, .readings, at: book.saidAt) {
          $0.readings = Merging.all($0.readings, [.init(finished: finished)])
        }
      }
      if isOld, before?.state == .reading { continue }
      let state: ReadingState? = book.finished != nil ? .read : book.isSaved ? .wanted : nil
      if let state, let place = place(of: state) {
        wishes.append(Wish(item: entry.item, list: place, state: state, at: book.saidAt))
      }
    }
    return wishes.compactMap { settle($0) }
  }

  /// Whether the service has another word already; then that is told.
  private mutating func overruled(
    _ part: ListEntry.Part, _ there: ListEntry?, _ ours: String, _ theirs: String?
  ) -> Bool {
    guard let there, let theirs, theirs != ours else { return false }
    conflicts.append(
      Conflict(
        title: there.title, matter: part.rawValue, here: ours, there: theirs, stands: .there))
    return true
  }

  /// Where a book shall stand, and where no longer.
  struct Wish: Sendable, Hashable {
    let item: ItemID
    let list: ListID
    let state: ReadingState
    let at: Int64
    var leaving: [ListID: String] = [:]
  }

  private func place(of state: ReadingState) -> ListID? {
    lists.values.filter { $0.remote.state == state && $0.remote.isOpen }
      .min {
        ($0.remote.isExclusive ? 0 : 1, $0.remote.id) < (
          $1.remote.isExclusive ? 0 : 1, $1.remote.id
        )
      }?
      .remote.id
  }

  /// Nil where nothing has to move for it.
  private mutating func settle(_ wish: Wish) -> Wish? {
    guard let book = books[wish.item], book.here[wish.list] == nil else { return nil }
    let states = book.here.filter { remote[$0.key]?.remote.state != nil }
    // Who has begun or read a book does not go back to wanting it.
    if wish.state == .wanted, !states.isEmpty { return nil }
    var wish = wish
    // Lists that exclude one another see to that themselves.
    wish.leaving = states.filter { remote[$0.key]?.remote.isExclusive == false }
    for list in wish.leaving.keys { books[wish.item]?.here[list] = nil }
    books[wish.item]?.here[wish.list] = ""
    books[wish.item]?.movedAt = wish.at
    return wish
  }

  private mutating func meet(_ entry: ListEntry) {
    guard books[entry.item] == nil else { return }
    var bare = entry
    (bare.lists, bare.state) = ([], nil)
    books[entry.item] = MirrorBook(told: bare, mine: bare)
    fresh.insert(entry.item)
  }

  private mutating func edit(
    _ item: ItemID, _ part: ListEntry.Part, at moment: Int64, _ change: (inout ListEntry) -> Void
  ) {
    guard var book = books[item] else { return }
    let before = book.mine
    change(&book.mine)
    guard book.mine != before else { return }
    book.edits.insert(part)
    book.editedAt = moment
    books[item] = book
    fresh.insert(item)
  }
}
