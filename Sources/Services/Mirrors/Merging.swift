import Circulation
import FoundationEssentials
import ReadingLists

/// A book as both sides last had it, and as it is here now.
struct MirrorBook: Sendable, Hashable {
  /// As the service last said it.
  var told: ListEntry
  /// As it is here: what the service said, with what the reader said since.
  var mine: ListEntry
  /// What the reader said and the service does not know yet.
  var edits: Set<ListEntry.Part> = []
  var editedAt: Int64?
  /// Where both sides have it.
  var agreed: [ListID: Place] = [:]
  /// Where it stands here.
  var here: [ListID: String] = [:]
  /// When the reader put it where the service does not have it.
  var movedAt: Int64?

  struct Place: Sendable, Hashable {
    var member: String
    /// How many full reads in a row lacked it.
    var missed = 0
  }
}

/// What is to be done about one book.
struct Merge: Sendable, Hashable {
  var told: ListEntry
  var mine: ListEntry
  var edits: Set<ListEntry.Part> = []
  /// Lists it comes to and leaves here.
  var arriving: Set<ListID> = []
  var leaving: Set<ListID> = []
  /// Places that both sides have now.
  var agreed: Set<ListID> = []
  var missed: [ListID: Int] = [:]
  var deeds: [Deed] = []
  var conflicts: [Conflict] = []
}

/// Both sides changed the same thing otherwise.
package struct Conflict: Sendable, Hashable {
  package let title: String
  /// What it is about: a list, a rating, a review.
  package let matter: String
  package let here: String
  package let there: String
  package let stands: Side

  package enum Side: String, Sendable, Hashable { case here, there }
}

/// The three-way merge of one book.
///
/// What one side changed is taken over by the other. Where both changed the same thing, the later
/// one stands; of what has no date, what was done here. To be put on a list outweighs to be taken off
/// another; times of reading are added up. Not to be seen counts for nothing the first time.
struct Merging {
  let terms: ListTerms
  /// The lists of the service that are known.
  let lists: [ListID: ReadingList]
  let told: Told

  func merge(_ book: MirrorBook, _ theirs: Told.ToldBook?) -> Merge {
    var merge = Merge(told: theirs?.entry ?? book.told, mine: book.mine)
    mergePlaces(book, theirs, &merge)
    mergeParts(book, theirs, &merge)
    let stays = Set(book.here.keys).union(merge.arriving).subtracting(merge.leaving)
    merge.mine.lists = stays.sorted()
    merge.mine.state = stays.sorted().lazy.compactMap { lists[$0]?.state }.first
    return merge
  }

  // MARK: - Places

  private func mergePlaces(_ book: MirrorBook, _ theirs: Told.ToldBook?, _ merge: inout Merge) {
    let here = Set(book.here.keys)
    let agreed = Set(book.agreed.keys)
    var there = (theirs?.places ?? []).filter { lists[$0] != nil }
    let exclusive = Set(lists.values.filter { terms.exclusiveStates && $0.isExclusive }.map(\.id))
    let seenExclusive = there.intersection(exclusive)
    // A book that was moved while lists were read is on two that exclude each other.
    let state = only(seenExclusive, of: theirs?.entry)
    if let state { there.subtract(seenExclusive.subtracting([state])) }
    for list in agreed where !there.contains(list) {
      switch absence(of: list, book, theirs, movedTo: state, exclusive) {
      case .left: break
      case .missed(let times):
        merge.missed[list] = times
        there.insert(list)
      case .unheard: there.insert(list)
      }
    }
    guard terms.entries == .kept else {
      follow(there, here, &merge)
      return
    }
    if !exclusive.isEmpty {
      mergeState(
        book, here.intersection(exclusive), agreed.intersection(exclusive).first,
        there.intersection(exclusive).min(),
        theirs, &merge)
    }
    for list in here.union(agreed).union(there) where !exclusive.contains(list) {
      switch (here.contains(list), agreed.contains(list), there.contains(list)) {
      case (true, _, true): merge.agreed.insert(list)
      case (true, false, false): merge.deeds.append(.add(list))
      case (true, true, false): merge.leaving.insert(list)
      case (false, true, true): merge.deeds.append(.remove(list))
      case (false, false, true):
        merge.arriving.insert(list)
        merge.agreed.insert(list)
      case (false, _, false): break
      }
    }
  }

  /// What a service takes from nobody stands here as it stands there.
  private func follow(_ there: Set<ListID>, _ here: Set<ListID>, _ merge: inout Merge) {
    merge.arriving = there.subtracting(here)
    merge.leaving = here.subtracting(there)
    merge.agreed = there
  }

  /// Of several that exclude each other the one that the book itself names, or the farthest.
  private func only(_ places: Set<ListID>, of entry: ListEntry?) -> ListID? {
    let named = places.filter { lists[$0]?.state == entry?.state }
    return (named.isEmpty ? places : named).min { one, other in
      (rank(one), one) < (rank(other), other)
    }
  }

  private func rank(_ list: ListID) -> Int {
    switch lists[list]?.state {
    case .read: 0
    case .stopped: 1
    case .reading: 2
    case .wanted: 3
    case .other, nil: 4
    }
  }

  private enum Absence {
    case left
    case missed(Int)
    case unheard
  }

  private func absence(
    of list: ListID, _ book: MirrorBook, _ theirs: Told.ToldBook?, movedTo state: ListID?,
    _ exclusive: Set<ListID>
  ) -> Absence {
    if exclusive.contains(list), let state, state != list { return .left }
    let wasLookedFor =
      told.whole.contains(list) || (terms.tellsAllLists && theirs != nil)
      || (terms.tellsAllLists && told.isWhole && exclusive.isSubset(of: told.whole))
    guard wasLookedFor else { return .unheard }
    // Who names all lists of a book names them all at once: that is a word, and no silence.
    if terms.tellsAllLists, theirs != nil { return .left }
    let times = (book.agreed[list]?.missed ?? 0) + 1
    return terms.absenceIsProof && times >= 2 ? .left : .missed(times)
  }

  private func mergeState(
    _ book: MirrorBook, _ here: Set<ListID>, _ agreed: ListID?, _ there: ListID?,
    _ theirs: Told.ToldBook?, _ merge: inout Merge
  ) {
    // Who puts a book on another list means that one.
    let mine = here.filter { $0 != agreed }.min() ?? here.min()
    func stand(at place: ListID?) {
      for other in here where other != place { merge.leaving.insert(other) }
      guard let place else { return }
      if !here.contains(place) { merge.arriving.insert(place) }
    }
    func write() {
      switch (there, mine) {
      case (let from?, let to?): merge.deeds.append(.move(from: from, to: to))
      case (nil, let to?): merge.deeds.append(.add(to))
      case (let from?, nil): merge.deeds.append(.remove(from))
      case (nil, nil): break
      }
      stand(at: mine)
    }
    if mine == there {
      stand(at: there)
      if let there { merge.agreed.insert(there) }
    } else if mine == agreed {
      stand(at: there)
      if let there { merge.agreed.insert(there) }
    } else if mine == nil, there != nil, isListedElsewhere(book) {
      // To take a book off its state is to take it off everything there, with all that was said.
      stand(at: there)
      if let there { merge.agreed.insert(there) }
    } else if there == agreed {
      write()
    } else {
      // To be put somewhere outweighs to be taken away.
      let isOurs = mine != nil && isLater(book.movedAt, theirs?.entry.changedAt)
      merge.conflicts.append(
        Conflict(
          title: merge.told.title, matter: "list", here: name(mine), there: name(there),
          stands: isOurs ? .here : .there))
      if isOurs {
        write()
      } else {
        stand(at: there)
        if let there { merge.agreed.insert(there) }
      }
    }
  }

  private func isListedElsewhere(_ book: MirrorBook) -> Bool {
    book.here.keys.contains { lists[$0]?.isExclusive == false }
  }

  private func name(_ list: ListID?) -> String {
    list.map { lists[$0]?.name ?? $0.rawValue } ?? "no list"
  }

  /// Whether what was done here at that moment stands against a change there.
  func isLater(_ ours: Int64?, _ theirs: Date?) -> Bool {
    guard let ours, let theirs else { return true }
    return ours >= theirs.milliseconds
  }
}
