import Books
import Catalog
import Circulation
import Covers
import Downloads
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import Markup

/// One book of a reader's own: what it is, how it stands, what can be done.
struct MyBooksView {
  typealias Row = MyBooksPage.Row

  let cards: BookCards
  let reader: Caller.Reader

  @Children func line(_ row: Row) -> [Node] {
    let way = cards.ways(row.entry).first { way in
      way.listed.library == row.key.library && way.listed.edition.item == row.key.item
    }
    tag("a", .init("class", "line"), .init("href", cards.address(row.entry.work))) {
      cards.cover(row.entry, .thumbnail)
      tag("span", .init("class", "told")) {
        cards.named(row.entry.face)
        state(row, way)
      }
    }
    actions(row, way)
  }

  @Children private func state(_ row: Row, _ way: Way?) -> [Node] {
    let library = cards.lobby.stock.nameOfLibrary(row.key.library)
    switch row.part {
    case .loans:
      tag("span", .init("class", "small")) {
        library
        if let words = Phrases.file(row.ticket) { " · \(words)" }
      }
      if let until = row.line?.until {
        cards.due(until, since: row.line?.since, at: row.key.library)
      } else {
        tag("span", .init("class", "state mine")) { Phrases.yours }
      }
    case .saved: cards.state(cards.glance(row.entry))
    case .past:
      tag("span", .init("class", "state")) {
        Phrases.past(
          row.kept?.state ?? .loanExpired, at: library,
          on: (row.kept?.until).map { until in
            cards.time(Date(milliseconds: until), at: row.key.library) {
              $0.day(Date(milliseconds: until))
            }
          })
      }
    case .all, .ready, .holds:
      tag("span", .init("class", "state mine")) {
        if let way {
          cards.told(way.telling(library), at: row.key.library)
        } else {
          library
        }
      }
      if row.part == .holds, let wait = way?.wait {
        tag("span", .init("class", "small")) { Phrases.wait(wait) }
      }
    }
  }

  private func actions(_ row: Row, _ way: Way?) -> Node? {
    let reading = way.flatMap { LoanReading($0, row.ticket, cards) }
    let offers = offers(row, way, reading)
    guard !offers.isEmpty || reading != nil else { return nil }
    let view = OffersView(cards, row.entry.work, .unknown)
    return tag("div", .init("class", "actions")) {
      if let reading { view.reading(reading, row.entry) }
      for (place, offer) in offers.enumerated() {
        let isMain = place == 0 && (offer.deed == .borrow || offer.deed == .fetch)
        view.form(
          offer, row.key, reader, isMain ? "button" : "button second",
          ": \(row.entry.face.title)", from: ["from": cards.caller.hereAgain])
      }
    }
  }

  private func offers(
    _ row: Row, _ way: Way?, _ reading: LoanReading?
  ) -> [OffersView.Offer] {
    switch row.part {
    case .saved:
      let now = way.map(OffersView.offers)?.filter { [.borrow, .hold].contains($0.deed) } ?? []
      return now + [OffersView.Offer(deed: .unsave, words: Phrases.remove)]
    case .past: return [OffersView.Offer(deed: .dismiss, words: Phrases.dismiss)]
    case .all, .loans, .ready, .holds:
      let fetch =
        reading?.canBeFetched == true ? [OffersView.Offer(deed: .fetch, words: Phrases.fetch)] : []
      return fetch + (way.map(OffersView.offers) ?? [])
    }
  }
}

/// How a loan can be read from here.
struct LoanReading: Sendable {
  let library: LibraryID
  let item: ItemID
  /// Whether our own reader opens it.
  let isOpenedHere: Bool
  /// What a program of Adobe's exchanges for the book, where that lies here.
  let token: AdobeToken?
  /// Whether its file lies here.
  let isHere: Bool
  /// Whether it is read in a browser at the library's own page.
  let isReadThere: Bool
  /// What else opens it, where the file is for another program.
  let opener: String?
  /// Whether asking for the file makes sense: it can be had, and is neither here nor on its way.
  let canBeFetched: Bool

  /// Nil for what is not on loan.
  init?(_ way: Way, _ ticket: Ticket?, _ cards: BookCards) {
    guard let loan = way.loan else { return nil }
    let edition = way.listed.edition
    (library, item) = (way.listed.library, edition.item)
    let best = loan.bestFormat(edition)
    isOpenedHere = best?.content == .epub && best?.isReadableHere == true
    isReadThere = loan.streamed(edition) != nil
    token = ticket.flatMap { cards.lobby.fetching.files.adobeToken(of: $0) }
    let isOver = token?.isOver(at: cards.lobby.stock.now()) == true
    isHere = ticket?.state == .done && !isOver
    opener = best?.opener ?? loan.formats(edition).first?.opener
    canBeFetched = best?.isFile == true && (ticket == nil || ticket?.state == .failed || isOver)
  }
}
