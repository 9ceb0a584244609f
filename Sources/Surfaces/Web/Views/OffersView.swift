import Books
import Catalog
import Circulation
import Desk
import Downloads
import FrontDesk
import HTTP
import HTTPServer
import Markup

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

  @Children func offers(_ ways: [Way]) -> [Node] {
    tag("section", .init("class", "offers"), .init("aria-label", "Where to get it")) {
      tag("ol") {
        for (rank, way) in ways.enumerated() {
          tag("li") {
            let library = cards.lobby.stock.nameOfLibrary(way.listed.library)
            tag("p", .init("class", "state \(tone(way))")) { way.words(library) }
            if let loan = way.loan, let until = loan.until {
              cards.due(until, since: loan.since).first
            }
            let reasons = way.standing.reasons
            if !reasons.isEmpty {
              tag("p", .init("class", "small")) {
                sentence(reasons, isFirst: rank == 0 && ways.count > 1)
              }
            }
            actions(way, rank)
          }
        }
      }
      if ways.isEmpty {
        tag("p", .init("class", "empty")) { "None of your libraries has it any more." }
      }
    }
    save(ways)
  }

  private func tone(_ way: Way) -> String {
    Glance([way], caller.now, cards.lobby.stock.nameOfLibrary).tone.rawValue
  }

  private func sentence(_ reasons: [String], isFirst: Bool) -> String {
    let text = reasons.joined(separator: "; ")
    return isFirst
      ? "Best choice: \(text)." : text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  // MARK: - What can be done

  static func offers(_ way: Way) -> [Offer] {
    if let loan = way.loan {
      return [
        loan.isReturnable ? Offer(deed: .giveBack, words: "Return") : nil,
        loan.isRenewable ? Offer(deed: .renew, words: "Renew") : nil,
      ].compactMap(\.self)
    }
    let borrow = Offer(deed: .borrow, words: "Borrow")
    switch way.hold?.status {
    case .ready: return [borrow, Offer(deed: .cancel, words: "Let it go")]
    case .waiting, .suspended: return [Offer(deed: .cancel, words: "Cancel the hold")]
    case .expired, nil: break
    }
    switch way.listed.availability?.status {
    case .queued: return [Offer(deed: .hold, words: "Place a hold")]
    case .unavailable, .unknownToProvider: return []
    case .openAccess, .available, nil: return [borrow]
    }
  }

  private func actions(_ way: Way, _ rank: Int) -> Node? {
    let offers = Self.offers(way)
    let read = read(way)
    guard !offers.isEmpty || !read.isEmpty else { return nil }
    let library = cards.lobby.stock.nameOfLibrary(way.listed.library)
    guard let reader = caller.reader else {
      guard rank == 0 else { return nil }
      return tag("p") {
        tag(
          "a", .init("class", "button"),
          .init("href", caller.request.link(cards.lobby.signInPath(caller)))
        ) { "Sign in to borrow" }
      }
    }
    return tag("div", .init("class", "actions")) {
      read
      for (place, offer) in offers.enumerated() {
        let isMain = rank == 0 && place == 0 && offer.deed != .giveBack && offer.deed != .cancel
        form(
          offer, BookKey(way.listed.library, way.listed.edition.item), reader,
          isMain ? "button" : "button second", " at \(library)")
      }
    }
  }

  /// A loan is opened here, or it is said where.
  @Children func read(_ way: Way, _ unseen: String? = nil) -> [Node] {
    if cards.lobby.reading != nil, let loan = way.loan, let reader = caller.reader {
      let edition = way.listed.edition
      let formats = Wish.formats(of: loan, edition)
      let format =
        loan.lockedFormat ?? formats.first { $0.isReadableHere && $0.content == .epub }
        ?? formats.first(where: \.isFile) ?? formats.first
      if format.map({ $0.isReadableHere && $0.content == .epub }) ?? true {
        tag(
          "form", .init("method", "post"),
          .init(
            "action",
            caller.link(
              ReaderPaths.book.print((way.listed.library.rawValue, edition.item.rawValue))))
        ) {
          cards.lobby.sealed(reader)
          hidden("do", "open")
          tag("button", .init("class", "button"), .init("type", "submit")) {
            "Read"
            if let unseen { tag("span", .init("class", "unseen")) { unseen } }
          }
        }
      } else if let opener = format?.opener {
        tag("p", .init("class", "small")) { "Opens with \(opener)." }
      }
    }
  }

  /// One button. `unseen` is for those who hear it without what stands around it.
  func form(
    _ offer: Offer, _ key: BookKey, _ reader: Caller.Reader, _ dress: String,
    _ unseen: String? = nil,
    from: FormFields = FormFields()
  ) -> Node {
    tag("form", .init("method", "post"), .init("action", cards.address(work))) {
      cards.lobby.sealed(reader)
      hidden("do", offer.deed.rawValue)
      hidden("library", key.library.rawValue)
      hidden("item", key.item.rawValue)
      for field in from.fields { hidden(field.name, field.value) }
      tag("button", .init("class", dress), .init("type", "submit")) {
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
        Offer(deed: .unsave, words: "★ Saved — remove"), key, reader, "button second")
    case .open:
      guard let way = ways.first, way.loan == nil, way.hold == nil else { return nil }
      return form(
        Offer(deed: .save, words: "☆ Save for later"),
        BookKey(way.listed.library, way.listed.edition.item), reader, "button second")
    }
  }
}
