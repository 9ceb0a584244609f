import Books
import Catalog
import Circulation
import Database
import Desk
import FoundationEssentials
package import Items
import Machine
import Registry
package import Setup

extension LinkedEngine {
  package func myBooks(_ choice: MyBookChoice, at seat: Seat)
    async throws(ErrorItem) -> [MyBookItem]
  {
    try await visit(seat) { visit throws(ErrorItem) in
      let bookcase = try await MyBookcase(visit)
      return bookcase.books.filter { book in
        switch choice {
        case .all: book.foremost.state != .none
        case .saved: book.foremost.state == .saved
        case .ignored: book.isIgnored
        }
      }.map(bookcase.item)
    }
  }

  package func decide(_ order: MyBookOrder, at seat: Seat) async throws(ErrorItem) -> MyBookItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let before = try await MyBookcase(visit)
      let subject = try await before.subject(of: order)
      let isUnchanged = try await before.carryOut(order, on: subject)
      let after = try await MyBookcase(visit)
      var item = after.item(
        after.books.first { $0.holds(subject.keys) }
          ?? MyBook(
            entry: subject.entry, face: subject.face,
            kept: [KeptBook.blank(subject.key, subject.face)]))
      item.isUnchanged = isUnchanged
      return item
    }
  }
}

/// A work of the reader's own, with all that is kept of its editions.
private struct MyBook {
  var entry: CatalogEntry?
  var face: BookFace
  var kept: [KeptBook]

  var foremost: KeptBook { kept.max { $0.state.rank < $1.state.rank } ?? kept[0] }
  var isIgnored: Bool { kept.contains(where: \.isIgnored) }

  func holds(_ keys: [BookKey]) -> Bool { kept.contains { keys.contains($0.key) } }
}

/// What a decision is about: a work, and the edition that the reader's word is kept under.
private struct Subject {
  let key: BookKey
  let keys: [BookKey]
  let face: BookFace
  let entry: CatalogEntry?
}

private struct MyBookcase {
  let visit: Visit
  let offers: Offers
  let books: [MyBook]
  private let verdicts: [Verdict]

  init(_ visit: Visit) async throws(ErrorItem) {
    self.visit = visit
    let offers = try await Offers(visit)
    self.offers = offers
    let entries = try await toldOfDatabase { () throws(DatabaseError) in
      try await visit.house.catalog.entries(
        for: offers.books.map { ($0.key.library, $0.key.item) })
    }
    verdicts = try await toldOfDatabase { () throws(DatabaseError) in
      try await visit.house.books.verdicts(of: visit.patron.id)
    }
    var found: [MyBook] = []
    var places: [WorkID: Int] = [:]
    for (kept, entry) in zip(offers.books, entries) {
      let edition = entry?.editions.first?.edition
      let face =
        edition.map { BookFace(title: $0.title, authors: $0.authors) } ?? kept.face
      if let work = entry?.work, let place = places[work] {
        found[place].kept.append(kept)
        continue
      }
      if let work = entry?.work { places[work] = found.count }
      found.append(MyBook(entry: entry, face: face, kept: [kept]))
    }
    books = found.sorted { one, other in
      let (left, right) = (one.foremost, other.foremost)
      if left.state.rank != right.state.rank { return left.state.rank > right.state.rank }
      if left.until != right.until { return (left.until ?? .max) < (right.until ?? .max) }
      return one.face.title < other.face.title
    }
  }

  func item(_ book: MyBook) -> MyBookItem {
    let kept = book.foremost
    let account = offers.accounts.first { $0.id == kept.account }
    let name =
      account.map { "\($0.name):\(kept.key.item.rawValue)" } ?? book.entry?.work.rawValue
      ?? "\(kept.key.library.rawValue):\(kept.key.item.rawValue)"
    var item = MyBookItem(
      name: name, title: book.face.title, state: kept.state.rawValue, stateWord: kept.state.word)
    item.work = book.entry?.work.rawValue
    item.authors = book.face.authors
    item.since = Date(milliseconds: kept.since).rfc3339
    item.until = kept.until.map { Date(milliseconds: $0).rfc3339 }
    item.account = account?.name
    item.item = kept.key.item.rawValue
    item.isIgnored = book.isIgnored
    let said = verdicts.filter { verdict in book.kept.contains { $0.key == verdict.key } }
    item.rating = said.compactMap(\.rating).first
    item.finished = said.compactMap(\.finished).first
    item.actions = kept.state.actions + [book.isIgnored ? "unignore" : "ignore"]
    return item
  }

  // MARK: - Decisions

  /// A book of the reader's own first, then any work.
  func subject(of order: MyBookOrder) async throws(ErrorItem) -> Subject {
    let mine = named(order.title, for: order.verb)
    if mine.count == 1 { return subject(mine[0], order.verb) }
    if mine.count > 1 {
      var error = ErrorItem("several_matches")
      error.detail = order.title
      error.choices = mine.prefix(10).map { item($0) }.map { "\($0.name)  \($0.title)" }
      throw error
    }
    let entry = try await Finding(visit, offers).whole(order.title)
    let listed = entry.lead
    let keys = entry.editions.map { BookKey($0.library, $0.edition.item) }
    if let own = books.first(where: { $0.holds(keys) }) { return subject(own, order.verb) }
    return Subject(
      key: BookKey(listed.library, listed.edition.item), keys: keys,
      face: BookFace(title: listed.edition.title, authors: listed.edition.authors), entry: entry)
  }

  private func subject(_ book: MyBook, _ verb: MyBookOrder.Verb) -> Subject {
    // What is taken back is taken back where it was said.
    let said = verb == .unignore ? book.kept.first(where: \.isIgnored) : nil
    return Subject(
      key: (said ?? book.foremost).key, keys: book.kept.map(\.key), face: book.face,
      entry: book.entry)
  }

  private func named(_ title: String, for verb: MyBookOrder.Verb) -> [MyBook] {
    let folded = title.lowercased()
    let exact = books.filter { book in
      book.entry?.work.rawValue == title || item(book).name.lowercased() == folded
        || book.kept.contains { "\($0.key.library.rawValue):\($0.key.item.rawValue)" == title }
    }
    if !exact.isEmpty { return exact }
    // Words mean one of those that the command is for.
    let eligible = books.filter { book in
      switch verb {
      case .unsave: book.foremost.state == .saved
      case .unignore: book.isIgnored
      case .dismiss: book.foremost.state.after(.dismissed) != nil
      case .save, .ignore: false
      case .rate, .finish: book.foremost.state != .none
      }
    }
    return eligible.filter { $0.face.title.lowercased().contains(folded) }
  }

  /// Whether it stood so before.
  func carryOut(_ order: MyBookOrder, on subject: Subject) async throws(ErrorItem) -> Bool {
    let (books, patron) = (visit.house.books, visit.patron.id)
    let choice = try await toldOfDatabase { () throws(DatabaseError) -> Choice? in
      switch order.verb {
      case .save: return try await books.save(subject.key, subject.face, of: patron)
      case .unsave: return try await books.unsave(subject.key, of: patron)
      case .ignore: return try await books.ignore(subject.key, subject.face, of: patron)
      case .unignore: return try await books.unignore(subject.key, of: patron)
      case .dismiss: return try await books.dismiss(subject.key, of: patron)
      case .rate(let stars):
        _ = try await books.say(subject.key, subject.face, rating: stars, of: patron)
        return nil
      case .finish(let day):
        _ = try await books.say(
          subject.key, subject.face, finished: day ?? visit.today, of: patron)
        return nil
      }
    }
    switch choice {
    case .done, nil: return false
    case .already: return true
    case .full(let most):
      throw ErrorItem("limit_reached", detail: "\(most) saved and ignored books")
    case .refused(let state):
      var error = ErrorItem("wrong_state")
      (error.title, error.detail) = (subject.face.title, state.word)
      error.choices = state.actions.map { "carrel \($0)" }
      throw error
    }
  }
}

extension Visit {
  /// The reader's books with the shelves followed up to now, and what was heard of the libraries'
  /// clocks meanwhile.
  func followed(_ accounts: [Account]) async throws(ErrorItem) -> [KeptBook] {
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.followed(accounts, of: patron.id)
    }
  }

  /// The day where the reader is.
  fileprivate var today: String {
    let midnight = Timestamp(secondsSinceEpoch: Int64(house.today) * 86_400)
    return midnight.rfc3339().prefix(10).description
  }
}

extension BookState {
  /// Which of several editions speaks for their work: the one that the reader is furthest with.
  var rank: Int {
    switch self {
    case .opened: 11
    case .downloadCompleted: 10
    case .downloading: 9
    case .downloadQueued: 8
    case .downloadFailed: 7
    case .notDownloaded: 6
    case .loanOffered: 5
    case .waitingForLoan: 4
    case .loanOfferExpired: 3
    case .loanExpired: 2
    case .saved: 1
    case .none: 0
    }
  }

  /// The commands that the table allows here.
  var actions: [String] {
    possibleEvents.compactMap { event -> String? in
      switch event {
      case .save: "save"
      case .unsave: "unsave"
      case .holdPlaced: "hold add"
      case .holdCancelled: "hold cancel"
      case .borrowed: self == .loanOffered ? "hold accept" : "borrow"
      case .offerDeclined: "hold decline"
      case .dismissed: "dismiss"
      case .returned: "return"
      case .queued: "get"
      case .downloadCancelled: "queue cancel"
      // What the library or the clock does is nobody's command.
      case .offerMade, .offerExpired, .loanExpired, .downloadStarted, .downloadFailed,
        .downloadCompleted, .opened:
        nil
      }
    } + (isOnLoan ? ["read"] : [])
  }
}

extension [KeptBook] {
  /// The one state of a work.
  func state(of entry: CatalogEntry) -> BookState {
    let keys = Set(entry.editions.map { BookKey($0.library, $0.edition.item) })
    return filter { keys.contains($0.key) }.map(\.state).max { $0.rank < $1.rank } ?? .none
  }
}
