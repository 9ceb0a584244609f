import HTTP
import HTTPServer
import JSON
import Markup
import MockKit

/// What one reader has, waits for and may do.
extension Visit {
  func shelf(of card: String, _ library: MockLibrary) throws(Failure) -> Response {
    try signIn(card, library)
    let lending = library.lending
    let holds = lending.holds(by: card)
    return .cirrus(
      tag("PatronCirculation") {
        [
          leaf("PatronId", card), leaf("PatronLibraryId", libraryID),
          tag(
            "Checkouts", attributes: [],
            children: lending.loans(by: card).map {
              entry($0.title, $0.since, $0.until, 1, library)
            }),
          tag(
            "Holds", attributes: [],
            children: holds.filter { !$0.isReady }.map { hold in
              // A guess, which is soon past.
              entry(
                hold.title, hold.placed, hold.placed + 60_000, lending.position(of: hold) ?? 1,
                library)
            }),
          tag(
            "Reserves", attributes: [],
            children: holds.filter(\.isReady).map { hold in
              let end = hold.readyUntil ?? now
              return entry(hold.title, end + -lending.rules.offerPeriod, end, 1, library)
            }),
        ]
      })
  }

  /// The name of the number differs from item to item. With `nameless` set, what has left the
  /// collection has lost its id.
  private func entry(
    _ id: String, _ start: Moment, _ end: Moment, _ position: Int, _ library: MockLibrary
  ) -> Node {
    let title = library.lending.titles[id]
    let isNameless = title == nil && library.settings["nameless"]?.bool == true
    let isbn = title?.isbn ?? ""
    return tag("Item") {
      (isNameless ? [] : [leaf("ItemId", id)]) + [
        leaf("ItemLibraryId", libraryID),
        id.utf8.reduce(0) { $0 + Int($1) }.isMultiple(of: 2)
          ? leaf("ISBN", isbn) : leaf("ISBN13", isbn),
        leaf("EventStartDateInUTC", start), leaf("EventEndDateInUTC", end),
        leaf("Position", position),
      ]
    }
  }

  /// Whether the card is good, in a word. Here a refusal is an answer.
  func check(_ card: String, _ library: MockLibrary) -> Response {
    let result: String
    do throws(LendingRefusal) {
      _ = try library.lending.signIn(card: card, pin: request.query["password"], at: now)
      result = "SUCCESS"
    } catch {
      switch error {
      case .expiredCard: result = "CARD_EXPIRED"
      case .blocked: result = "CARD_BLOCKED"
      default: result = "INVALID_CREDENTIALS"
      }
    }
    return .cirrus(tag("PatronAuthentication") { [leaf("result", result)] })
  }

  func statuses(of ids: [String], for card: String, _ library: MockLibrary)
    throws(Failure) -> Response
  {
    guard ids.count <= 25 else { throw .malformed }
    guard library.lending.patrons[card] != nil else {
      throw Failure(.forbidden, "The patron was refused")
    }
    return .cirrus(
      tag(
        "ArrayOfDocumentStatus", attributes: [],
        children: ids.map { id in
          tag("DocumentStatus") {
            [leaf("id", id), leaf("status", status(of: id, to: card, library))]
          }
        }))
  }
}
