import Books
import Catalog
import Circulation
import Database
import Desk
import Items
import Machine
import Notices
import Registry
import Wishes

/// What follows for one reader from what was seen of their wishes: they are told, or what the rule of
/// a wish says is done.
struct Granting {
  let visit: Visit
  private let wishes: [Wish]

  private var house: House { visit.house }

  init(_ visit: Visit) async throws(ErrorItem) {
    self.visit = visit
    wishes = try await toldOfDatabase { () throws(DatabaseError) in
      try await visit.house.wishes.wishes(of: visit.patron.id)
    }
  }

  func done() async throws(ErrorItem) -> WishTally {
    var tally = WishTally()
    let now = house.time.now().millisecondsSinceEpoch
    let pending = wishes.filter {
      $0.watch.isNews || $0.wantsHold(at: now) || $0.deed?.isOpen == true
    }
    if pending.isEmpty { return tally }
    var all = try await Offers(visit)
    let works = Array(Set(pending.compactMap(\.match.work)))
    let entries = try await toldOfDatabase { () throws(DatabaseError) in
      try await house.catalog.entries(
        of: works, at: Array(Set(all.accounts.map(\.library))))
    }
    let read = try await readBooks()
    for entry in entries {
      let offers = try await all.watching([entry])
      let wished = Wished(entry, offers, wishes.filter { $0.match.work == entry.work })
      do throws(ErrorItem) {
        let one = try await grant(wished, pending.filter { $0.match.work == entry.work }, read)
        tally += one
        // What was borrowed takes up room on the card that the next one may need.
        if one.deeds > 0 { all = try await Offers(visit) }
      } catch {
        tally.troubles.append(error)
      }
    }
    return tally
  }

  /// What the reader finished.
  private func readBooks() async throws(ErrorItem) -> Set<BookKey> {
    let verdicts = try await toldOfDatabase { () throws(DatabaseError) in
      try await house.books.verdicts(of: visit.patron.id)
    }
    return Set(verdicts.filter { $0.finished != nil }.map(\.key))
  }

  /// One work; it may be wished for on several lists, and is told once.
  private func grant(
    _ wished: Wished, _ pending: [Wish], _ read: Set<BookKey>
  ) async throws(ErrorItem) -> WishTally {
    // What was begun before somebody was killed is told now.
    if let wish = pending.first(where: { $0.deed?.isOpen == true }), let deed = wish.deed?.ended,
      let way = wished.way(of: deed)
    {
      return try await tell(wished, pending, way, deed)
    }
    if wished.isOnLoan || wished.isIgnored || wished.isAmong(read) {
      try await close(pending.filter(\.watch.isNews), isTold: false)
      return WishTally()
    }
    // Their hold is told of when it is ready.
    if wished.isOnHold { return WishTally() }
    var news = pending.filter(\.watch.isNews)
    if news.isEmpty { return try await hold(wished, pending) }
    if wished.wasTold {
      // To have told of it on one list is not to have borrowed it for another.
      let mayBorrow = !wished.wasBorrowed
      try await close(news.filter { !(mayBorrow && $0.rule == .borrow) }, isTold: false)
      news = mayBorrow ? news.filter { $0.rule == .borrow } : []
      if news.isEmpty { return WishTally() }
    }
    let ways = wished.waysNow
    guard let best = ways.first else { return WishTally() }
    // Whoever gave back what was borrowed for them is not given it again.
    guard let wish = news.first(where: { $0.rule == .borrow && $0.deed != .borrowed }),
      let room = ways.first(where: { !$0.standing.isAtLimit })
    else { return try await tell(wished, news, best.way, nil) }
    return try await borrow(wished, news, wish, room.way)
  }

  // MARK: - By rule

  private func borrow(
    _ wished: Wished, _ news: [Wish], _ wish: Wish, _ way: Offers.Way
  ) async throws(ErrorItem) -> WishTally {
    try await begin(.borrowing, for: wish)
    let outcome: Borrowing
    do throws(DeskError) {
      outcome = try await house.desk.borrow(
        way.listed.edition.item, on: way.account.id,
        attempt: "wish-\(wish.id)-\(wish.watch.turn)", in: visit.call())
    } catch {
      return try await refused(error, wished, news, wish, way)
    }
    switch outcome {
    case .lent, .had: return try await tell(wished, news, way, .borrowed)
    case .waiting: return try await tell(wished, news, way, .held)
    case .allOut(let seen, _):
      // Somebody was quicker; the next look sees that it is gone.
      try await toldOfDatabase { () throws(DatabaseError) in
        try await house.catalog.note([way.listed.edition.item: seen], at: way.account.library)
        try await house.wishes.abandonDeed(of: wish)
      }
      return WishTally()
    // What became of it the library's shelf tells.
    case .inDoubt: return WishTally()
    }
  }

  private func hold(_ wished: Wished, _ pending: [Wish]) async throws(ErrorItem) -> WishTally {
    let now = house.time.now().millisecondsSinceEpoch
    guard let wish = pending.first(where: { $0.wantsHold(at: now) }),
      let way = wished.queues.first(where: { !$0.standing.isAtLimit })?.way
    else { return WishTally() }
    try await begin(.holding, for: wish)
    let outcome: Outcome<Hold>
    do throws(DeskError) {
      outcome = try await house.desk.placeHold(
        on: way.listed.edition.item, on: way.account.id,
        attempt: "wish-\(wish.id)-hold-\(now / 86_400_000)", in: visit.call())
    } catch {
      return try await refused(error, wished, [], wish, way)
    }
    if case .inDoubt = outcome { return WishTally() }
    return try await tell(wished, pending, way, .held)
  }

  /// A library that says no leaves it to the reader; one that cannot be asked is asked again.
  private func refused(
    _ error: DeskError, _ wished: Wished, _ news: [Wish], _ wish: Wish, _ way: Offers.Way
  ) async throws(ErrorItem) -> WishTally {
    let item = ErrorItem(error).about(way.account, in: house, title: wish.title)
    let isOver: Bool =
      switch error {
      case .provider(let refusal): !refusal.reason.mayPass
      case .attemptEnded, .unlinked: true
      case .database, .unopened, .attemptDiffers: false
      }
    guard isOver else { throw item }
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.wishes.abandonDeed(of: wish)
    }
    return news.isEmpty ? WishTally() : try await tell(wished, news, way, nil)
  }

  // MARK: - Telling

  private func tell(
    _ wished: Wished, _ wishes: [Wish], _ way: Offers.Way, _ deed: WishDeed?
  ) async throws(ErrorItem) -> WishTally {
    guard let first = wishes.min(by: { $0.id < $1.id }) else { return WishTally() }
    let edition = way.listed.edition
    let format = edition.formats.first(where: \.isReadableHere) ?? edition.formats.first
    var matter = Matter(
      title: wished.entry.lead.edition.title,
      library: house.counter.name(of: way.account.library), card: way.account.name,
      format: format?.content.rawValue)
    matter.deed = deed?.rawValue
    let change =
      switch deed?.ended {
      case .held: "held"
      case .borrowed: "borrowed in turn \(first.watch.turn)"
      case .borrowing, .holding, nil: "turn \(first.watch.turn)"
      }
    let fact = Fact(
      .wishAvailable, for: visit.patron.id, about: "wish \(first.id)", change: change, matter)
    let news = try await toldOfNotices { () throws(NoticeError) in
      try await house.notices.tell([fact])
    }
    try await close(wishes, isTold: true, deed)
    var tally = WishTally()
    (tally.told, tally.deeds) = (news, deed == nil ? 0 : 1)
    return tally
  }

  private func begin(_ deed: WishDeed, for wish: Wish) async throws(ErrorItem) {
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.wishes.begin(deed, of: wish)
    }
  }

  private func close(
    _ wishes: [Wish], isTold: Bool, _ deed: WishDeed? = nil
  ) async throws(ErrorItem) {
    try await toldOfDatabase { () throws(DatabaseError) in
      for wish in wishes { try await house.wishes.close(wish, isTold: isTold, deed: deed) }
    }
  }
}

/// A work that is wished for, as it stands for its reader.
private struct Wished {
  let entry: CatalogEntry
  let offers: Offers
  /// All of the reader's for it.
  let wishes: [Wish]
  private let ranked: [(way: Offers.Way, standing: Standing)]

  init(_ entry: CatalogEntry, _ offers: Offers, _ wishes: [Wish]) {
    (self.entry, self.offers, self.wishes) = (entry, offers, wishes)
    ranked = offers.ranked(offers.ways(to: entry))
  }

  var isOnLoan: Bool {
    offers.books.state(of: entry).isOnLoan || ranked.contains { offers.loan($0.way) != nil }
  }

  var isOnHold: Bool { ranked.contains { offers.hold($0.way) != nil } }

  var isIgnored: Bool {
    offers.books.contains { $0.isIgnored && keys.contains($0.key) }
  }

  func isAmong(_ books: Set<BookKey>) -> Bool { !keys.isDisjoint(with: books) }

  /// On another list, this same time.
  var wasTold: Bool {
    wishes.contains { $0.watch.state == .available && !$0.watch.isNews && $0.watch.turn > 0 }
  }

  var wasBorrowed: Bool { wishes.contains { $0.deed == .borrowed } }

  var waysNow: [(way: Offers.Way, standing: Standing)] {
    ranked.filter { $0.way.availability?.canBeHadNow == true }
  }

  var queues: [(way: Offers.Way, standing: Standing)] {
    ranked.filter { if case .queued = $0.way.availability?.status { true } else { false } }
  }

  /// Where a deed that was begun shows.
  func way(of deed: WishDeed) -> Offers.Way? {
    switch deed {
    case .borrowed: ranked.first { offers.loan($0.way) != nil }?.way
    case .held: ranked.first { offers.hold($0.way) != nil }?.way
    case .borrowing, .holding: nil
    }
  }

  private var keys: Set<BookKey> {
    Set(entry.editions.map { BookKey($0.library, $0.edition.item) })
  }
}

extension Wish {
  /// Once; where a library refused, not again for a day.
  fileprivate func wantsHold(at now: Int64) -> Bool {
    guard rule == .hold, watch.state == .waiting else { return false }
    switch deed {
    case .borrowed, .held: return false
    case .borrowing, .holding: return true
    case nil: return deedAt.map { $0 + 86_400_000 <= now } ?? true
    }
  }
}

extension CirculationError.Reason {
  /// Whether asking again may help.
  fileprivate var mayPass: Bool {
    switch self {
    case .providerBusy, .providerUnavailable, .malformedResponse, .networkFailure,
      .deadlineExceeded, .cancelled:
      true
    default: false
    }
  }
}
