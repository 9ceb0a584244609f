import HTTP
import HTTPServer
import Markup
import MockKit

/// What happened, in one answer without pages: whatever is over a hundred is silently left out.
extension Visit {
  static let mostEvents = 100

  private struct Event {
    let type: String
    let item: String
    let card: String
    let start: Moment
    var end: Moment?
  }

  func events(_ library: MockLibrary) throws(Failure) -> Response {
    let end = Self.moment(request.query["enddate"]) ?? now
    let start = Self.moment(request.query["startdate"]) ?? end + -LendingRules.day
    guard start <= end else { throw .malformed }
    // Whole seconds are asked for and told.
    let found = history(of: library.lending)
      .filter { $0.start + 999 >= start && $0.start <= end + 999 }
      .sorted { ($0.start, $0.item, $0.type) < ($1.start, $1.item, $1.type) }
    guard !found.isEmpty else { return .nothing }
    return .cirrus(
      tag("LibraryEventBatch") {
        [
          leaf("PublishId", "d70e2675-b313-4023-a81e-49c2a205b6a5"),
          leaf("PublishDateTimeInUTC", "\(now.text.dropLast()).5879866Z"),
          leaf("LastEventDateTimeInUTC", found[found.count - 1].start),
          tag(
            "Events", attributes: [],
            children: found.prefix(Self.mostEvents).enumerated().map { node($0.element, $0.offset) }
          ),
        ]
      })
  }

  /// Nothing is written down when it happens; what stands on the shelves tells.
  private func history(of lending: LendingLibrary) -> [Event] {
    var events = lending.loans.map {
      // Its end lies before its start, as it comes.
      Event(
        type: "CHECKOUT", item: $0.title, card: $0.card, start: $0.since, end: $0.since + -1000)
    }
    for hold in lending.holds {
      events.append(Event(type: "HOLD", item: hold.title, card: hold.card, start: hold.placed))
      if let end = hold.readyUntil {
        let start = end + -lending.rules.offerPeriod
        events.append(
          Event(type: "RESERVED", item: hold.title, card: hold.card, start: start, end: end))
      }
    }
    for title in lending.titles.values {
      events.append(Event(type: "PURCHASE", item: title.id, card: "", start: title.added))
      if !events.contains(where: { $0.item == title.id && $0.start == title.changed }) {
        events.append(Event(type: "CHECKIN", item: title.id, card: "", start: title.changed))
      }
    }
    return events
      + lending.withdrawn.map { Event(type: "REMOVED", item: $0.key, card: "", start: $0.value) }
  }

  private func node(_ event: Event, _ number: Int) -> Node {
    var random = SeededRandom(seed: UInt64(number), for: event.item)
    return tag("CloudLibraryEvent") {
      [
        leaf("LibraryId", libraryID), leaf("EventId", random.guid()),
        leaf("EventType", event.type), leaf("EventStartDateTimeInUTC", event.start),
        event.end.map { leaf("EventEndDateTimeInUTC", $0) } ?? leaf("EventEndDateTimeInUTC", ""),
        leaf("ItemId", event.item), leaf("ItemLibraryId", libraryID),
        leaf("PatronId", event.card), leaf("PatronLibraryId", event.card.isEmpty ? "" : libraryID),
        leaf("EventPublishDateTimeInUTC", now),
      ]
    }
  }
}
