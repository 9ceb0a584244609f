import Books
import Catalog
import Circulation
import Desk
import Downloads
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Registry

/// The ways to a title with what can be done about each.
struct OffersView {
  /// Whether the book waits for its reader without any library.
  enum Saving: Sendable {
    /// A stranger's.
    case unknown
    case open
    case saved(BookKey)
  }

  /// What a form does and what its button says.
  struct Offer {
    let deed: BookDeed
    let words: String
  }

  private let cards: BookCards
  private let work: WorkID
  private let saving: Saving
  private var caller: Caller { cards.caller }

  init(_ cards: BookCards, _ work: WorkID, _ saving: Saving) {
    (self.cards, self.work, self.saving) = (cards, work, saving)
  }

  @Children func offers(_ ways: [Way], _ facts: BookFacts) -> [Node] {
    tag("section", .init("class", "offers"), .init("aria-label", Phrases.whereToGetIt)) {
      tag("ol") {
        for (rank, way) in ways.enumerated() { tag("li") { offer(way, rank, of: ways, facts) } }
      }
      if ways.isEmpty { tag("p", .init("class", "empty")) { Phrases.goneEverywhere } }
    }
    tag("div", .init("class", "actions")) { save(ways) }
  }

  @Children private func offer(
    _ way: Way, _ rank: Int, of ways: [Way], _ facts: BookFacts
  ) -> [Node] {
    let library = cards.lobby.stock.nameOfLibrary(way.listed.library)
    tag("p", .init("class", "state \(tone(way))")) {
      cards.told(way.telling(library), at: way.listed.library)
    }
    if let loan = way.loan, let until = loan.until {
      cards.due(until, since: loan.since, at: way.listed.library).first
    }
    let reasons = way.standing.reasons
    if !reasons.isEmpty {
      tag("p", .init("class", "small")) {
        Phrases.best(reasons, rank, of: ways.count)
      }
    }
    openers(way)
    actions(way, rank, facts)
  }

  /// What it can be had as, and what opens that.
  private func openers(_ way: Way) -> Node? {
    let formats = (way.loan?.lockedFormat.map { [$0] } ?? way.listed.edition.formats)
      .sorted { $0.isReadableHere && !$1.isReadableHere }.prefix(6)
    guard !formats.isEmpty else { return nil }
    return tag("details", .init("class", "openers small")) {
      tag("summary") {
        "\(formats.map { Labels.format($0.content) }.distinct.joined(separator: ", ")): "
        Phrases.whatOpensIt
      }
      tag("ul") { for words in formats.map(Phrases.opening).distinct { tag("li") { words } } }
    }
  }

  /// To our own reader, and to the file for another program.
  @Children func reading(_ reading: LoanReading, _ entry: CatalogEntry) -> [Node] {
    if reading.isOpenedHere {
      tag(
        "a", .init("class", "button"),
        .init(
          "href",
          caller.link(ReaderPaths.book.print((reading.library.rawValue, reading.item.rawValue))))
      ) {
        Phrases.read
        tag("span", .init("class", "unseen")) { ": \(entry.face.title)" }
      }
    }
    if reading.isReadThere {
      tag(
        "a", .init("class", reading.isOpenedHere ? "button second" : "button"),
        .init(
          "href",
          caller.link(LobbyPaths.there.print((reading.library.rawValue, reading.item.rawValue)))),
        .init("target", "_blank"), .init("rel", "noopener noreferrer")
      ) {
        Phrases.readThere
        tag("span", .init("class", "unseen")) { ": \(entry.face.title) (\(Phrases.newWindow))" }
      }
    }
    if reading.isOpenedHere, reading.isHere, cards.lobby.reading != nil {
      let list = ReaderPaths.offline.print((reading.library.rawValue, reading.item.rawValue))
      KeepButton(caller: caller).node(caller.link(list), entry.face.title)
    }
    if reading.isHere {
      tag(
        "a", .init("class", reading.isOpenedHere ? "button second" : "button"),
        .init(
          "href",
          caller.link(LobbyPaths.file.print((reading.library.rawValue, reading.item.rawValue)))),
        .init("download", true)
      ) {
        Phrases.file
        tag("span", .init("class", "unseen")) { ": \(entry.face.title)" }
      }
    }
    if let end = reading.token?.expires.map({ Date(milliseconds: $0) }) {
      tag("p", .init("class", "small")) {
        let moment = [cards.time(end, at: reading.library) { $0.moment(end) }]
        reading.isHere ? Phrases.tokenUntil(moment) : Phrases.tokenOver(moment)
      }
    }
  }

  private func tone(_ way: Way) -> String {
    Glance([way], caller.now, cards.lobby.stock.nameOfLibrary).tone.rawValue
  }

  // MARK: - What can be done

  static func offers(_ way: Way) -> [Offer] {
    if let loan = way.loan {
      return [
        // Paper is brought back on foot.
        loan.isReturnable && !way.isPaper ? Offer(deed: .giveBack, words: Phrases.giveBack) : nil,
        loan.isRenewable ? Offer(deed: .renew, words: Phrases.renew) : nil,
      ].compactMap(\.self)
    }
    let borrow = Offer(deed: .borrow, words: Phrases.borrow)
    switch way.hold?.status {
    case .ready where way.isPaper: return [Offer(deed: .cancel, words: Phrases.letGo)]
    case .ready: return [borrow, Offer(deed: .cancel, words: Phrases.letGo)]
    case .waiting, .suspended: return [Offer(deed: .cancel, words: Phrases.cancelHold)]
    case .expired, nil: break
    }
    // Where it shall wait is asked on a page of its own.
    if way.isPaper { return [] }
    switch way.listed.availability?.status {
    case .queued: return [Offer(deed: .hold, words: Phrases.hold)]
    case .unavailable, .unknownToProvider: return []
    case .openAccess, .available, nil: return [borrow]
    }
  }

  private func actions(_ way: Way, _ rank: Int, _ facts: BookFacts) -> Node? {
    let offers = Self.offers(way)
    let library = cards.lobby.stock.nameOfLibrary(way.listed.library)
    guard let reader = caller.reader else {
      guard rank == 0, !offers.isEmpty else { return nil }
      return tag("p") {
        tag(
          "a", .init("class", "button"), .init("data-key", "b"),
          .init("href", caller.request.link(cards.lobby.signInPath(caller)))
        ) { Phrases.signInToBorrow }
      }
    }
    let key = BookKey(way.listed.library, way.listed.edition.item)
    let reading = LoanReading(way, facts.tickets.first { $0.holds(way) }, cards)
    let hasPaper =
      way.account.map { facts.withPaper.contains($0.id) } == true && way.canBePutAside
    guard !offers.isEmpty || reading != nil || hasPaper else { return nil }
    return tag("div", .init("class", "actions")) {
      if let reading { self.reading(reading, facts.entry) }
      if reading?.canBeFetched == true {
        form(
          Offer(deed: .fetch, words: Phrases.fetch), key, reader,
          reading?.isOpenedHere == true ? "button second" : "button", " (\(library))")
      }
      for (place, offer) in offers.enumerated() {
        let isMain = rank == 0 && place == 0 && offer.deed != .giveBack && offer.deed != .cancel
        form(
          offer, key, reader, isMain ? "button" : "button second", " (\(library))",
          isKey: isMain)
      }
      if hasPaper, way.loan == nil, way.hold == nil {
        tag(
          "a", .init("class", rank == 0 && offers.isEmpty ? "button" : "button second"),
          .init(
            "href",
            caller.link(
              LobbyPaths.pickUp.print((work.rawValue, key.library.rawValue, key.item.rawValue)))),
          .init("data-key", rank == 0 && offers.isEmpty ? "b" : nil)
        ) { Phrases.pickUp(library) }
      }
    }
  }

  /// One button. `unseen` is for those who hear it without what stands around it.
  func form(
    _ offer: Offer, _ key: BookKey, _ reader: Caller.Reader, _ dress: String,
    _ unseen: String? = nil, from: FormFields = FormFields(), isKey: Bool = false
  ) -> Node {
    tag("form", .init("method", "post"), .init("action", cards.address(work))) {
      cards.lobby.sealed(reader)
      hidden("do", offer.deed.rawValue)
      if offer.deed.action != nil, let shelf = caller.shelf {
        hidden(BookDeed.keyField, shelf.formKey)
      }
      hidden("library", key.library.rawValue)
      hidden("item", key.item.rawValue)
      for field in from.fields { hidden(field.name, field.value) }
      tag(
        "button", .init("class", dress), .init("type", "submit"),
        .init("data-key", isKey ? "b" : nil)
      ) {
        offer.words
        if let unseen { tag("span", .init("class", "unseen")) { unseen } }
      }
    }
  }

  private func save(_ ways: [Way]) -> Node? {
    guard let reader = caller.reader else { return nil }
    switch saving {
    case .unknown: return nil
    case .saved(let key):
      return form(
        Offer(deed: .unsave, words: Phrases.savedRemove), key, reader, "button second")
    case .open:
      guard let way = ways.first, way.loan == nil, way.hold == nil else { return nil }
      return form(
        Offer(deed: .save, words: Phrases.saveForLater),
        BookKey(way.listed.library, way.listed.edition.item), reader, "button second")
    }
  }
}

extension Ticket {
  fileprivate func holds(_ way: Way) -> Bool {
    wish.account == way.account?.id && wish.item == way.listed.edition.item
  }
}
